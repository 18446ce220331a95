import { isId } from "../articles/identifier.ts";
import type { CatalogEntry } from "../catalog/catalog-state.ts";
import { storedKey, storedNamedKey } from "../catalog/key-shape.ts";
import { parseSettings, type SettingsChoices, settingsOfToday } from "../catalog/settings.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import { A_BOOLEAN, AN_ASYNC_ITERABLE, type OptionKinds } from "../model/known-options.ts";
import type { StoredNamedKey } from "../model/records.ts";
import { requireArguments } from "../model/require-options.ts";
import type { FirstSnapshot } from "../storage/store.ts";
import { type DerivedData, derivedSections, isBesideHistory } from "./backup-derived.ts";
import { encodeBackup, type OpenBackup, openBackup, readThrough } from "./backup-file.ts";

/** What a backup says about itself. */
export interface BackupInfo {
  /** The bot of which it is. */
  readonly bot: { readonly id: string; readonly name: string };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** Bytes of token codes and of the graph, which a backup has only with {@link BackupOptions.withDerived}. */
  readonly derivedBytes: number;
}

/** The bot as it was when its backup was taken. */
export interface BackedUpBot {
  readonly entry: CatalogEntry;
  readonly takenAtMs: number;
}

/** What goes into a backup. */
export interface BackupOptions {
  /**
   * Whether it holds the token codes and the graph of the bot too, so that a restored bot answers at once as before. They are made again otherwise, which takes an encoder as long as the
   * first time. Waits for the bot's embedder to be opened; without it there are no token codes in the backup. Default false.
   */
  readonly withDerived?: boolean;
}

export const BACKUP_OPTIONS: OptionKinds<BackupOptions> = { withDerived: A_BOOLEAN };

/** A backup of a bot as it is at the call, as bytes that are made while they are read. */
export function backupOf(
  entry: CatalogEntry,
  { sequence, sections }: FirstSnapshot,
  takenAtMs: number,
  derived: DerivedData = {},
): AsyncGenerator<Uint8Array> {
  const about: BackedUpBot = { entry, takenAtMs };
  // Without a record there is nothing but what the catalog knows.
  const all = sequence === 0 ? [] : [...sections, ...derivedSections(derived)];
  return encodeBackup(about, { sequence, sections: all });
}

/**
 * Reads a whole backup, and says whose it is.
 * @throws LoredexError `CORRUPT` if it is cut off or was changed, `UNSUPPORTED_FORMAT` if a newer version wrote it
 */
export async function checkBackup(source: AsyncIterable<Uint8Array>): Promise<BackupInfo> {
  requireArguments("checkBackup", { source }, { source: AN_ASYNC_ITERABLE });
  const backup = await openBackup(source);
  try {
    const { entry, takenAtMs } = botOf(backup);
    const derivedBytes = await readThrough(backup, isBesideHistory);
    return {
      bot: { id: entry.id, name: entry.settings.name },
      takenAt: new Date(takenAtMs).toISOString(),
      derivedBytes,
    };
  } finally {
    await backup.close();
  }
}

/** The bot that a backup is of. @throws LoredexError `UNSUPPORTED_FORMAT` if it cannot be a bot of this version */
export function botOf({ about }: OpenBackup): BackedUpBot {
  try {
    return parseAbout(about);
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof TypeError)) throw error;
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `The backup is of a bot that this version of Loredex cannot have: ${error.message}. Restore it with the version that wrote it.`,
    );
  }
}

function parseAbout(about: unknown): BackedUpBot {
  const { entry, takenAtMs } = fieldsOf(about);
  const { id, settings: stored, createdAtMs, key, moreKeys, unfinished } = fieldsOf(entry);
  const { embedder, ...rest } = fieldsOf(stored);
  const settings = settingsOfToday({ ...rest, embedder });
  if (typeof id !== "string" || !isId(id)) throw new TypeError("it has no id");
  // Each setting must be given, so the ones known before count for nothing.
  const none = { name: "", quotaCharacters: -1, rateCharactersPerMinute: -1, language: "" };
  return {
    entry: {
      id,
      settings: parseSettings(settings, none, storedChoices(settings.embedder)),
      createdAtMs: timeOf(createdAtMs),
      ...(key === undefined ? {} : { key: storedKey(key) }),
      ...namedKeysOf(moreKeys),
      ...(unfinished === true ? { unfinished } : {}),
    },
    takenAtMs: timeOf(takenAtMs),
  };
}

/** A bot keeps its sizes and the embedder that it had: where that is not known, it is found by words. */
export function storedChoices(embedder: unknown): SettingsChoices {
  return { embedders: [], bytesMin: 0, embedderFor: () => String(embedder) };
}

/** Two of one name would leave one that nobody can revoke. */
function namedKeysOf(value: unknown): { readonly moreKeys?: readonly StoredNamedKey[] } {
  if (value === undefined) return {};
  if (!Array.isArray(value) || value.length === 0) throw new TypeError("its keys are none");
  const moreKeys = value.map(storedNamedKey);
  if (new Set(moreKeys.map(({ name }) => name)).size < moreKeys.length)
    throw new TypeError("two of its keys have one name");
  return { moreKeys };
}

function timeOf(value: unknown): number {
  // The last instant that a Date can be.
  if (Number.isSafeInteger(value) && Math.abs(Number(value)) <= 8.64e15) return Number(value);
  throw new TypeError("a time is none");
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new TypeError("its description is not complete");
  return { ...value };
}
