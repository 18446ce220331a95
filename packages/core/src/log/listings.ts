import type { ArticleFields } from "../model/records.ts";
import type { OwnedDocument, SourceInfo } from "../model/sources.ts";
import type { ArticleFilter, DocumentFilter, Registration, StoredDocument } from "../model/types.ts";
import { sortedInSlices } from "../scheduling/sorted.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import type { ArticleTable, VersionedArticle } from "./article-table.ts";
import { byAge, type Place } from "./articles-by-age.ts";
import { metadataText } from "./metadata-index.ts";
import type { BotState } from "./state.ts";

/**
 * What a bot has, in the order in which it is listed. What is made in steps is of the moment of the first one: what is in the state is never
 * changed, only replaced.
 */

/** Which part of a list. */
interface ListPart {
  /** Only what stands behind it. */
  readonly start?: Place | undefined;
  /** At most so many. */
  readonly max?: number;
}

/** So many are sorted in no time. */
const FEW = 64;

/** Documents that are looked at in a step. */
const SLICE_DOCUMENTS = 4_096;

/** Sorting takes about so many looks for each that is sorted. */
const SORTING_LOOKS = 8;

/** Oldest `createdAt` first, ties by id. A page costs about what it has, or what has to be looked through to find that. */
export function* articlesIn(
  { articles }: BotState,
  { id, title, metadata = new Map() }: ArticleFilter,
  { start, max = Number.POSITIVE_INFINITY }: ListPart = {},
): Sliced<readonly VersionedArticle[]> {
  const isWanted = ({ fields }: VersionedArticle): boolean =>
    (id === undefined || fields.id === id) &&
    (title === undefined || fields.title === title) &&
    hasMetadata(fields, metadata);
  const few = fewIn(articles, id, metadata, max);
  if (few !== undefined) {
    const wanted = few.filter(
      (article) => (start === undefined || byAge(start, article.fields) < 0) && isWanted(article),
    );
    const sorted = yield* sortedInSlices(wanted, ({ fields: a }, { fields: b }) => byAge(a, b));
    return sorted.slice(0, max);
  }
  const found: VersionedArticle[] = [];
  for (const part of articles.byAge(start)) {
    for (const article of part) {
      if (found.length >= max) return found;
      if (isWanted(article)) found.push(article);
    }
    yield;
  }
  return found;
}

/**
 * All that may be meant, where that is less to look at than what stands in the list before so many of them are found; undefined where it is
 * not. The pages of a whole list together so take about a look at each article, however many of them have the metadata.
 */
function fewIn(
  articles: ArticleTable,
  id: string | undefined,
  metadata: ReadonlyMap<string, string>,
  max: number,
): readonly VersionedArticle[] | undefined {
  const one = id === undefined ? undefined : articles.get(id);
  if (id !== undefined) return one === undefined ? [] : [one];
  const [first] = metadata;
  if (first === undefined) return undefined;
  const isFew = (count: number): boolean => count * SORTING_LOOKS <= Math.min(1, max / count) * articles.size;
  return articles.fewWithMetadata(...first, (count) => count <= FEW || isFew(count));
}

/** Each of the keys with a value that is written so. */
function hasMetadata({ metadata }: ArticleFields, wanted: ReadonlyMap<string, string>): boolean {
  for (const [key, text] of wanted) if (metadataText(metadata, key) !== text) return false;
  return true;
}

/** By id. */
export function* documentsIn(state: BotState, { type, status }: DocumentFilter): Sliced<readonly StoredDocument[]> {
  const wanted: StoredDocument[] = [];
  const all = [...state.documents.values()];
  yield* inPortions(all.length, SLICE_DOCUMENTS, (from, to) => {
    for (const { document } of all.slice(from, to)) {
      const isWanted =
        (type === undefined || document.type === type) && (status === undefined || document.status === status);
      if (isWanted) wanted.push(document);
    }
  });
  return yield* sortedInSlices(wanted, (a, b) => (a.resourceDocId < b.resourceDocId ? -1 : 1));
}

/** What these sources brought, in no order. */
export function* ownedIn({ documents, sources }: BotState, names: readonly string[]): Sliced<readonly OwnedDocument[]> {
  const owned: OwnedDocument[] = [];
  const wanted = new Set(names.map((name) => sources.get(name)?.id));
  for (const [id, { origin }] of [...documents]) {
    const named = origin !== undefined && wanted.has(origin.source) ? sources.origin(origin) : undefined;
    if (named !== undefined) owned.push({ id, ...named });
    yield;
  }
  return owned;
}

/** By name. */
export function sourcesIn({ sources }: BotState): SourceInfo[] {
  return sources
    .all()
    .map((source) => sources.info(source))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** By name. */
export function registrationsIn(registered: ReadonlyMap<string, boolean>): Registration[] {
  return [...registered].map(([name, active]) => ({ name, active })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
