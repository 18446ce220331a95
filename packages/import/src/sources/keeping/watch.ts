import type { SourceInfo } from "@loredex/core";
import { KnownFiles } from "../belonging/known-files.ts";
import { hasPlace } from "../belonging/target.ts";
import type { ImportTarget } from "../importing/import-target.ts";
import { fingerprint } from "./fingerprint.ts";
import { Lanes } from "./lanes.ts";
import { type SyncedSource, Syncing, type SyncSourcesOptions } from "./sync-sources.ts";

const ADDRESS_MS_DEFAULT = 3_600_000;

export interface WatchDeps extends Omit<SyncSourcesOptions, "source" | "unattended"> {
  readonly sources?: readonly string[];
  readonly justBrought?: readonly string[];
  readonly signal: AbortSignal;
  readonly addressMs?: number;
  readonly nowMs?: () => number;
  readonly onSynced?: (synced: SyncedSource) => void;
  readonly onTrouble: (error: unknown) => void;
  /** Milliseconds after which a failed part is tried again. */
  readonly troubleMs: number;
}

/** Fingerprints of a part: at its last sync, and at the last check since. */
interface Watched {
  readonly syncedState: string;
  readonly lastState: string;
  readonly syncedAtMs: number;
}

export interface Round {
  /** Number of watched parts of sources. */
  readonly watched: number;
  readonly lookingMs: number;
}

/**
 * Watches sources in parts: files on the disk, and addresses. Each round checks every part, and syncs each part on its own, so that nothing on the disk waits
 * for a site.
 */
export class Watch {
  readonly #bot: ImportTarget;
  readonly #options: WatchDeps;
  readonly #nowMs: () => number;
  readonly #watched = new Map<string, Watched>();
  /** The end of the rest of a part. */
  readonly #restingMs = new Map<string, number>();
  readonly #lanes = new Lanes();
  /** Known files, shared by all parts. */
  readonly #known: KnownFiles;
  readonly #changing = new Set<WatchedPart>();
  #isBegun = false;

  constructor(bot: ImportTarget, options: WatchDeps) {
    this.#bot = bot;
    this.#options = options;
    this.#known = new KnownFiles(bot);
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Checks every part once, and starts syncing those that are due, without waiting for the end. */
  async round(): Promise<Round> {
    const { sources: only, signal } = this.#options;
    const beganMs = this.#nowMs();
    const all = await this.#bot.listSources();
    const wanted = only === undefined ? all : all.filter(({ name }) => only.includes(name));
    const parts = wanted.flatMap(partsOf);
    for (const part of parts) {
      if (!signal.aborted && !this.#lanes.has(part.key) && !this.#isResting(part)) await this.#check(part);
    }
    this.#isBegun = true;
    return { watched: parts.length, lookingMs: this.#nowMs() - beganMs };
  }

  /** Resolves when no part is being synced. */
  whenIdle(): Promise<void> {
    return this.#lanes.whenEmpty();
  }

  async #check(part: WatchedPart): Promise<void> {
    const state = part.isAtAddress ? "" : await stateOf(part.source);
    const before = this.#watched.get(part.key);
    if (before === undefined && part.isAtAddress && this.#isFresh(part)) {
      this.#watched.set(part.key, { syncedState: state, lastState: state, syncedAtMs: this.#nowMs() });
    } else if (before !== undefined && !this.#isDue(part, before, state)) {
      this.#watched.set(part.key, { ...before, lastState: state });
    } else this.#lanes.start(part.key, hostsOf(part), () => this.#bring(part, state));
  }

  /** True if the caller has just imported the part, and no error has kept this watch from it. */
  #isFresh({ key, source: { name } }: WatchedPart): boolean {
    if (this.#restingMs.has(key)) return false;
    return this.#isBegun || this.#options.justBrought?.includes(name) === true;
  }

  #isDue({ isAtAddress }: WatchedPart, { syncedState, lastState, syncedAtMs }: Watched, state: string): boolean {
    const { addressMs = ADDRESS_MS_DEFAULT } = this.#options;
    if (isAtAddress) return this.#nowMs() - syncedAtMs >= addressMs;
    return state !== syncedState && state === lastState;
  }

  #isResting({ key }: WatchedPart): boolean {
    return this.#nowMs() < (this.#restingMs.get(key) ?? 0);
  }

  /** Never rejects. */
  async #bring(part: WatchedPart, state: string): Promise<void> {
    const { signal, onSource, onSynced, onTrouble, troubleMs } = this.#options;
    if (signal.aborted) return;
    onSource?.(part.source.name);
    try {
      await this.#known.update(new Set([...this.#changing].map(({ source }) => source.name)));
      this.#changing.add(part);
      // The part has waited in its lane: meanwhile it may have changed, or be gone.
      const now = this.#known.sources.find(({ name }) => name === part.source.name);
      const left = now === undefined ? undefined : partOf(now, part.isAtAddress);
      const syncing = new Syncing(this.#bot, this.#options, this.#known);
      if (left !== undefined) onSynced?.(await syncing.sync(left.source));
      // The check is older than the import, so the next check notices changes since then.
      this.#watched.set(part.key, { syncedState: state, lastState: state, syncedAtMs: this.#nowMs() });
    } catch (error) {
      if (signal.aborted) return;
      this.#restingMs.set(part.key, this.#nowMs() + troubleMs);
      onTrouble(error);
    } finally {
      this.#changing.delete(part);
    }
  }
}

async function stateOf({ arguments: all }: SourceInfo): Promise<string> {
  const states = all.map(async (argument) => `${argument.path}\n${await fingerprint(argument)}`);
  return (await Promise.all(states)).join("\n");
}

/** The part of a source on the disk, or the part at addresses. Neither becomes the other, so each can be synced alone. */
interface WatchedPart {
  readonly key: string;
  /** The source with the arguments of this part. */
  readonly source: SourceInfo;
  readonly isAtAddress: boolean;
}

/** Returns the parts of a source that can be checked again. */
function partsOf(source: SourceInfo): WatchedPart[] {
  return [partOf(source, false), partOf(source, true)].filter((part) => part !== undefined);
}

/** Returns a part of a source; undefined if the source has nothing there. */
function partOf(source: SourceInfo, isAtAddress: boolean): WatchedPart | undefined {
  const all = source.arguments.filter((one) => (one.kind === "address") === isAtAddress && hasPlace(one));
  if (all.length === 0) return undefined;
  return {
    key: `${isAtAddress ? "addresses" : "files"} of ${source.name}`,
    source: { ...source, arguments: all },
    isAtAddress,
  };
}

/** The hosts that the part is fetched from; none for the disk. */
function hostsOf({ source, isAtAddress }: WatchedPart): ReadonlySet<string> {
  return new Set(isAtAddress ? source.arguments.map(({ path }) => hostOf(path)) : []);
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}
