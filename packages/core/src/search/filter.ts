import type { FilterValue, JsonValue, SearchableDocument } from "../model/types.ts";

const PLAIN_FIELDS = new Set(["resourceDocId", "type", "status", "url"]);
const META_DATA = "metaData.";

/** Characters compared in the time of one operation. */
const CHARACTERS_PER_OPERATION = 256;

/** True if a filter may name this field. */
export function isFilterField(name: string): boolean {
  return PLAIN_FIELDS.has(name) || (name.startsWith(META_DATA) && name.length > META_DATA.length);
}

/** The dotted path in metadata that a filter names; undefined if its key has no dots. `DottedPaths` reads it. */
export function dottedPathOf(name: string): string | undefined {
  const path = name.startsWith(META_DATA) ? name.slice(META_DATA.length) : "";
  return path.includes(".") ? path : undefined;
}

/** Reads a field of a document; undefined if the document lacks it. */
export type FieldReader = (document: SearchableDocument) => JsonValue | undefined;

/** @param name one that {@link isFilterField} accepts, and that is no dotted path */
export function plainReader(name: string): FieldReader {
  switch (name) {
    case "resourceDocId":
      return ({ id }) => id;
    case "type":
      return ({ type }) => type;
    case "status":
      return ({ status }) => status;
    case "url":
      return ({ url }) => url;
    default: {
      const key = name.slice(META_DATA.length);
      return ({ metaData }) => (Object.hasOwn(metaData, key) ? metaData[key] : undefined);
    }
  }
}

/** True if a field has the wanted value. An array has it if one of its elements equals it. */
export function hasValue(value: JsonValue | undefined, wanted: FilterValue): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
}

/** Operations to compare a value with the wanted one, at most. */
export function comparingOperations(value: JsonValue | undefined, wanted: FilterValue): number {
  const each = typeof wanted === "string" ? 1 + Math.floor(wanted.length / CHARACTERS_PER_OPERATION) : 1;
  return Array.isArray(value) ? 1 + value.length * each : each;
}
