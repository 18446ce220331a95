import { cutAt } from "./plain.ts";

/** Metadata within the limit. */
export interface BoundedMetadata {
  readonly metadata: Record<string, unknown>;
  /** False if a value was cut or left out. */
  readonly isWhole: boolean;
}

/** Keeps the entries that fit, in order. A long text is cut, and later entries that do not fit are left out. */
export function boundedMetadata(metadata: Readonly<Record<string, unknown>>, charactersMax: number): BoundedMetadata {
  const kept: [string, unknown][] = [];
  let [left, isWhole] = [charactersMax, true];
  for (const [key, value] of Object.entries(metadata)) {
    const room = left - key.length - '{"":""}'.length;
    const shown = typeof value === "string" && room > 0 ? cutAt(value, room) : value;
    const characters = JSON.stringify({ [key]: shown }).length;
    if (shown !== value) isWhole = false;
    if (characters > left) {
      isWhole = false;
      continue;
    }
    left -= characters;
    kept.push([key, shown]);
  }
  return { metadata: Object.fromEntries(kept), isWhole };
}
