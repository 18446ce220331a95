import { setTimeout as wait } from "node:timers/promises";
import type { SourceInfo } from "@loredex/core";
import type { ImportTarget } from "../importing/import-target.ts";
import { fingerprint } from "./fingerprint.ts";
import { type SyncedSource, type SyncSourcesOptions, syncSources } from "./sync-sources.ts";

const LOOK_MS_DEFAULT = 2_000;
const ADDRESS_MS_DEFAULT = 3_600_000;
/** Looking takes at most this share of the time. */
const LOOKING_SHARE_MAX = 0.05;
const TROUBLE_MS = 30_000;

export interface WatchSourcesOptions extends Omit<SyncSourcesOptions, "source" | "unattended"> {
  /** Names of the sources to watch; default: all, also those that come later. */
  readonly sources?: readonly string[];
  /** Ends the watch; what is being brought is brought to its end first. */
  readonly signal: AbortSignal;
  /** Milliseconds between two looks at files and folders, or more where looking takes long. Default 2,000. */
  readonly lookMs?: number;
  /** Milliseconds after which what lies at an address is fetched again. Default 3,600,000. */
  readonly addressMs?: number;
  /** Told what came of each source that was brought up to date. */
  readonly onSynced?: (synced: SyncedSource) => void;
  /** Waits, and resolves early when the signal says so. Tests give another one. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds from any beginning, never running backwards. */
  readonly nowMs?: () => number;
  /** Told what kept a look or an import from its end, as a full disk or a server that is not there: it goes on half a minute later. */
  readonly onTrouble?: (error: unknown) => void;
}

/** How a source looked when it was last brought up to date, and at the last look since. */
interface Watched {
  readonly syncedLook: string;
  readonly lastLook: string;
  readonly syncedAtMs: number;
}

/**
 * Keeps sources in step with where they lie until the signal ends it: first all are brought up to date as {@link syncSources} does, then each
 * that looks different, once two looks at it are alike: so a file is not taken while it is being written. What lies at an
 * address is fetched again now and then. A folder that is empty all of a sudden, as one whose disk is not there, removes nothing.
 * @throws what `onTrouble` is not there for
 */
export async function watchSources(bot: ImportTarget, options: WatchSourcesOptions): Promise<void> {
  const { signal, onTrouble, lookMs = LOOK_MS_DEFAULT, pause = paused } = options;
  const watch = new Watch(bot, options);
  while (!signal.aborted) {
    let lookingMs = 0;
    try {
      lookingMs = await watch.round();
    } catch (error) {
      if (onTrouble === undefined) throw error;
      onTrouble(error);
      lookingMs = TROUBLE_MS * LOOKING_SHARE_MAX;
    }
    await pause(Math.max(lookMs, lookingMs / LOOKING_SHARE_MAX), signal);
  }
}

class Watch {
  readonly #bot: ImportTarget;
  readonly #options: WatchSourcesOptions;
  readonly #nowMs: () => number;
  readonly #watched = new Map<string, Watched>();

  constructor(bot: ImportTarget, options: WatchSourcesOptions) {
    this.#bot = bot;
    this.#options = options;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Looks at every source once. Resolves with the milliseconds that this took, without what was brought. */
  async round(): Promise<number> {
    const { sources: only, signal } = this.#options;
    const beganMs = this.#nowMs();
    const all = (await this.#bot.listSources()).filter(({ arguments: { length } }) => length > 0);
    let syncingMs = 0;
    for (const source of only === undefined ? all : all.filter(({ name }) => only.includes(name))) {
      if (signal.aborted) break;
      syncingMs += await this.#look(source);
    }
    return this.#nowMs() - beganMs - syncingMs;
  }

  /** Resolves with the milliseconds in which it was brought up to date; 0 where it was not. */
  async #look(source: SourceInfo): Promise<number> {
    const { addressMs = ADDRESS_MS_DEFAULT } = this.#options;
    const { name } = source;
    const look = await lookAt(source);
    const before = this.#watched.get(name);
    const beganMs = this.#nowMs();
    if (before !== undefined && !isDue(source, before, { look, atMs: beganMs, addressMs })) {
      this.#watched.set(name, { ...before, lastLook: look });
      return 0;
    }
    const synced = await syncSources(this.#bot, { ...this.#options, source: name });
    for (const one of synced) this.#options.onSynced?.(one);
    // The look is older than the import: what changed meanwhile looks different at the next one.
    this.#watched.set(name, { syncedLook: look, lastLook: look, syncedAtMs: this.#nowMs() });
    return this.#nowMs() - beganMs;
  }
}

function isDue(
  source: SourceInfo,
  { syncedLook, lastLook, syncedAtMs }: Watched,
  { look, atMs, addressMs }: { readonly look: string; readonly atMs: number; readonly addressMs: number },
): boolean {
  const isStale = atMs - syncedAtMs >= addressMs && source.arguments.some(({ kind }) => kind === "address");
  return isStale || (look !== syncedLook && look === lastLook);
}

async function lookAt({ arguments: all }: SourceInfo): Promise<string> {
  const looks = all.map(async ({ kind, path }) => `${path}\n${kind === "address" ? "" : await fingerprint(path)}`);
  return (await Promise.all(looks)).join("\n");
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal }).catch(() => undefined);
}
