import { createHash } from "node:crypto";
import stableStringify from "fast-json-stable-stringify";
import type { StoredDocument } from "../model/types.ts";
import { jsonPieces, keysSorted } from "../platform/json-pieces.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/** SHA-256 of a document in canonical JSON: two documents with the same hash say the same, whatever the order of their fields. */
export function contentHash(document: StoredDocument): string {
  return createHash("sha256").update(stableStringify(document)).digest("hex");
}

/** The same, a piece at a time. */
export function* contentHashInSlices(document: StoredDocument): Sliced<string> {
  const hash = createHash("sha256");
  for (const piece of jsonPieces(document, keysSorted)) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
}
