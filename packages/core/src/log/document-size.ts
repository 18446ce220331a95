import { DOCUMENT_BYTES_MAX } from "../model/limits.ts";
import type { StoredDocument } from "../model/types.ts";
import { weightUpTo } from "../platform/json-pieces.ts";

/** Bytes of a document beside its texts: its type, its status and its entries in tables. */
const DOCUMENT_BYTES = 100;

/** UTF-16 units of JSON from which on a document is hashed and encoded in time slices. Below that, each takes well under a millisecond. */
const LARGE_UNITS = 131_072;

/** Whether a document is hashed and encoded in time slices. */
export function isLarge(document: StoredDocument): boolean {
  return weightUpTo(LARGE_UNITS, document) >= LARGE_UNITS;
}

/**
 * Bytes that a document counts against its bot's `importBytes`: its id, address and texts in UTF-8, its metaData as JSON, and 100 more.
 * The status does not count, since the operator switches it without an import.
 */
export function documentBytes(document: StoredDocument): number {
  const { resourceDocId, url = "", metaData } = document;
  return byteLength([resourceDocId, url, JSON.stringify(metaData), ...textsOf(document)]) + DOCUMENT_BYTES;
}

/** Whether a document's texts have more than {@link DOCUMENT_BYTES_MAX} bytes in UTF-8. */
export function hasTooMuchText(document: StoredDocument): boolean {
  const texts = textsOf(document);
  // A UTF-16 unit takes at most three bytes in UTF-8, which decides for nearly every document.
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return units * 3 > DOCUMENT_BYTES_MAX && byteLength(texts) > DOCUMENT_BYTES_MAX;
}

function byteLength(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** The texts of a document that the index reads. */
export function textsOf(document: StoredDocument): readonly string[] {
  if (document.type !== "QNA") return document.content.map(({ md }) => md);
  return [document.question, document.answer, ...(document.alternatives ?? [])];
}
