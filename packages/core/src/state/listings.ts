import type { ArticleFilter, DocumentFilter, Registration, StoredDocument } from "../domain/types.ts";
import { sortedInSteps } from "../runtime/sorted.ts";
import type { Steps } from "../runtime/steps.ts";
import type { BotState, VersionedArticle } from "./state.ts";

/**
 * What a bot has, in the order in which it is listed. What is made in steps is of the moment of the first one: what is in the state is never
 * changed, only replaced.
 */

/** Oldest `createdAt` first, ties by id. */
export function* articlesIn(state: BotState, { id, title }: ArticleFilter): Steps<readonly VersionedArticle[]> {
  const one = id === undefined ? undefined : state.articles.get(id);
  const all = id === undefined ? [...state.articles.values()] : one === undefined ? [] : [one];
  const wanted = all.filter(({ fields }) => title === undefined || fields.title === title);
  return yield* sortedInSteps(
    wanted,
    ({ fields: a }, { fields: b }) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  );
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

/** Ids of what an import with this source brought last, in no order. */
export function idsOfSource(state: BotState, source: string): string[] {
  return [...state.documents.values()]
    .filter((document) => document.source === source)
    .map(({ document }) => document.resourceDocId);
}

/** By name. */
export function registrationsIn(registered: ReadonlyMap<string, boolean>): Registration[] {
  return [...registered].map(([name, active]) => ({ name, active })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
