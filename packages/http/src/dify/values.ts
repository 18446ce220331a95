import type { JsonRecord } from "../json.ts";

/** A field of a request of Dify; undefined for null, which Dify sends for an absent field. */
export function fieldIn(record: JsonRecord, name: string): unknown {
  return Object.hasOwn(record, name) ? (record[name] ?? undefined) : undefined;
}
