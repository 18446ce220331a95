import { DEFAULT_KEY, type KeyInfo } from "../model/keys.ts";
import { must } from "../model/must.ts";
import type { StoredKey } from "../model/records.ts";
import type { CatalogEntry } from "./catalog-state.ts";
import { DEFAULT_KEY_INFO, keyInfoOf } from "./key-shape.ts";
import { matchesKey, publicIdOf } from "./keys.ts";

/** A key in force, with its bot and its terms. */
export interface KnownKey {
  readonly botId: string;
  readonly stored: StoredKey;
  readonly info: KeyInfo;
}

/** All keys in force, of all bots, and the origins that they list. */
export class KnownKeys {
  readonly #byPublicId = new Map<string, KnownKey>();
  /** Number of keys that list an origin, by origin. */
  readonly #origins = new Map<string, number>();

  enter(entry: CatalogEntry): void {
    for (const key of keysOf(entry)) {
      this.#byPublicId.set(key.stored.publicId, key);
      for (const origin of key.info.origins) this.#origins.set(origin, (this.#origins.get(origin) ?? 0) + 1);
    }
  }

  leave(entry: CatalogEntry): void {
    for (const { stored, info } of keysOf(entry)) {
      this.#byPublicId.delete(stored.publicId);
      for (const origin of info.origins) {
        const left = must(this.#origins.get(origin), "the number of keys with an origin") - 1;
        if (left === 0) this.#origins.delete(origin);
        else this.#origins.set(origin, left);
      }
    }
  }

  /** The key with this text; undefined if there is none. Takes the same time whatever is wrong with the text. */
  find(text: string): KnownKey | undefined {
    const known = this.#byPublicId.get(publicIdOf(text) ?? "");
    return matchesKey(text, known?.stored) ? known : undefined;
  }

  /** Whether any key lists this origin. */
  listsOrigin(origin: string): boolean {
    return this.#origins.has(origin);
  }
}

/** The keys of a bot that are in force: first the key that it was created with, then the others as they were added. */
export function keysOf({ id, key, moreKeys = [] }: CatalogEntry): KnownKey[] {
  const first = key === undefined ? [] : [{ botId: id, stored: key, info: DEFAULT_KEY_INFO }];
  return [...first, ...moreKeys.map((stored) => ({ botId: id, stored, info: keyInfoOf(stored) }))];
}

/** Whether a key of this name is in force. */
export function hasKey(entry: CatalogEntry, name: string): boolean {
  if (name === DEFAULT_KEY) return entry.key !== undefined;
  return entry.moreKeys?.some((key) => key.name === name) ?? false;
}
