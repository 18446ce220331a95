import { must } from "../../model/must.ts";
import type { JsonObject, JsonValue } from "../../model/types.ts";
import { asKey } from "./as-key.ts";

/** Receives the value at a path, which is named by its number. Returns false to end the walk, if no other value is needed. */
export type TakeValue = (path: number, value: JsonValue) => boolean;

/** Possible keys that are probed one by one. With more of them, listing the object's own keys takes less time. */
const PROBES_MAX = 8;

/** Operations to make a place, or to find one by a key with dots: about this many probes. */
const PLACE_OPERATIONS = 32;

/**
 * Reads the values at all dotted paths of a request in one walk through each object.
 *
 * A dot may stand between two keys, or inside a key. The path `a.b.c` is looked up as
 *
 * ```text
 * "a.b.c"     "a.b" > "c"     "a" > "b.c"     "a" > "b" > "c"
 * ```
 *
 * in this order, and `null` is a value. The keys that lead to an inner object, joined by dots, are one place of all paths with that beginning.
 * It does not matter where the dots stand. So a walk enters each object at most once, whatever the number of paths.
 * It takes O(keys of the objects that it enters).
 */
export class DottedPaths {
  readonly #root = new Place("", 0);
  #longest = 0;
  #walks = 0;
  #operations = 0;

  /** @param paths all different; a path's number is its index */
  constructor(paths: readonly string[]) {
    for (const [number, path] of paths.entries()) this.#add(path).path = number;
  }

  /** Passes the value at each path of an object to `take`, in any order. Returns the operations that this took. */
  read(object: JsonObject, take: TakeValue): number {
    this.#walks++;
    this.#walk(object, this.#root, take);
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }

  /** Adds a path, and returns the place at its end. */
  #add(path: string): Place {
    this.#longest = Math.max(this.#longest, path.length);
    const { known } = this.#root;
    const before: Place[] = [];
    let place = this.#root;
    let end = -1;
    let made = 0;
    for (const segment of path.split(".").map(asKey)) {
      before.push(place);
      end += 1 + segment.length;
      const beginning = asKey(path.slice(0, end));
      let next = known.get(beginning)?.next;
      if (next === undefined) {
        made++;
        next = new Place(beginning, before.length);
        known.set(beginning, { key: beginning, next });
        place.known.set(segment, { key: segment, next });
      }
      place = next;
    }
    // The new places are the last ones of the path.
    for (const each of before) each.placesAfter += Math.min(made, before.length - each.depth);
    this.#operations += before.length * PLACE_OPERATIONS;
    return place;
  }

  /** Walks by probing the possible keys. Returns false if the walk has ended. */
  #walk(object: JsonObject, place: Place, take: TakeValue): boolean {
    if (place.placesAfter > PROBES_MAX) return this.#walkListed(object, place, take);
    for (const each of place.keys) {
      this.#operations++;
      if (Object.hasOwn(object, each.key) && !this.#enter(object, each, take)) return false;
    }
    return true;
  }

  /** Walks by listing the object's own keys. Returns false if the walk has ended. */
  #walkListed(object: JsonObject, place: Place, take: TakeValue): boolean {
    const own = Object.keys(object);
    this.#operations += own.length;
    let first: PathKey | undefined;
    const others: PathKey[] = [];
    for (const key of own) {
      const found = place.known.get(key) ?? this.#find(key, place);
      if (found === undefined) continue;
      if (first === undefined) first = found;
      else others.push(found);
    }
    if (first === undefined) return true;
    if (others.length === 0) return this.#enter(object, first, take);
    this.#operations += others.length;
    return inOrder([first, ...others]).every((each) => this.#enter(object, each, take));
  }

  /** Finds a key with dots that leads on from a place and is not known there yet. */
  #find(key: string, place: Place): PathKey | undefined {
    if (place === this.#root || key.length > this.#longest || !key.includes(".")) return undefined;
    this.#operations += PLACE_OPERATIONS;
    const next = this.#root.known.get(`${place.beginning}.${key}`)?.next;
    if (next === undefined) return undefined;
    const found = { key, next };
    place.known.set(key, found);
    return found;
  }

  #enter(object: JsonObject, { key, next }: PathKey, take: TakeValue): boolean {
    const value = object[key];
    if (value === undefined) return true;
    if (next.path !== undefined && next.takenIn !== this.#walks) {
      next.takenIn = this.#walks;
      if (!take(next.path, value)) return false;
    }
    // Only the last key of a path may be empty.
    return next.placesAfter === 0 || key === "" || !isJsonObject(value) || this.#walk(value, next, take);
  }
}

/** A node of the paths: one beginning that they share, which ends at a dot or at the end of a path. */
class Place {
  /** The shared beginning; empty for the root. */
  readonly beginning: string;
  /** Number of segments in the beginning. */
  readonly depth: number;
  /** Number of places that a key may lead to from here. */
  placesAfter = 0;
  /**
   * Known keys of an object here. At the root: every beginning of a path.
   * Elsewhere: keys without dots, and the keys with dots that walks have found.
   */
  readonly known = new Map<string, PathKey>();
  /** The number of the path that ends here. */
  path: number | undefined;
  /** The last walk that took the value of that path. */
  takenIn = 0;
  #keys: readonly PathKey[] | undefined;

  constructor(beginning: string, depth: number) {
    this.beginning = beginning;
    this.depth = depth;
  }

  /** All possible keys of an object here, longest first. Only for places with few. */
  get keys(): readonly PathKey[] {
    this.#keys ??= inOrder(this.depth === 0 ? [...this.known.values()] : this.#keysFrom(""));
    return this.#keys;
  }

  #keysFrom(before: string, keys: PathKey[] = []): PathKey[] {
    for (const { key, next } of this.known.values()) {
      keys.push({ key: asKey(before + key), next });
      next.#keysFrom(`${before}${key}.`, keys);
    }
    return keys;
  }
}

/** A possible key of an object, and the place that it leads to. */
interface PathKey {
  readonly key: string;
  readonly next: Place;
}

/**
 * Sorts keys, longest first: of two keys of one path, the longer leads deeper.
 * Keys are nearly always in order, and checking takes less time than sorting.
 */
function inOrder(keys: PathKey[]): readonly PathKey[] {
  const isInOrder = keys.every(
    ({ next }, at) => at === 0 || next.depth <= must(keys[at - 1], "the key before").next.depth,
  );
  return isInOrder ? keys : keys.sort((a, b) => b.next.depth - a.next.depth);
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
