import type { IdMaker } from "../articles/identifier.ts";
import { type CatalogEntry, entryOf } from "../catalog/catalog-state.ts";
import type { CatalogStore } from "../catalog/catalog-store.ts";
import { enterBot } from "../catalog/enter-bot.ts";
import { makeKey } from "../catalog/keys.ts";
import { parseSettings } from "../catalog/settings.ts";
import { storeName } from "../catalog/store-names.ts";
import { EMBEDDED_TEXTS_VERSION } from "../index/embedded-texts.ts";
import { searchableIds } from "../log/newest-version.ts";
import { decodeBotRecord } from "../log/record-codec.ts";
import { type BotState, emptyState } from "../log/state.ts";
import { stateFromSections } from "../log/state-sections.ts";
import { understandingInSlices } from "../log/unreadable.ts";
import { FIRST_VECTORS_SECTION, INDEX_SECTION } from "../model/derived-sections.ts";
import { LoredexError } from "../model/errors.ts";
import { A_STRING, type OptionKinds } from "../model/known-options.ts";
import { NO_EMBEDDER } from "../model/options.ts";
import type { CreationRecord } from "../model/records.ts";
import type { Clock, Random } from "../platform/clock.ts";
import { Running } from "../platform/running.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";
import type { Creation, DroppedSection, FirstSnapshot, LoadedSection, Storage, Store } from "../storage/store.ts";
import { botOf, storedChoices } from "./backup.ts";
import { isBesideHistory, keepDerived } from "./backup-derived.ts";
import { type OpenBackup, openBackup } from "./backup-file.ts";
import { holdsInsights, keepQuestions, readQuestions } from "./backup-insights.ts";

/** Options of a restore. */
export interface RestoreOptions {
  /** Restores the backup as another bot, with this name, a new id and a new key. */
  readonly as?: string;
}

export const RESTORE_OPTIONS: OptionKinds<RestoreOptions> = { as: A_STRING };

/** A restored bot. */
export interface RestoredBot {
  readonly entry: CatalogEntry;
  /** The secret text of its key, if the key is new. */
  readonly key?: string;
}

export interface RestorerDeps {
  readonly storage: Storage;
  readonly catalog: CatalogStore;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: Random;
  readonly ids: IdMaker;
  /** Resolves when the removal of a bot is complete. */
  readonly whenGone: (id: string) => Promise<void>;
}

/** A node enters a bot right after it has made its store: after this time, in milliseconds, a store without a bot is a leftover. */
const ENTERED_MS = 10_000;
/** Milliseconds between two looks for such a store. */
const LOOK_MS = 50;

/** Sections of a backup that are rebuilt if they are missing. */
const DERIVED: ReadonlySet<string> = new Set([INDEX_SECTION, FIRST_VECTORS_SECTION]);

/** Restores bots from backups: first the store, durable and verified before it gets its name, then the catalog entry. */
export class Restorer {
  readonly #deps: RestorerDeps;
  /** Ids of bots that are being restored. */
  readonly #running = new Set<string>();
  readonly #restores = new Running();

  constructor(deps: RestorerDeps) {
    this.#deps = deps;
  }

  /** Restores a bot. A failed restore leaves nothing. */
  restore(source: AsyncIterable<Uint8Array>, options: RestoreOptions): Promise<RestoredBot> {
    return this.#restores.add(this.#restore(source, options));
  }

  /** Waits for running restores. */
  settled(): Promise<void> {
    return this.#restores.settled();
  }

  async #restore(source: AsyncIterable<Uint8Array>, { as }: RestoreOptions): Promise<RestoredBot> {
    const backup = await openBackup(source);
    try {
      const { entry, key } = this.#planned(backup, as);
      const { catalog } = this.#deps;
      // Another node may have restored it: its store must not be replaced.
      await catalog.catchUp();
      this.#refuseTaken(entry);
      this.#running.add(entry.id);
      try {
        await this.#deps.whenGone(entry.id);
        const replaces = await this.#isLeftover(entry);
        let state = emptyState();
        // Derived sections never keep a bot from being restored.
        const asked = backup.sections.slice(-1).find(holdsInsights);
        const history = asked === undefined ? backup.sections : backup.sections.slice(0, -1);
        let questions: LoadedSection | undefined;
        const sections = history
          .filter((section) => !isBesideHistory(section))
          .map((section) => ({ ...section, isDerived: DERIVED.has(section.name) }));
        const beside = history.slice(sections.length);
        if (!beside.every(isBesideHistory)) throw inAnotherOrder();
        await this.#create(entry, { sequence: backup.sequence, sections }, replaces, async (store) => {
          state = await readAll(store, new TimeSlices(this.#deps.clock));
          await keepDerived(store, beside);
          questions = asked && (await readQuestions(asked, new TimeSlices(this.#deps.clock)));
          await catalog.catchUp();
          this.#refuseTaken(entry, { isOwn: true });
        });
        await keepQuestions(this.#deps.storage, entry.id, questions).catch(async (error: unknown) => {
          await catalog.removeStore(entry.id).catch(() => undefined);
          throw error;
        });
        // The next start must make missing vectors, even if no question opens the bot.
        const isUnfinished =
          entry.settings.embedder !== NO_EMBEDDER && (entry.unfinished === true || lacksVectors(state));
        await this.#enter(isUnfinished ? { ...entry, unfinished: true } : entry);
      } finally {
        this.#running.delete(entry.id);
      }
      return key === undefined ? { entry } : { entry, key };
    } finally {
      await backup.close();
    }
  }

  /**
   * Whether the bot has a store that belongs to nobody: a leftover of a crashed restore, or of a lost catalog. One that another node has just made
   * is no leftover, and neither is that of a removed bot, which another node is about to delete: both are waited for.
   */
  async #isLeftover(entry: CatalogEntry): Promise<boolean> {
    const { storage, catalog, clock, sleep } = this.#deps;
    if (storage.shared === undefined) return true;
    const endMs = clock.monotonicMs() + ENTERED_MS;
    while (await storage.exists(storeName(entry.id))) {
      await catalog.catchUp();
      this.#refuseTaken(entry, { isOwn: true });
      if (clock.monotonicMs() >= endMs) return true;
      await sleep(LOOK_MS);
    }
    return false;
  }

  async #create(entry: CatalogEntry, first: FirstSnapshot, replaces: boolean, check: Creation["check"]): Promise<void> {
    const { storage, catalog } = this.#deps;
    const name = storeName(entry.id);
    try {
      await storage.create(name, first, { replaces, ...(check && { check }) });
    } catch (error) {
      if (replaces || !(await storage.exists(name).catch(() => false))) throw error;
      await catalog.catchUp();
      this.#refuseTaken(entry, { isOwn: true });
      throw new LoredexError(
        "BOT_EXISTS",
        `The bot ${entry.settings.name} is being restored by another node. Wait for that, or restore it under another name with --as NAME.`,
        { cause: error },
      );
    }
  }

  #planned(backup: OpenBackup, as: string | undefined): { entry: CatalogEntry; key?: string } {
    const { entry } = botOf(backup);
    if (as === undefined) return { entry };
    const { clock, ids, random } = this.#deps;
    const { text, stored } = makeKey(random);
    const settings = parseSettings({ name: as }, entry.settings, storedChoices(entry.settings.embedder));
    const { unfinished } = entry;
    const named = { id: ids.next(), settings, createdAtMs: Math.floor(clock.wallMs()) };
    return { entry: entryOf({ ...named, key: stored, moreKeys: undefined, unfinished }), key: text };
  }

  /** Enters a bot whose store was made. @throws LoredexError `CONFLICT` if another node has just deleted that store, as what was left of a removed bot */
  async #enter(entry: CatalogEntry): Promise<void> {
    const { storage, catalog } = this.#deps;
    // Another bot may have been created meanwhile.
    const { moreKeys, ...bot } = entry;
    const record: CreationRecord =
      moreKeys === undefined ? { kind: "botCreate", ...bot } : { kind: "botCreateWithKeys", ...bot, moreKeys };
    await enterBot(catalog, record, () => this.#refuseTaken(entry, { isOwn: true }));
    // No node deletes the store of a bot that was entered: only before could that happen.
    if (storage.shared === undefined || (await storage.exists(storeName(entry.id)).catch(() => true))) return;
    await catalog.exclusively(() => catalog.commit({ kind: "botRemove", id: entry.id }));
    throw new LoredexError(
      "CONFLICT",
      `The bot ${entry.settings.name} was removed before, and another node has deleted what was left of it meanwhile. Restore it again.`,
    );
  }

  #refuseTaken({ id, settings: { name } }: CatalogEntry, { isOwn = false } = {}): void {
    const { catalog } = this.#deps;
    const known = catalog.find(id);
    if (known !== undefined || (!isOwn && this.#running.has(id))) {
      const called = known === undefined || known.settings.name === name ? "" : `, named ${known.settings.name}`;
      throw new LoredexError(
        "BOT_EXISTS",
        `The bot ${name} of this backup is here already${called}. Restore it under another name with --as NAME, or remove that one first.`,
      );
    }
    if (catalog.find(name) === undefined) return;
    throw new LoredexError(
      "BOT_EXISTS",
      `There is another bot named ${name}. Restore the backup under another name with --as NAME.`,
    );
  }
}

/** Reads the restored store as a start would, so that a bot of a newer version is refused now. */
async function readAll(store: Store, slices: TimeSlices): Promise<BotState> {
  let state = emptyState();
  await store.recover({
    snapshot: async (snapshot) => {
      const [damage] = snapshot.dropped ?? [];
      if (damage !== undefined) throw notReadAgain(damage);
      const read = stateFromSections(snapshot);
      state = await slices.run(understandingInSlices("The backup", read, "Nothing was restored; use another backup."));
    },
    record: (sequence, payload) => {
      decodeBotRecord(sequence, payload);
      return slices.yieldIfOver();
    },
  });
  return state;
}

function inAnotherOrder(): LoredexError {
  const message =
    "The backup is damaged: its sections stand in another order. Nothing was restored; use another backup.";
  return new LoredexError("CORRUPT", message);
}

/** The error for a damaged derived section. A start would continue without it, but bytes that were just written must be whole. */
function notReadAgain({ reason }: DroppedSection): LoredexError {
  const what = `What was restored cannot be read again (${reason})`;
  return new LoredexError("STORAGE_FAILED", `${what}: nothing was kept of it. Check the disk, then restore again.`);
}

/** Whether any document lacks vectors under the current text rules. A document with some of its vectors does not count: the bot was `unfinished` then. */
function lacksVectors(state: BotState): boolean {
  for (const id of searchableIds(state)) if (state.vectors.get(id)?.texts !== EMBEDDED_TEXTS_VERSION) return true;
  return false;
}
