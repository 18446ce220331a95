import { hash } from "node:crypto";
import { textHeapBytes } from "../platform/heap-bytes.ts";

/**
 * Bytes of the keys of objects, beside the objects. V8 keeps keys once for all objects that got the same keys in the same order: in a map, or "hidden class".
 * Shared keys take next to nothing; keys that one article alone has take some 200 bytes each. Counting tells which is the case.
 */
export class KeyShapes {
  /** Number of objects by their keys, of keys whose map V8 shares between these objects. */
  readonly #connected = new Map<string, number>();
  /** The same of keys that came when there were too many others: each of these objects has its own map. */
  readonly #crowded = new Map<string, number>();
  #bytes = 0;

  /** At hand at any time. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Counts an object with these keys, in this order: `1` for one that comes, `-1` for one that goes. */
  count(keys: readonly string[], sign: 1 | -1): void {
    const shape = shapeOf(keys);
    const isCrowded =
      this.#crowded.has(shape) || (this.#connected.size >= CONNECTED_SHAPES_MAX && !this.#connected.has(shape));
    const objects = isCrowded ? this.#crowded : this.#connected;
    const after = (objects.get(shape) ?? 0) + sign;
    if (after > 0) objects.set(shape, after);
    else objects.delete(shape);
    const isOnly = after === (sign > 0 ? 1 : 0);
    if (isOnly) this.#bytes += sign * textsBytes(keys);
    if (isCrowded) this.#bytes += sign * (CROWDED_SHAPE_BYTES + keys.length * CROWDED_KEY_BYTES);
    else if (isOnly) this.#bytes += sign * (SHAPE_BYTES + keys.length * KEY_BYTES);
  }
}

/** The most bytes that the keys of an object take: as if no other object had the same. */
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

/** Longer texts are replaced by a digest. */
const SHAPE_UNITS_MAX = 64;

/** A list of keys that is new: its entry here, and the map of the frozen object. Measured. */
const SHAPE_BYTES = 300;
/**
 * A key of such a list: the map that the object had when it got this key (80), descriptors for the object and its frozen form (48), and places in the lists that loops
 * over keys read. Measured.
 */
const KEY_BYTES = 160;
/** The most maps that may follow one map (`TransitionsAccessor::kMaxNumberOfTransitions`). */
const CONNECTED_SHAPES_MAX = 1_536;
/** An object with its own map, and each of its keys. Measured. */
const CROWDED_SHAPE_BYTES = 160;
const CROWDED_KEY_BYTES = 40;
/** A text of up to eight characters. */
const KEY_TEXT_BYTES_MIN = 24;
