import type { JsonValue } from "../model/types.ts";

/**
 * Estimates the bytes of plain data on the JavaScript heap. The layouts are those of V8 (`src/objects`, 11.3) without pointer compression, as Node.js is built.
 * The heap itself is not asked: the same data has the same estimate on every machine.
 */
const WORD_BYTES = 8;
/** `SeqString`: its map, hash and length. */
const TEXT_HEADER_BYTES = 16;
/** `FixedArray` and `PropertyArray`: map and length. */
const LIST_HEADER_BYTES = 16;
/** `JSArray`: map, properties, elements and length. */
const ARRAY_BYTES = 32;
/** `JSObject`: map, properties and elements. */
const OBJECT_HEADER_BYTES = 24;
/**
 * The property slots of an object that was made without properties (`kInitialGlobalObjectUnusedPropertiesCount`), and the slots added when they are full
 * (`kFieldsAdded`).
 */
const OWN_SLOTS = 4;
const SLOTS_ADDED = 3;
/** `HeapNumber`: of every number that is no integer of 32 bits. */
const NUMBER_BYTES = 16;
/**
 * From this number of keys on, `JSON.parse` makes an object with a table of properties; measured.
 * An object that got its keys one by one has a table after the next start.
 */
const TABLE_KEYS_MIN = 128;
/**
 * `NameDictionary` and `NumberDictionary`: an entry has a key, a value and details.
 * At most two thirds of the entries are taken; their number is a power of two.
 */
const TABLE_HEADER_BYTES = 56;
const TABLE_ENTRY_BYTES = 24;
const TABLE_SLACK = 1.5;

/**
 * `JSON.parse` shares equal texts up to this length, in UTF-16 units (`kMaxInternalizedStringValueLength`). Whether another article has the same text is
 * unknown.
 * So a short text counts less than an unshared one (24 or 32 bytes), and more than nothing.
 */
const SHARED_UNITS_MAX = 10;
const SHARED_TEXT_BYTES = 10;

/** A character beyond Latin-1. V8 answers in O(1) for a text of one byte a character, which can hold none. */
const WIDE = /[\u0100-\uffff]/;
/** How much of a text is read for {@link WIDE}, in UTF-16 units: all of an article's, in 1.5 ms at most. */
const READ_UNITS_MAX = 1_048_576;

/** Receives the named keys of every object that has some, in their order. Returns the bytes that they take beside the object. */
export type KeysCounter = (keys: readonly string[]) => number;

/** Bytes of a text. One character beyond Latin-1 makes every character take two bytes. */
export function textHeapBytes(text: string): number {
  // Texts of one character are V8's own.
  if (text.length <= SHARED_UNITS_MAX) return text.length < 2 ? 0 : SHARED_TEXT_BYTES;
  return inWords(TEXT_HEADER_BYTES + text.length * unitBytes(text));
}

/** Bytes of each character of a text. A text longer than {@link READ_UNITS_MAX} is judged by its beginning. */
export function unitBytes(text: string): 1 | 2 {
  return WIDE.test(text.length > READ_UNITS_MAX ? text.slice(0, READ_UNITS_MAX) : text) ? 2 : 1;
}

/** Bytes of an array of this length, without its elements. */
export function listHeapBytes(length: number): number {
  return ARRAY_BYTES + (length === 0 ? 0 : LIST_HEADER_BYTES + length * WORD_BYTES);
}

/** Bytes of an object literal with this number of keys, without its values. */
export function recordHeapBytes(keys: number): number {
  return OBJECT_HEADER_BYTES + keys * WORD_BYTES;
}

/** Bytes of a value with all its children. Linear in its size. */
export function valueHeapBytes(value: JsonValue, keysBytes: KeysCounter): number {
  if (typeof value === "string") return textHeapBytes(value);
  if (typeof value === "number") return (value | 0) === value ? 0 : NUMBER_BYTES;
  if (typeof value !== "object" || value === null) return 0;
  const sum = (bytes: number, child: JsonValue): number => bytes + valueHeapBytes(child, keysBytes);
  if (isList(value)) return value.reduce(sum, listHeapBytes(value.length));
  return Object.values(value).reduce(sum, objectHeapBytes(Object.keys(value), keysBytes));
}

/** Bytes of an object that got its keys one by one, without its values. `keys` are in the order of `Object.keys`. */
export function objectHeapBytes(keys: readonly string[], keysBytes: KeysCounter): number {
  let indices = 0;
  while (isIndex(keys[indices])) indices++;
  const named = indices === 0 ? keys : keys.slice(indices);
  const ofKeys = named.length === 0 ? 0 : keysBytes(named);
  return recordHeapBytes(OWN_SLOTS) + namedHeapBytes(named.length) + elementsHeapBytes(keys.slice(0, indices)) + ofKeys;
}

/** Bytes of the slots for named keys, beyond those in the object itself. */
function namedHeapBytes(keys: number): number {
  if (keys <= OWN_SLOTS) return 0;
  if (keys >= TABLE_KEYS_MIN) return tableHeapBytes(keys);
  return LIST_HEADER_BYTES + Math.ceil((keys - OWN_SLOTS) / SLOTS_ADDED) * SLOTS_ADDED * WORD_BYTES;
}

/** True for an array index: V8 keeps such keys apart from named ones. */
function isIndex(key: string | undefined): boolean {
  return key !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(key) && Number(key) < 2 ** 32 - 1;
}

/**
 * Bytes of the slots for keys that are array indices, in rising order. It follows `JSObject::ShouldConvertToSlowElements`: a list up to the highest index,
 * with half as many slots again behind it, or a table if that is smaller. So the single key 1000 takes 12 KB.
 */
function elementsHeapBytes(indices: readonly string[]): number {
  if (indices.length === 0) return 0;
  let capacity = 0;
  for (const [i, key] of indices.entries()) {
    const index = Number(key);
    if (index < capacity) continue;
    const grown = Math.floor((index + 1) * 1.5) + 16;
    if (index - capacity >= GAP_MAX || (grown > LIST_UNCHECKED_MAX && isLessAsTable(i + 1, grown)))
      return tableHeapBytes(indices.length);
    capacity = grown;
  }
  return LIST_HEADER_BYTES + capacity * WORD_BYTES;
}

const GAP_MAX = 1_024;
const LIST_UNCHECKED_MAX = 5_000;

function isLessAsTable(keys: number, capacity: number): boolean {
  return 9 * placesFor(keys) <= capacity;
}

function tableHeapBytes(keys: number): number {
  return TABLE_HEADER_BYTES + placesFor(keys) * TABLE_ENTRY_BYTES;
}

function placesFor(keys: number): number {
  return 2 ** Math.ceil(Math.log2(keys * TABLE_SLACK));
}

function inWords(bytes: number): number {
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Bytes of each slot of a V8 Map: key, value and link, and half a bucket. The number of slots is a power of two. */
const PLACE_BYTES = 28;

/** The most bytes that a Map takes beside its own while `more` entries are added. It is copied into a Map of twice the slots, and both exist meanwhile. */
export function mapGrowthBytes(entries: number, more: number): number {
  const [before, after] = [placesOf(entries), placesOf(entries + more)];
  if (after === before) return 0;
  return (after + (after / 2 > before ? after / 2 : 0)) * PLACE_BYTES;
}

function placesOf(entries: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(4, entries)));
}
