import type { ArticleFilter, DocumentFilter, Registration, StoredDocument } from "../domain/types.ts";
import type { BotState, VersionedArticle } from "./state.ts";

/** What a bot has, in the order in which it is listed. */

/** Oldest `createdAt` first, ties by id. */
export function articlesIn(state: BotState, { id, title }: ArticleFilter): VersionedArticle[] {
  const one = id === undefined ? undefined : state.articles.get(id);
  const all = id === undefined ? [...state.articles.values()] : one === undefined ? [] : [one];
  return all
    .filter(({ fields }) => title === undefined || fields.title === title)
    .sort(({ fields: a }, { fields: b }) => a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1));
}

/** By id. */
export function documentsIn(state: BotState, { type, status }: DocumentFilter): StoredDocument[] {
  return [...state.documents.values()]
    .map(({ document }) => document)
    .filter((document) => type === undefined || document.type === type)
    .filter((document) => status === undefined || document.status === status)
    .sort((a, b) => (a.resourceDocId < b.resourceDocId ? -1 : 1));
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
