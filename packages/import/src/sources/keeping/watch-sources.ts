import { setTimeout as wait } from "node:timers/promises";
import { kinds, LoredexError, requireArguments } from "@loredex/core";
import { A_TARGET, type ImportTarget } from "../importing/import-target.ts";
import { patientTarget } from "../importing/while-short.ts";
import { SYNC_SOURCES_OPTIONS, type SyncedSource, type SyncSourcesOptions } from "./sync-sources.ts";
import { Watch } from "./watch.ts";

const LOOK_MS_DEFAULT = 2_000;
/** Maximum share of time for checking files. */
const LOOKING_SHARE_MAX = 0.05;
const TROUBLE_MS = 30_000;

export interface WatchSourcesOptions extends Omit<SyncSourcesOptions, "source" | "unattended" | "signal"> {
  /** Names of the sources to watch; default: all, also later ones. */
  readonly sources?: readonly string[];
  /** Names of watched sources that were just imported. Their addresses are fetched when they are due, and not at once. */
  readonly justBrought?: readonly string[];
  /** Ends the watch, and aborts the running imports. */
  readonly signal: AbortSignal;
  /** Milliseconds between two checks of files and folders, or more if a check takes long. Default 2,000. */
  readonly lookMs?: number;
  /** Milliseconds between two fetches of an address. Default 3,600,000. */
  readonly addressMs?: number;
  /** Called once, when it is known that there is something to watch. */
  readonly onWatching?: () => void;
  /** Called with the result of each synced source: once for its files on the disk, and once for its addresses. */
  readonly onSynced?: (synced: SyncedSource) => void;
  /** Waits, and resolves early when the signal aborts. Tests replace it. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** A monotonic clock in milliseconds, from any origin. */
  readonly nowMs?: () => number;
  /** Called when a check or an import fails, as for a full disk or a missing server. The watch continues half a minute later. */
  readonly onTrouble?: (error: unknown) => void;
}

const { source: _, unattended: __, signal: ___, ...OF_EACH } = SYNC_SOURCES_OPTIONS;
const WATCH_SOURCES_OPTIONS: kinds.OptionKinds<WatchSourcesOptions> = {
  ...OF_EACH,
  sources: kinds.listOf(kinds.A_STRING, "a list of names"),
  justBrought: kinds.listOf(kinds.A_STRING, "a list of names"),
  // Only the signal ends a watch.
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
 * Keeps sources in step with their places until the signal aborts. It begins with {@link syncSources} for all. Then it syncs each source that has changed, once
 * two checks of it are equal: so a file is not taken while it is written. Addresses are fetched again at intervals, and only work at the same host waits for
 * them. A folder that is suddenly empty, as one whose disk is missing, removes nothing.
 * @throws ValidationError for an argument or an option that is unknown or of a wrong kind. LoredexError `SOURCE_NOT_FOUND` if `sources` names none with a
 * place. Without `onTrouble`, also the errors that it would be called with.
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
