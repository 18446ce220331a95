import type { RecordOf } from "../model/records.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import { documentBytes } from "./document-size.ts";
import type { VersionedDocument } from "./document-table.ts";
import { type IndexChange, UNCHANGED } from "./index-change.ts";
import type { BotState } from "./state.ts";

export function applyDocumentPut(state: BotState, record: RecordOf<"documentPut">, sequence: number): IndexChange {
  const { source } = record;
  return putDocument(state, { ...record, ...(source === undefined ? {} : { origin: { source } }) }, sequence);
}

export function applyDocumentBrought(
  state: BotState,
  record: RecordOf<"documentBrought">,
  sequence: number,
): IndexChange {
  return putDocument(state, record, sequence);
}

export function applyDocumentOrigin(
  state: BotState,
  { id, origin }: RecordOf<"documentOrigin">,
  sequence: number,
): IndexChange {
  setOrigin(state, id, origin, sequence);
  return UNCHANGED;
}

export function applyDocumentStatus(state: BotState, record: RecordOf<"documentStatus">): IndexChange {
  const { id, status, updatedAtMs } = record;
  const known = state.documents.get(id);
  if (known === undefined) return UNCHANGED;
  const time = known.document.status === status ? {} : timeAfter(known, updatedAtMs);
  state.documents.set(id, { ...known, document: { ...known.document, status }, ...time });
  return { kind: "amend", id };
}

export function applyDocumentDelete(state: BotState, { id }: RecordOf<"documentDelete">): IndexChange {
  state.sources.count(state.documents.get(id)?.origin, undefined);
  state.documents.delete(id);
  state.vectors.delete(id);
  return { kind: "remove", id };
}

interface NewVersion extends Pick<VersionedDocument, "document" | "contentHash" | "updatedAtMs"> {
  readonly origin?: DocumentOrigin;
}

function putDocument(state: BotState, put: NewVersion, sequence: number): IndexChange {
  const { document, contentHash, origin, updatedAtMs } = put;
  const id = document.resourceDocId;
  const before = state.documents.get(id);
  if (before?.contentHash === contentHash) {
    // The same content from another origin: the status stays as the operator set it, and the vectors stay valid.
    if (origin !== undefined) setOrigin(state, id, origin, sequence);
    return UNCHANGED;
  }
  const stored = origin === undefined ? undefined : state.sources.stored(origin, sequence);
  state.sources.count(before?.origin, stored);
  const bytes = documentBytes(document);
  const known = { document, contentHash, version: sequence, bytes, ...(stored !== undefined && { origin: stored }) };
  state.documents.set(id, { ...known, ...timeAfter(before, updatedAtMs) });
  state.vectors.delete(id);
  return { kind: "index", id };
}

/** The time of a change. It is never before that of the change before, wherever the clock was set. A record without a time gives none. */
function timeAfter(
  before: VersionedDocument | undefined,
  updatedAtMs: number | undefined,
): Pick<VersionedDocument, "updatedAtMs"> {
  if (updatedAtMs === undefined) return {};
  return { updatedAtMs: Math.max(before?.updatedAtMs ?? updatedAtMs, updatedAtMs) };
}

function setOrigin(state: BotState, id: string, origin: DocumentOrigin, sequence: number): void {
  const known = state.documents.get(id);
  if (known === undefined) return;
  const stored = state.sources.stored(origin, sequence);
  state.sources.count(known.origin, stored);
  state.documents.set(id, { ...known, origin: stored });
}
