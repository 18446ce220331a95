import { isId } from "../articles/identifier.ts";
import { type CatalogEntry, entryOf } from "../catalog/catalog-state.ts";
import { storedKey, storedNamedKey } from "../catalog/key-shape.ts";
import { parseSettings, type SettingsChoices, settingsOfToday } from "../catalog/settings.ts";
import { LoredexError, ValidationError } from "../model/errors.ts";
import { A_BOOLEAN, AN_ASYNC_ITERABLE, type OptionKinds } from "../model/known-options.ts";
import type { StoredNamedKey } from "../model/records.ts";
import { requireArguments } from "../model/require-options.ts";
import type { Held } from "../platform/open-on-demand.ts";
import type { FirstSnapshot, SnapshotSection } from "../storage/store.ts";
import { type DerivedData, derivedSections, isBesideHistory } from "./backup-derived.ts";
import { encodeBackup, type OpenBackup, openBackup, readThrough } from "./backup-file.ts";

/** The description of a backup. */
export interface BackupInfo {
  /** The backed up bot. */
  readonly bot: { readonly id: string; readonly name: string };
  /** ISO 8601, UTC. */
  readonly takenAt: string;
  /** Bytes of token codes and the graph, which only a backup with {@link BackupOptions.withDerived} has. */
  readonly derivedBytes: number;
}

/** A bot at the time of its backup. */
export interface BackedUpBot {
  readonly entry: CatalogEntry;
  readonly takenAtMs: number;
}

/** Options of a backup. */
export interface BackupOptions {
  /**
   * Whether the backup includes the token codes and the graph, so that a restored bot answers at once as before. Without them a restore
   * rebuilds them, which takes an encoder as long as the first time. The backup waits until the bot's embedder is open; without an
   * embedder it has no token codes. Default false.
   */
  readonly withDerived?: boolean;
  /** Whether the backup includes what the bot's users asked, masked as it is kept, with golden questions and runs. Default false. */
  readonly withQuestions?: boolean;
}

export const BACKUP_OPTIONS: OptionKinds<BackupOptions> = {
  withDerived: A_BOOLEAN,
  withQuestions: A_BOOLEAN,
};

/** What an open bot gives for its backup. */
interface BotContents {
  contents(): FirstSnapshot;
  derived(): Promise<DerivedData>;
}

/** Makes a backup of a bot in its state now. The bytes are made while they are read, and the bot stays open until the last one. */
export async function beginBackup(
  hold: () => Promise<Held<BotContents>>,
  about: () => BackedUpBot,
  { withDerived = false, withQuestions = false }: BackupOptions,
  questions: () => Promise<readonly SnapshotSection[]>,
): Promise<AsyncGenerator<Uint8Array>> {
  const { value, release } = await hold();
  try {
    const derived = withDerived ? await value.derived() : {};
    const asked = withQuestions ? await questions() : [];
    const { sequence, sections } = value.contents();
    // A bot without records has only its catalog entry.
    const all = [...(sequence === 0 ? [] : [...sections, ...derivedSections(derived)]), ...asked];
    return released(encodeBackup(about(), { sequence, sections: all }), release);
  } catch (error) {
    release();
    throw error;
  }
}

async function* released(bytes: AsyncIterable<Uint8Array>, release: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } finally {
    release();
  }
}

/**
 * Verifies a whole backup, and describes it.
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

/** The bot of a backup. @throws LoredexError `UNSUPPORTED_FORMAT` if it cannot be a bot of this version */
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
  const settings = settingsOfToday(fieldsOf(stored));
  if (typeof id !== "string" || !isId(id)) throw new TypeError("it has no id");
  // Invalid previous settings, so that each setting must be in the backup.
  const none = { name: "", quotaCharacters: -1, rateCharactersPerMinute: -1, language: "" };
  return {
    entry: entryOf({
      id,
      settings: parseSettings(settings, none, storedChoices(settings.embedder)),
      createdAtMs: timeOf(createdAtMs),
      key: key === undefined ? undefined : storedKey(key),
      moreKeys: moreKeys === undefined ? undefined : namedKeysOf(moreKeys),
      unfinished: unfinished === true ? true : undefined,
    }),
    takenAtMs: timeOf(takenAtMs),
  };
}

/** Choices that accept stored settings: any sizes, and the stored embedder. If this engine does not know it, BM25 alone finds passages. */
export function storedChoices(embedder: unknown): SettingsChoices {
  return { embedders: [], bytesMin: 0, embedderFor: () => String(embedder) };
}

/** The named keys of a bot. Duplicate names are refused, since one of two equal names could not be revoked. */
function namedKeysOf(value: unknown): readonly StoredNamedKey[] {
  if (!Array.isArray(value) || value.length === 0) throw new TypeError("its keys are none");
  const moreKeys = value.map(storedNamedKey);
  if (new Set(moreKeys.map(({ name }) => name)).size < moreKeys.length)
    throw new TypeError("two of its keys have one name");
  return moreKeys;
}

function timeOf(value: unknown): number {
  // The last instant of a Date.
  if (Number.isSafeInteger(value) && Math.abs(Number(value)) <= 8.64e15) return Number(value);
  throw new TypeError("a time is none");
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw new TypeError("its description is not complete");
  return { ...value };
}
