import { DOCUMENT_BYTES_MAX } from "../model/limits.ts";
import type { StoredDocument } from "../model/types.ts";
import { weightUpTo } from "../platform/json-pieces.ts";

/** What a document takes beside its texts: its type, its status and its entries in tables. */
const DOCUMENT_BYTES = 100;

/** UTF-16 units of JSON from which on a document is hashed and encoded in steps: below, each takes well under a millisecond. */
const LARGE_UNITS = 131_072;

export function isLarge(document: StoredDocument): boolean {
  return weightUpTo(LARGE_UNITS, document) >= LARGE_UNITS;
}

/**
 * What a document counts against its bot's `importBytes`: the UTF-8 bytes of its id, its address and its texts, those of metaData as JSON, and 100
 * more. It does not depend on the status, which the operator switches without an import.
 */
export function documentBytes(document: StoredDocument): number {
  const { resourceDocId, url = "", metaData } = document;
  return byteLength([resourceDocId, url, JSON.stringify(metaData), ...textsOf(document)]) + DOCUMENT_BYTES;
}

/** Whether a document's texts have more bytes than a document may have. */
export function hasTooMuchText(document: StoredDocument): boolean {
  const texts = textsOf(document);
  // A unit has three bytes at most: nearly every document needs no more counting than this.
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return units * 3 > DOCUMENT_BYTES_MAX && byteLength(texts) > DOCUMENT_BYTES_MAX;
}

function byteLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

function textsOf(document: StoredDocument): readonly string[] {
  if (document.type !== "QNA") return document.content.map(({ md }) => md);
  return [document.question, document.answer, ...(document.alternatives ?? [])];
}
