import type { ArticleSort } from "../model/options.ts";
import type { ArticleFields } from "../model/records.ts";
import type { OwnedDocument, SourceInfo } from "../model/sources.ts";
import type { ArticleFilter, DocumentFilter, Registration, StoredDocument } from "../model/types.ts";
import { sortedInSlices } from "../scheduling/sorted.ts";
import { inPortions, type Sliced } from "../scheduling/time-slices.ts";
import { articleOrder, type SortPlace } from "./article-order.ts";
import type { ArticleTable, VersionedArticle } from "./article-table.ts";
import { byAge, type Place } from "./articles-by-age.ts";
import { metadataText } from "./metadata-index.ts";
import type { BotState } from "./state.ts";

/**
 * Lists of a bot's articles, documents, sources and registrations, in the order in which they are shown.
 * A list that is made in time slices shows the moment of its first slice: objects of the state are never changed, only replaced.
 */

/** The bounds of a list. */
interface ListPart {
  /** Only articles behind this place. */
  readonly start?: Place | undefined;
  /** At most this many articles. Default: no limit. */
  readonly max?: number;
}

/** This many articles are always few enough to be sorted. */
const FEW = 64;

/** Documents that are checked between two yields. */
const SLICE_DOCUMENTS = 4_096;

/** Sorting an article costs about as much as checking this many. */
const SORTING_LOOKS = 8;

/**
 * Articles that match the filter: oldest `createdAt` first, ties by id.
 * A page costs about as much as its articles, or as the articles that must be checked to find them.
 */
export function* articlesIn(
  { articles }: BotState,
  filter: ArticleFilter,
  { start, max = Number.POSITIVE_INFINITY }: ListPart = {},
): Sliced<readonly VersionedArticle[]> {
  const isWanted = (article: VersionedArticle): boolean => fits(article, filter);
  const few = fewIn(articles, filter, max);
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

/** An order of articles, and the bounds of a list in it. */
interface SortedPart {
  readonly sort: ArticleSort;
  /** Only articles behind this place. */
  readonly start?: SortPlace | undefined;
  /** At most this many articles. Default: no limit. */
  readonly max?: number;
}

/**
 * Articles that match the filter, in any order. No order but that of age is kept, so each page checks all articles. It sorts those that may be on it:
 * O(articles), and O(n log n) for a list without a maximum.
 */
export function* sortedArticlesIn(
  { articles }: BotState,
  filter: ArticleFilter,
  { sort, start, max = Number.POSITIVE_INFINITY }: SortedPart,
): Sliced<readonly VersionedArticle[]> {
  type Placed = SortPlace & { readonly article: VersionedArticle };
  const { keyOf, compare } = articleOrder(sort);
  const few = fewIn(articles, filter, Number.POSITIVE_INFINITY);
  let kept: readonly Placed[] = [];
  let fresh: Placed[] = [];
  function* keepFirst(): Sliced<void> {
    kept = (yield* sortedInSlices(kept.concat(fresh), compare)).slice(0, max);
    fresh = [];
  }
  const parts = few === undefined ? articles.byAge() : [few];
  // Of the newest first, all articles of later parts are behind those of the first ones.
  for (const part of sort === "createdAt:desc" ? parts.toReversed() : parts) {
    const last = kept[max - 1];
    for (const article of part) {
      if (!fits(article, filter)) continue;
      const placed = { key: keyOf(article.fields), id: article.fields.id, article };
      if (start !== undefined && compare(placed, start) <= 0) continue;
      if (last === undefined || compare(placed, last) < 0) fresh.push(placed);
    }
    if (fresh.length > max) yield* keepFirst();
    yield;
  }
  yield* keepFirst();
  return kept.map(({ article }) => article);
}

function fits({ fields }: VersionedArticle, { id, title, metadata = new Map() }: ArticleFilter): boolean {
  return (
    (id === undefined || fields.id === id) &&
    (title === undefined || fields.title === title) &&
    hasMetadata(fields, metadata)
  );
}

/**
 * All candidates for a filter, if sorting them costs less than walking the list until `max` of them are found; undefined otherwise.
 * So all pages of a list together check each article about once, however many of them have the metadata.
 */
function fewIn(
  articles: ArticleTable,
  { id, metadata = new Map() }: ArticleFilter,
  max: number,
): readonly VersionedArticle[] | undefined {
  const one = id === undefined ? undefined : articles.get(id);
  if (id !== undefined) return one === undefined ? [] : [one];
  const [first] = metadata;
  if (first === undefined) return undefined;
  const isFew = (count: number): boolean => count * SORTING_LOOKS <= Math.min(1, max / count) * articles.size;
  return articles.fewWithMetadata(...first, (count) => count <= FEW || isFew(count));
}

/** Whether the metadata has each key, with this value as text. */
function hasMetadata({ metadata }: ArticleFields, wanted: ReadonlyMap<string, string>): boolean {
  for (const [key, text] of wanted) if (metadataText(metadata, key) !== text) return false;
  return true;
}

/** Documents that match the filter, by id. */
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

/** Documents of these sources, in no order. */
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

/** All sources, by name. */
export function sourcesIn({ sources }: BotState): SourceInfo[] {
  return sources
    .all()
    .map((source) => sources.info(source))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** All registered agents or channels, by name. */
export function registrationsIn(registered: ReadonlyMap<string, boolean>): Registration[] {
  return [...registered].map(([name, active]) => ({ name, active })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
