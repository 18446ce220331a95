import type { JsonRecord } from "../json.ts";

/** A field of what Dify sends; null is what it sends where there is nothing. */
export function fieldIn(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}
