import type { Filters, FilterValue, JsonObject, JsonValue, SearchableDocument } from "../domain/types.ts";

const PLAIN_FIELDS = new Set(["resourceDocId", "type", "status", "url"]);
const META_DATA = "metaData.";

/** Whether a filter may name this field. */
export function isFilterField(name: string): boolean {
  return PLAIN_FIELDS.has(name) || (name.startsWith(META_DATA) && name.length > META_DATA.length);
}

/** Whether a document has this value in this field. A document without the field has not. */
export function matches(document: SearchableDocument, field: string, wanted: Filters[string]): boolean {
  return valueMatches(fieldOf(document, field), wanted);
}

/** What a document has in a field that a filter may name; undefined if it has nothing there. */
export function fieldOf(document: SearchableDocument, field: string): JsonValue | undefined {
  switch (field) {
    case "resourceDocId":
      return document.id;
    case "type":
      return document.type;
    case "status":
      return document.status;
    case "url":
      return document.url;
    default:
      return lookUp(document.metaData, field.slice(META_DATA.length));
  }
}

/** An array matches if one of its elements does. */
function valueMatches(value: JsonValue | undefined, wanted: FilterValue): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
}

/** The value at a dotted path. A key that holds the dots itself wins over nested ones, the longer key over the shorter. */
export function lookUp(object: JsonObject, path: string): JsonValue | undefined {
  if (Object.hasOwn(object, path)) return object[path];
  for (let dot = path.lastIndexOf("."); dot > 0; dot = path.lastIndexOf(".", dot - 1)) {
    const key = path.slice(0, dot);
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    if (!isJsonObject(inner)) continue;
    const found = lookUp(inner, path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
