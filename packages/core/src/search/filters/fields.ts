import type { JsonValue, SearchableDocument } from "../../model/types.ts";
import { asKey } from "./as-key.ts";

const PLAIN_FIELDS = new Set(["resourceDocId", "type", "status", "url"]);
const META_DATA = "metaData.";

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
      const key = asKey(name.slice(META_DATA.length));
      return ({ metaData }) => (Object.hasOwn(metaData, key) ? metaData[key] : undefined);
    }
  }
}
