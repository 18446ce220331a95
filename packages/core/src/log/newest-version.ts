import type { SearchableDocument } from "../model/types.ts";
import { searchableArticle, searchableDocument } from "./searchable.ts";
import type { BotState } from "./state.ts";

/** The newest durable version of a searchable document. */
export interface NewestVersion {
  readonly document: SearchableDocument;
  /** Sequence number of the record that brought its text. */
  readonly version: number;
}

/** The newest durable version of an article or an imported document; undefined if there is none. */
export function newestVersion(state: BotState, id: string): NewestVersion | undefined {
  const article = state.articles.get(id);
  if (article !== undefined) return { document: searchableArticle(article.fields), version: article.version };
  const known = state.documents.get(id);
  return known === undefined ? undefined : { document: searchableDocument(known.document), version: known.version };
}

/** The version number of {@link newestVersion} alone. */
export function newestVersionNumber(state: BotState, id: string): number | undefined {
  return (state.articles.get(id) ?? state.documents.get(id))?.version;
}

/** Ids of all articles and imported documents. */
export function* searchableIds(state: BotState): Generator<string> {
  yield* state.articles.keys();
  yield* state.documents.keys();
}
