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

export function applyDocumentStatus(state: BotState, { id, status }: RecordOf<"documentStatus">): IndexChange {
  const known = state.documents.get(id);
  if (known === undefined) return UNCHANGED;
  state.documents.set(id, { ...known, document: { ...known.document, status } });
  return { kind: "amend", id };
}

export function applyDocumentDelete(state: BotState, { id }: RecordOf<"documentDelete">): IndexChange {
  state.sources.count(state.documents.get(id)?.origin, undefined);
  state.documents.delete(id);
  state.vectors.delete(id);
  return { kind: "remove", id };
}

interface NewVersion extends Pick<VersionedDocument, "document" | "contentHash"> {
  readonly origin?: DocumentOrigin;
}

function putDocument(state: BotState, { document, contentHash, origin }: NewVersion, sequence: number): IndexChange {
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
