import { setTimeout as wait } from "node:timers/promises";
import { kinds, LoredexError, requireArguments } from "@loredex/core";
import { A_TARGET, type ImportTarget } from "../importing/import-target.ts";
import { patientTarget } from "../importing/while-short.ts";
import { SYNC_SOURCES_OPTIONS, type SyncedSource, type SyncSourcesOptions } from "./sync-sources.ts";
import { Watch } from "./watch.ts";

const LOOK_MS_DEFAULT = 2_000;
/** Looking takes at most this share of the time. */
const LOOKING_SHARE_MAX = 0.05;
const TROUBLE_MS = 30_000;

export interface WatchSourcesOptions extends Omit<SyncSourcesOptions, "source" | "unattended" | "signal"> {
  /** Names of the sources to watch; default: all, also those that come later. */
  readonly sources?: readonly string[];
  /** Of those the names of sources that have just been brought: what lies at addresses is fetched again when it is due, and not at once. */
  readonly justBrought?: readonly string[];
  /** Ends the watch, and what it is bringing as it ends an import. */
  readonly signal: AbortSignal;
  /** Milliseconds between two looks at files and folders, or more where looking takes long. Default 2,000. */
  readonly lookMs?: number;
  /** Milliseconds after which what lies at an address is fetched again. Default 3,600,000. */
  readonly addressMs?: number;
  /** Told once, when it is known that there is something to watch. */
  readonly onWatching?: () => void;
  /** Told what came of each source that was brought up to date: of what it has on the disk, and of what it has at addresses. */
  readonly onSynced?: (synced: SyncedSource) => void;
  /** Waits, and resolves early when the signal says so. Tests give another one. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds from any beginning, never running backwards. */
  readonly nowMs?: () => number;
  /** Told what kept a look or an import from its end, as a full disk or a server that is not there: it goes on half a minute later. */
  readonly onTrouble?: (error: unknown) => void;
}

const { source: _, unattended: __, signal: ___, ...OF_EACH } = SYNC_SOURCES_OPTIONS;
const WATCH_SOURCES_OPTIONS: kinds.OptionKinds<WatchSourcesOptions> = {
  ...OF_EACH,
  sources: kinds.listOf(kinds.A_STRING, "a list of names"),
  justBrought: kinds.listOf(kinds.A_STRING, "a list of names"),
  // Nothing else ends a watch.
  signal: kinds.required(kinds.A_SIGNAL),
  lookMs: kinds.aTimeMs(),
  addressMs: kinds.aTimeMs(),
  onWatching: kinds.A_FUNCTION,
  onSynced: kinds.A_FUNCTION,
  pause: kinds.A_FUNCTION,
  nowMs: kinds.A_FUNCTION,
  onTrouble: kinds.A_FUNCTION,
};

/**
 * Keeps sources in step with where they lie until the signal ends it: first all are brought up to date as {@link syncSources} does, then each
 * that looks different, once two looks at it are alike: so a file is not taken while it is being written. What lies at an
 * address is fetched again now and then, and nothing waits for it but the same host. A folder that is empty all of a sudden, as one whose disk is
 * not there, removes nothing.
 * @throws ValidationError for an argument or an option that is unknown or of a wrong kind, LoredexError `SOURCE_NOT_FOUND` where `sources` names none that lies anywhere, and what `onTrouble` is not there for
 */
export async function watchSources(bot: ImportTarget, options: WatchSourcesOptions): Promise<void> {
  requireArguments("watchSources", { bot, options }, { bot: A_TARGET, options: WATCH_SOURCES_OPTIONS });
  const { onTrouble, lookMs = LOOK_MS_DEFAULT, pause = paused } = options;
  const end = new AbortController();
  const signal = AbortSignal.any([options.signal, end.signal]);
  let failure: { readonly error: unknown } | undefined;
  const trouble = (error: unknown): void => {
    if (onTrouble !== undefined) onTrouble(error);
    else {
      failure ??= { error };
      end.abort();
    }
  };
  const watch = new Watch(patientTarget(bot, { signal, onWait: options.onWait }), {
    ...options,
    signal,
    onTrouble: trouble,
    troubleMs: TROUBLE_MS,
  });
  let isBegun = false;
  while (!signal.aborted) {
    let lookingMs = 0;
    try {
      const round = await watch.round();
      if (!isBegun) requireSomething(round.watched, options);
      if (!isBegun) options.onWatching?.();
      isBegun = true;
      ({ lookingMs } = round);
    } catch (error) {
      if (error instanceof NothingToWatch) throw error;
      trouble(error);
      lookingMs = TROUBLE_MS * LOOKING_SHARE_MAX;
    }
    if (!signal.aborted) await pause(Math.max(lookMs, lookingMs / LOOKING_SHARE_MAX), signal);
  }
  await watch.whenIdle();
  if (failure !== undefined) throw failure.error;
}

class NothingToWatch extends LoredexError {}

/** @throws NothingToWatch */
function requireSomething(watched: number, { sources }: WatchSourcesOptions): void {
  if (watched > 0 || sources === undefined) return;
  const message =
    "There is nothing to watch: what was named has brought nothing that lies in a folder, in a file or at an address.";
  throw new NothingToWatch("SOURCE_NOT_FOUND", message);
}

function paused(ms: number, signal: AbortSignal): Promise<void> {
  return wait(ms, undefined, { signal }).catch(() => undefined);
}
