import type { ArticleFields, BotRecord } from "./records.ts";
import type { BotState } from "./state.ts";

/** What a record means for the search index. */
export type IndexChange =
  /** This document has a new version: index it. */
  | { readonly kind: "index"; readonly id: string }
  /** Only fields that touch no text changed. */
  | { readonly kind: "amend"; readonly id: string }
  | { readonly kind: "remove"; readonly id: string }
  | { readonly kind: "none" };

/**
 * Log record → state: total, and the same code when a record has just been written and when it is replayed after a start.
 */
export function apply(state: BotState, record: BotRecord, sequence: number): IndexChange {
  state.sequence = sequence;
  switch (record.kind) {
    case "articlePut":
      state.lastChargeMs = Math.max(state.lastChargeMs, record.charge.atMs);
      state.window.add(record.charge.characters, state.lastChargeMs);
      return putArticle(state, record.article, sequence);
    case "articleDelete": {
      const known = state.articles.get(record.id);
      if (known !== undefined) state.characterUsed -= known.fields.characterCount;
      state.articles.delete(record.id);
      return { kind: "remove", id: record.id };
    }
    case "documentPut": {
      const { document, contentHash, source } = record;
      const known = { document, contentHash, version: sequence, ...(source === undefined ? {} : { source }) };
      state.documents.set(document.resourceDocId, known);
      return { kind: "index", id: document.resourceDocId };
    }
    case "documentStatus": {
      const known = state.documents.get(record.id);
      if (known === undefined) return { kind: "none" };
      state.documents.set(record.id, { ...known, document: { ...known.document, status: record.status } });
      return { kind: "amend", id: record.id };
    }
    case "documentDelete":
      state.documents.delete(record.id);
      return { kind: "remove", id: record.id };
    case "agentPut":
      state.agents.set(record.name, record.active);
      return { kind: "none" };
    case "agentDelete":
      state.agents.delete(record.name);
      return { kind: "none" };
    case "channelPut":
      state.channels.set(record.name, record.active);
      return { kind: "none" };
    case "channelDelete":
      state.channels.delete(record.name);
      return { kind: "none" };
    case "vectors":
      // No embedder writes any yet; a log that has them is read all the same.
      return { kind: "none" };
  }
}

function putArticle(state: BotState, article: ArticleFields, sequence: number): IndexChange {
  const known = state.articles.get(article.id);
  const sameText = known !== undefined && known.fields.title === article.title && known.fields.body === article.body;
  state.characterUsed += article.characterCount - (known?.fields.characterCount ?? 0);
  state.lastCreatedAtMs = Math.max(state.lastCreatedAtMs, article.createdAtMs);
  state.articles.set(article.id, { fields: article, version: sameText ? known.version : sequence });
  return { kind: sameText ? "amend" : "index", id: article.id };
}
