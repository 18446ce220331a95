import { createHash } from "node:crypto";
import stableStringify from "fast-json-stable-stringify";
import type { StoredDocument } from "../domain/types.ts";

/** SHA-256 of a document in canonical JSON: two documents with the same hash say the same, whatever the order of their fields. */
export function contentHash(document: StoredDocument): string {
  return createHash("sha256").update(stableStringify(document)).digest("hex");
}
