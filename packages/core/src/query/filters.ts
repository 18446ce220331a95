import type { FilterValue, JsonObject, JsonValue, SearchableDocument } from "../domain/types.ts";
import { finished, type OperationMeter, type Steps, UNCOUNTED } from "../runtime/steps.ts";

const PLAIN_FIELDS = new Set(["resourceDocId", "type", "status", "url"]);
const META_DATA = "metaData.";

/** Whether a filter may name this field. */
export function isFilterField(name: string): boolean {
  return PLAIN_FIELDS.has(name) || (name.startsWith(META_DATA) && name.length > META_DATA.length);
}

/**
 * A field that a filter names. The name is read once, however many documents are asked for the field.
 *
 * A path with dots may name a key that holds dots itself, or keys in keys: `a.b.c` is looked for as
 *
 * ```text
 * "a.b.c"     "a.b" > "c"     "a" > "b.c"     "a" > "b" > "c"
 * ```
 *
 * in this order. Each object of a document is looked through at most once: its own keys tell what is left of the path there.
 */
export class FilterField {
  readonly #name: string;
  readonly #path: string;
  /** Where keys of the path may end: at its dots, and at its end. */
  readonly #ends: readonly number[];
  /** The keys that may begin after an end, the longest first, by the number of that end plus one. Made when they are first needed. */
  readonly #keys: (readonly PathKey[])[] = [];

  /** @param name one that {@link isFilterField} accepts */
  constructor(name: string) {
    this.#name = name;
    this.#path = name.startsWith(META_DATA) ? name.slice(META_DATA.length) : "";
    this.#ends = endsOf(this.#path);
  }

  /** Whether the value is read in one step: then {@link valueOf} may be called. */
  get isPlain(): boolean {
    return this.#ends.length === 1;
  }

  /** What a document has in a plain field; undefined if it has nothing there. */
  valueOf(document: SearchableDocument): JsonValue | undefined {
    switch (this.#name) {
      case "resourceDocId":
        return document.id;
      case "type":
        return document.type;
      case "status":
        return document.status;
      case "url":
        return document.url;
      default:
        return ownValue(document.metaData, this.#path);
    }
  }

  /** The same of any field, in steps. */
  *valueInSteps(document: SearchableDocument, meter: OperationMeter): Steps<JsonValue | undefined> {
    return this.isPlain ? this.valueOf(document) : yield* this.#find(document.metaData, 0, meter);
  }

  *#find(object: JsonObject, from: number, meter: OperationMeter): Steps<JsonValue | undefined> {
    const keys = this.#keysFrom(from);
    if (meter.isStep(keys.length)) yield;
    for (const { key, next } of keys) {
      if (!Object.hasOwn(object, key)) continue;
      const value = object[key];
      if (next === undefined) return value;
      if (!isJsonObject(value)) continue;
      const found = yield* this.#find(value, next, meter);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #keysFrom(from: number): readonly PathKey[] {
    const known = this.#keys[from];
    if (known !== undefined) return known;
    const start = from === 0 ? 0 : (this.#ends[from - 1] ?? 0) + 1;
    const last = this.#ends.length - 1;
    const keys: PathKey[] = [{ key: this.#path.slice(start), next: undefined }];
    for (let at = last - 1; at >= from; at--) {
      const end = this.#ends[at] ?? 0;
      // A path that begins with a dot has no key before it.
      if (end > start) keys.push({ key: this.#path.slice(start, end), next: at + 1 });
    }
    this.#keys[from] = keys;
    return keys;
  }
}

/** A key that may stand in an object, and where the rest of the path begins; undefined if nothing is left of it. */
interface PathKey {
  readonly key: string;
  readonly next: number | undefined;
}

function endsOf(path: string): number[] {
  const ends: number[] = [];
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) ends.push(dot);
  ends.push(path.length);
  return ends;
}

/** Whether a field has the wanted value. An array has it if one of its elements is it. */
export function hasValue(value: JsonValue | undefined, wanted: FilterValue): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted;
}

/** What comparing a value takes, in operations. */
export function comparingOperations(value: JsonValue | undefined): number {
  return Array.isArray(value) ? value.length + 1 : 1;
}

/** The value at a dotted path, as {@link FilterField} finds it. */
export function lookUp(metaData: JsonObject, path: string): JsonValue | undefined {
  const document: SearchableDocument = {
    id: "",
    type: "DOCUMENT",
    status: "active",
    metaData,
    content: [],
    titles: [],
  };
  return finished(new FilterField(META_DATA + path).valueInSteps(document, UNCOUNTED));
}

function ownValue(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
