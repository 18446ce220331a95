import { createHash } from "node:crypto";
import stableStringify from "fast-json-stable-stringify";
import type { StoredDocument } from "../model/types.ts";
import { jsonPieces, keysSorted } from "../platform/json-pieces.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/** SHA-256 of a document in canonical JSON, as hex. The order of fields does not change it. */
export function contentHash(document: StoredDocument): string {
  return createHash("sha256").update(stableStringify(document)).digest("hex");
}

/** As {@link contentHash}, in time slices. */
export function* contentHashInSlices(document: StoredDocument): Sliced<string> {
  const hash = createHash("sha256");
  for (const piece of jsonPieces(document, keysSorted)) {
    hash.update(piece);
    yield;
  }
  return hash.digest("hex");
}
