import type { JsonObject, JsonValue } from "../model/types.ts";

/** Takes the value at a path, which it names by its number. False ends the walk: no other value is needed. */
export type TakeValue = (path: number, value: JsonValue) => boolean;

/** Up to this many possible keys are probed one by one. Where there are more, listing the object's own keys takes less time. */
const PROBES_MAX = 8;

/** Making a place, or finding one by a key with dots, takes as long as about this many probes. */
const PLACE_OPERATIONS = 32;

/**
 * Reads what objects hold at dotted paths, at all of them in one walk through each object.
 *
 * A dot may stand between two keys, or in a key: `a.b.c` is looked for as
 *
 * ```text
 * "a.b.c"     "a.b" > "c"     "a" > "b.c"     "a" > "b" > "c"
 * ```
 *
 * in this order, and `null` is a value. The keys that lead to an inner object, joined by dots, are one place in all paths that
 * begin with them, wherever the dots stand. So a walk comes to each object at most once, whatever the number of paths. It takes
 * O(keys of the objects that it comes to).
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

  /** Has the value at each path of an object taken, in any order. Returns the operations that this took. */
  read(object: JsonObject, take: TakeValue): number {
    this.#walks++;
    this.#walk(object, this.#root, take);
    const operations = this.#operations;
    this.#operations = 0;
    return operations;
  }

  /** The place at the end of a path. */
  #add(path: string): Place {
    this.#longest = Math.max(this.#longest, path.length);
    const { known } = this.#root;
    const before: Place[] = [];
    let place = this.#root;
    let end = -1;
    let made = 0;
    for (const segment of path.split(".")) {
      before.push(place);
      end += 1 + segment.length;
      const beginning = path.slice(0, end);
      let next = known.get(beginning)?.next;
      if (next === undefined) {
        made++;
        next = new Place(beginning, before.length);
        known.set(beginning, { key: beginning, next });
        place.known.set(segment, { key: segment, next });
      }
      place = next;
    }
    // The last ones of the path are those that were made.
    for (const each of before) each.placesAfter += Math.min(made, before.length - each.depth);
    this.#operations += before.length * PLACE_OPERATIONS;
    return place;
  }

  /** False if the walk has ended. */
  #walk(object: JsonObject, place: Place, take: TakeValue): boolean {
    if (place.placesAfter > PROBES_MAX) return this.#walkListed(object, place, take);
    for (const each of place.keys) {
      this.#operations++;
      if (Object.hasOwn(object, each.key) && !this.#enter(object, each, take)) return false;
    }
    return true;
  }

  /** The same by the object's own keys. */
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

  /** A possible key with dots that the place does not know yet. */
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

/** Where paths with the same beginning are, at one of their dots or at their end. */
class Place {
  /** Of the paths: empty before all of them. */
  readonly beginning: string;
  /** Segments of the beginning. */
  readonly depth: number;
  /** Places that a key of an object may lead to from here. */
  placesAfter = 0;
  /** Keys that may stand in an object here: before all paths each, elsewhere those without dots, and with dots those that were found. */
  readonly known = new Map<string, PathKey>();
  /** The path that ends here. */
  path: number | undefined;
  /** The last walk in which the value of that path was taken. */
  takenIn = 0;
  #keys: readonly PathKey[] | undefined;

  constructor(beginning: string, depth: number) {
    this.beginning = beginning;
    this.depth = depth;
  }

  /** All keys that may stand in an object here, the longest first: for places with few. */
  get keys(): readonly PathKey[] {
    this.#keys ??= inOrder(this.depth === 0 ? [...this.known.values()] : this.#keysFrom(""));
    return this.#keys;
  }

  #keysFrom(before: string, keys: PathKey[] = []): PathKey[] {
    for (const { key, next } of this.known.values()) {
      keys.push({ key: before + key, next });
      next.#keysFrom(`${before}${key}.`, keys);
    }
    return keys;
  }
}

/** A key that may stand in an object, and the place that it leads to. */
interface PathKey {
  readonly key: string;
  readonly next: Place;
}

/** The longest first: of two keys of one path, it leads deeper. Nearly always they are in order: asking takes less time than sorting. */
function inOrder(keys: PathKey[]): readonly PathKey[] {
  const isInOrder = keys.every(({ next }, at) => at === 0 || next.depth <= (keys[at - 1]?.next.depth ?? 0));
  return isInOrder ? keys : keys.sort((a, b) => b.next.depth - a.next.depth);
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
