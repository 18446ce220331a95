import type { ArticleFields } from "../domain/records.ts";
import type { OwnedDocument, SourceInfo } from "../domain/sources.ts";
import type { ArticleFilter, DocumentFilter, Registration, StoredDocument } from "../domain/types.ts";
import { sortedInSteps } from "../runtime/sorted.ts";
import type { Steps } from "../runtime/steps.ts";
import type { BotState, VersionedArticle } from "./state.ts";

/**
 * What a bot has, in the order in which it is listed. What is made in steps is of the moment of the first one: what is in the state is never
 * changed, only replaced.
 */

/** Oldest `createdAt` first, ties by id; only those behind `start`. */
export function* articlesIn(
  state: BotState,
  { id, title, metadata = new Map() }: ArticleFilter,
  start?: Place,
): Steps<readonly VersionedArticle[]> {
  const one = id === undefined ? undefined : state.articles.get(id);
  const all = id === undefined ? [...state.articles.values()] : one === undefined ? [] : [one];
  const wanted = all.filter(
    ({ fields }) =>
      (title === undefined || fields.title === title) &&
      (start === undefined || byAge(start, fields) < 0) &&
      hasMetadata(fields, metadata),
  );
  return yield* sortedInSteps(wanted, ({ fields: a }, { fields: b }) => byAge(a, b));
}

/** Where an article stands in the order. */
type Place = Pick<ArticleFields, "createdAtMs" | "id">;

function byAge(a: Place, b: Place): number {
  if (a.createdAtMs !== b.createdAtMs) return a.createdAtMs - b.createdAtMs;
  return a.id === b.id ? 0 : a.id < b.id ? -1 : 1;
}

/** Each of the keys with a value that is written so. */
function hasMetadata({ metadata }: ArticleFields, wanted: ReadonlyMap<string, string>): boolean {
  for (const [key, text] of wanted) if (!Object.hasOwn(metadata, key) || String(metadata[key]) !== text) return false;
  return true;
}

/** By id. */
export function* documentsIn(state: BotState, { type, status }: DocumentFilter): Steps<readonly StoredDocument[]> {
  const wanted: StoredDocument[] = [];
  for (const { document } of state.documents.values()) {
    const isWanted =
      (type === undefined || document.type === type) && (status === undefined || document.status === status);
    if (isWanted) wanted.push(document);
  }
  return yield* sortedInSteps(wanted, (a, b) => (a.resourceDocId < b.resourceDocId ? -1 : 1));
}

/** What these sources brought, in no order. */
export function* ownedIn({ documents, sources }: BotState, names: readonly string[]): Steps<readonly OwnedDocument[]> {
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
