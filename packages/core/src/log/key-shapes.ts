import { hash } from "node:crypto";
import { must } from "../model/must.ts";
import { textHeapBytes } from "../platform/heap-bytes.ts";

/**
 * Estimates the heap bytes of objects' keys, beside the objects. V8 keeps keys once for all objects that got the same keys in the same order.
 * It keeps them in a map, or "hidden class". Shared keys take next to nothing; keys of one article alone take some 200 bytes each.
 * So objects are counted by their list of keys.
 */
export class KeyShapes {
  /** Number of objects by their list of keys, where V8 shares one map between these objects. */
  readonly #connected = new Map<string, number>();
  /** Number of objects by their list of keys, where {@link CONNECTED_SHAPES_MAX} others came before: each object has its own map. */
  readonly #crowded = new Map<string, number>();
  #bytes = 0;

  /** Estimated bytes of all keys. O(1). */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an object with these keys, in this order. `sign` is 1 for a new object, and -1 for a removed one. */
  count(keys: readonly string[], sign: 1 | -1): void {
    const shape = shapeOf(keys);
    const isCrowded =
      this.#crowded.has(shape) || (this.#connected.size >= CONNECTED_SHAPES_MAX && !this.#connected.has(shape));
    const objects = isCrowded ? this.#crowded : this.#connected;
    const known = objects.get(shape);
    const after = sign > 0 ? (known ?? 0) + 1 : must(known, "the number of objects with the keys of a removed one") - 1;
    if (after > 0) objects.set(shape, after);
    else objects.delete(shape);
    const isOnly = after === (sign > 0 ? 1 : 0);
    if (isOnly) this.#bytes += sign * textsBytes(keys);
    if (isCrowded) this.#bytes += sign * (CROWDED_SHAPE_BYTES + keys.length * CROWDED_KEY_BYTES);
    else if (isOnly) this.#bytes += sign * (SHAPE_BYTES + keys.length * KEY_BYTES);
  }
}

/** Upper bound on the bytes of an object's keys, as if no other object had the same keys. */
export function ownKeysBytes(keys: readonly string[]): number {
  return SHAPE_BYTES + keys.length * KEY_BYTES + textsBytes(keys);
}

function textsBytes(keys: readonly string[]): number {
  return keys.reduce((sum, key) => sum + Math.max(KEY_TEXT_BYTES_MIN, textHeapBytes(key)), 0);
}

/** A text that is equal only for the same keys in the same order. */
function shapeOf(keys: readonly string[]): string {
  const written = JSON.stringify(keys);
  return written.length <= SHAPE_UNITS_MAX ? written : hash("sha256", written, "base64");
}

/** A longer shape is replaced by its SHA-256. */
const SHAPE_UNITS_MAX = 64;

/** Bytes of a new list of keys: its entry here, and the map of the frozen object. Measured. */
const SHAPE_BYTES = 300;
/**
 * Bytes per key of a new list: the map that the object had when it got this key (80), and descriptors for the object and its frozen form (48).
 * The rest are places in the lists that loops over keys read. Measured.
 */
const KEY_BYTES = 160;
/** The most maps that may follow one map (`TransitionsAccessor::kMaxNumberOfTransitions`). */
const CONNECTED_SHAPES_MAX = 1_536;
/** Bytes of an object with its own map, and of each of its keys. Measured. */
const CROWDED_SHAPE_BYTES = 160;
const CROWDED_KEY_BYTES = 40;
/** Bytes of a text of up to eight characters. */
const KEY_TEXT_BYTES_MIN = 24;
