import { articleBytes } from "../model/article-bytes.ts";
import { type ArticleFields, type BotRecord, sameSpace } from "../model/records.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import { versioned } from "./article-table.ts";
import { documentBytes } from "./document-size.ts";
import type { VersionedDocument } from "./document-table.ts";
import { withArgument } from "./source-table.ts";
import type { BotState } from "./state.ts";

/** The change of the search index that a record requires. */
export type IndexChange =
  /** This document has a new version: index it. */
  | { readonly kind: "index"; readonly id: string }
  /** No searched text changed, only other fields. */
  | { readonly kind: "amend"; readonly id: string }
  | { readonly kind: "remove"; readonly id: string }
  /** This document has more vectors. */
  | { readonly kind: "vectors"; readonly id: string }
  | { readonly kind: "none" };

/**
 * Applies a log record to the state. It is total, and the same code serves new writes and replay after a start.
 * `binary` is the record's binary part; it is copied.
 */
export function apply(state: BotState, record: BotRecord, sequence: number, binary?: Uint8Array): IndexChange {
  state.sequence = sequence;
  switch (record.kind) {
    case "articlePut": {
      state.lastChargeMs = Math.max(state.lastChargeMs, record.charge.atMs);
      state.window.add(record.charge.characters, state.lastChargeMs);
      state.byteWindow.add(articleBytes(record.article), state.lastChargeMs);
      const change = putArticle(state, record.article, sequence);
      const { id, createdAtMs } = record.article;
      const { characterUsed } = state;
      if (record.create !== undefined) state.creates.add({ ...record.create, id, createdAtMs, characterUsed });
      return change;
    }
    case "articleDelete": {
      const known = state.articles.get(record.id);
      if (known !== undefined) state.characterUsed -= known.fields.characterCount;
      state.articles.delete(record.id);
      state.vectors.delete(record.id);
      return { kind: "remove", id: record.id };
    }
    case "documentPut": {
      const { source } = record;
      return putDocument(state, { ...record, ...(source === undefined ? {} : { origin: { source } }) }, sequence);
    }
    case "documentBrought":
      return putDocument(state, record, sequence);
    case "documentOrigin":
      setOrigin(state, record.id, record.origin, sequence);
      return { kind: "none" };
    case "documentStatus": {
      const known = state.documents.get(record.id);
      if (known === undefined) return { kind: "none" };
      state.documents.set(record.id, { ...known, document: { ...known.document, status: record.status } });
      return { kind: "amend", id: record.id };
    }
    case "documentDelete":
      state.sources.count(state.documents.get(record.id)?.origin, undefined);
      state.documents.delete(record.id);
      state.vectors.delete(record.id);
      return { kind: "remove", id: record.id };
    case "sourceArgument": {
      const { argument, importedAtMs, report, takesOver } = record;
      const source = state.sources.named(record.source, sequence);
      const end = importedAtMs === undefined ? {} : { importedAtMs, ...(report === undefined ? {} : { report }) };
      const put = { ...argument, ...end };
      state.sources.set({ ...source, arguments: withArgument(source.arguments, put) });
      const former = takesOver === undefined ? undefined : state.sources.get(takesOver);
      if (former !== undefined && former.id !== source.id && !state.sources.hasHeir(former.name)) {
        state.sources.set({ ...former, heir: source.id });
      }
      return { kind: "none" };
    }
    case "sourceMove": {
      const source = state.sources.get(record.source);
      if (source === undefined || (record.to !== record.source && state.sources.get(record.to) !== undefined)) {
        return { kind: "none" };
      }
      const put = record.argument;
      const rest = source.arguments.length === 0 ? { rest: put.name } : {};
      state.sources.set({ ...source, ...rest, name: record.to, arguments: withArgument(source.arguments, put) });
      return { kind: "none" };
    }
    case "sourceRemove":
      state.sources.removeIfEmpty(record.source);
      return { kind: "none" };
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
      return addVectors(state, record, binary ?? new Uint8Array(0));
  }
}

interface StagedDocument extends Pick<VersionedDocument, "document" | "contentHash"> {
  readonly origin?: DocumentOrigin;
}

function putDocument(
  state: BotState,
  { document, contentHash, origin }: StagedDocument,
  sequence: number,
): IndexChange {
  const id = document.resourceDocId;
  const before = state.documents.get(id);
  if (before?.contentHash === contentHash) {
    // The same content from another origin: the status stays as the operator set it, and the vectors stay valid.
    if (origin !== undefined) setOrigin(state, id, origin, sequence);
    return { kind: "none" };
  }
  const stored = origin === undefined ? undefined : state.sources.stored(origin, sequence);
  state.sources.count(before?.origin, stored);
  const bytes = documentBytes(document);
  const known = { document, contentHash, version: sequence, bytes, ...(stored !== undefined && { origin: stored }) };
  state.documents.set(id, known);
  state.vectors.delete(id);
  return { kind: "index", id };
}

function setOrigin(state: BotState, id: string, origin: DocumentOrigin, sequence: number): void {
  const known = state.documents.get(id);
  if (known === undefined) return;
  const stored = state.sources.stored(origin, sequence);
  state.sources.count(known.origin, stored);
  state.documents.set(id, { ...known, origin: stored });
}

/**
 * Appends vectors to those of the document; a record with `first` 0 starts over.
 * A record that leaves a gap, or that belongs to a replaced version, is ignored.
 */
function addVectors(
  state: BotState,
  record: Extract<BotRecord, { readonly kind: "vectors" }>,
  binary: Uint8Array,
): IndexChange {
  const { id, version, space, texts, first, count } = record;
  const newest = state.articles.get(id) ?? state.documents.get(id);
  if (newest?.version !== version || binary.length !== count * space.dimensions) return { kind: "none" };
  const known = state.vectors.get(id);
  const goesOn = known !== undefined && sameSpace(known.space, space) && known.texts === texts;
  const before = goesOn && first !== 0 ? known.codes : new Int8Array(0);
  if (first * space.dimensions !== before.length) return { kind: "none" };
  const codes = appended(before, new Int8Array(binary.buffer, binary.byteOffset, binary.length));
  state.vectors.set(id, { version, space, texts, codes });
  return { kind: "vectors", id };
}

/**
 * Appends codes to codes. The vectors of a long document come in thousands of records, so spare bytes are left behind the codes for the next record.
 * That avoids a copy for each record. Existing bytes never change, since readers hold views of them.
 */
function appended(before: Int8Array, more: Int8Array): Int8Array {
  const length = before.length + more.length;
  let buffer = before.buffer;
  if (before.byteOffset + length > buffer.byteLength) {
    const room = before.length === 0 ? 0 : Math.ceil(length * SLACK_SHARE);
    buffer = new ArrayBuffer(length + room);
    new Int8Array(buffer).set(before);
  }
  const codes = new Int8Array(buffer, buffer === before.buffer ? before.byteOffset : 0, length);
  codes.set(more, before.length);
  return codes;
}

/** Spare bytes behind appended codes, as a share of their length. The first record gets none: it holds all vectors of most documents. */
const SLACK_SHARE = 1 / 8;

function putArticle(state: BotState, article: ArticleFields, sequence: number): IndexChange {
  const known = state.articles.get(article.id);
  const sameText = known !== undefined && known.fields.title === article.title && known.fields.body === article.body;
  state.characterUsed += article.characterCount - (known?.fields.characterCount ?? 0);
  state.lastCreatedAtMs = Math.max(state.lastCreatedAtMs, article.createdAtMs);
  if (!sameText) state.vectors.delete(article.id);
  state.articles.set(article.id, versioned(article, sameText ? known.version : sequence));
  return { kind: sameText ? "amend" : "index", id: article.id };
}
