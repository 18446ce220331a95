import { LoredexError, ValidationError } from "../model/errors.ts";
import { DEFAULT_KEY } from "../model/keys.ts";
import { BOT_KEYS_MAX } from "../model/limits.ts";
import type { CatalogRecord, StoredNamedKey } from "../model/records.ts";
import type { Random } from "../platform/clock.ts";
import type { CatalogEntry } from "./catalog-state.ts";
import type { CatalogStore } from "./catalog-store.ts";
import type { KeyTerms } from "./key-shape.ts";
import { makeKey } from "./keys.ts";
import { hasKey } from "./known-keys.ts";

/** A change of a bot's keys, decided on the keys that the bot has: its record, and the text of the new key. */
export interface KeyChange {
  readonly record: CatalogRecord;
  readonly text: string;
}

/** The change that adds a key. @throws LoredexError `KEY_EXISTS`, ValidationError if the bot has {@link BOT_KEYS_MAX} keys */
export function addedKey(entry: CatalogEntry, terms: KeyTerms, random: Random): KeyChange {
  const { name } = terms;
  if (hasKey(entry, name)) {
    throw new LoredexError(
      "KEY_EXISTS",
      `The bot ${entry.settings.name} has a key named ${name} already; choose another name.`,
    );
  }
  // The key that the bot was created with counts, whether or not it is in force.
  if ((entry.moreKeys?.length ?? 0) + 1 >= BOT_KEYS_MAX) {
    const message = `a bot has at most ${BOT_KEYS_MAX} keys, ${DEFAULT_KEY} among them: revoke one first`;
    throw new ValidationError([{ field: "name", type: "maxItems", message }]);
  }
  const { text, stored } = makeKey(random);
  return { text, record: { kind: "namedKeySet", id: entry.id, name, key: { ...terms, ...stored } } };
}

/** The change that gives a key a new secret. A revoked first key of the bot is in force again by it. @throws LoredexError `KEY_NOT_FOUND` */
export function rotatedKey(entry: CatalogEntry, name: string, random: Random): KeyChange {
  const { text, stored } = makeKey(random);
  const { id } = entry;
  if (name === DEFAULT_KEY) return { text, record: { kind: "keySet", id, key: stored } };
  return { text, record: { kind: "namedKeySet", id, name, key: { ...named(entry, name), ...stored } } };
}

/** The record that revokes a key. @throws LoredexError `KEY_NOT_FOUND` */
export function revokedKey(entry: CatalogEntry, name: string): CatalogRecord {
  const { id } = entry;
  if (name === DEFAULT_KEY) return { kind: "keySet", id };
  named(entry, name);
  return { kind: "namedKeySet", id, name };
}

function named({ moreKeys = [], settings }: CatalogEntry, name: string): StoredNamedKey {
  const key = moreKeys.find((known) => known.name === name);
  if (key !== undefined) return key;
  throw new LoredexError("KEY_NOT_FOUND", `The bot ${settings.name} has no key named ${name}.`);
}

/** Commits a change. Resolves with the new key's text when the key is in force. */
export async function issueKey(catalog: CatalogStore, { record, text }: KeyChange): Promise<string> {
  await catalog.commit(record);
  return text;
}
