import { kinds, LoredexError, requireArguments, type SourceInfo } from "@loredex/core";
import { KnownFiles } from "../belonging/known-files.ts";
import { sourceNamed } from "../belonging/moved-place.ts";
import { isOfPath } from "../belonging/plan.ts";
import { hasPlace, keyOfArgument, STDIN } from "../belonging/target.ts";
import { importArguments } from "../importing/import-arguments.ts";
import { IMPORT_SOURCES_OPTIONS, type ImportReport, type ImportSourcesOptions } from "../importing/import-options.ts";
import { A_TARGET, type ImportTarget } from "../importing/import-target.ts";
import { patientTarget } from "../importing/while-short.ts";
import { KEPT_OPTIONS, optionsOf } from "../reading/settings.ts";

export interface SyncSourcesOptions
  extends Pick<ImportSourcesOptions, "onProblem" | "onWait" | "botName" | "machine" | "unattended" | "signal"> {
  /** Name of the only source to sync; default: all. */
  readonly source?: string;
  /** Called before each source. */
  readonly onSource?: (source: string) => void;
  /** Called after each document with the number of durable documents and of begun files or pages, of all sources together. */
  readonly onProgress?: (done: number, files: number) => void;
}

const { onProblem, onWait, botName, machine, unattended, signal } = IMPORT_SOURCES_OPTIONS;

export const SYNC_SOURCES_OPTIONS: kinds.OptionKinds<SyncSourcesOptions> = {
  onProblem,
  onWait,
  botName,
  machine,
  unattended,
  signal,
  source: kinds.A_STRING,
  onSource: kinds.A_FUNCTION,
  onProgress: kinds.A_FUNCTION,
};

/** The result for one source. */
export interface SyncedSource {
  readonly source: string;
  /** Absent if the source could not be synced at all. */
  readonly report?: ImportReport;
  /** The reason why it could not; nothing of it was changed. */
  readonly why?: string;
}

/**
 * Syncs the sources of a bot with their places, with the options of their last imports. New and changed documents are imported, and missing ones are removed. A
 * source that a program named, which has no place, is skipped. If anything of a source cannot be read, nothing of that source is removed, and the other sources
 * continue. The signal aborts it like an import; earlier sources keep their new state.
 * @throws ValidationError for an argument or an option that is unknown or of a wrong kind. LoredexError `SOURCE_NOT_FOUND`, or an error that keeps all
 * documents out, for example `DISK_FULL`. The reason of the signal.
 */
export async function syncSources(bot: ImportTarget, options: SyncSourcesOptions = {}): Promise<SyncedSource[]> {
  requireArguments("syncSources", { bot, options }, { bot: A_TARGET, options: SYNC_SOURCES_OPTIONS });
  const { source: only, onSource } = options;
  const syncing = new Syncing(patientTarget(bot, options), options);
  const all = await syncing.sources();
  const wanted = only === undefined ? all.filter(({ arguments: { length } }) => length > 0) : [sourceNamed(all, only)];
  const synced: SyncedSource[] = [];
  for (const source of wanted) {
    onSource?.(source.name);
    synced.push(await syncing.sync(source));
  }
  return synced;
}

/** Syncs sources one after the other. The documents of all sources are asked for once. */
export class Syncing {
  readonly #bot: ImportTarget;
  readonly #options: SyncSourcesOptions;
  readonly #known: KnownFiles;
  /** Documents reported for earlier sources. */
  #done = 0;
  #files = 0;

  /** @param known shared knowledge of all sources; default: it is asked for */
  constructor(bot: ImportTarget, options: SyncSourcesOptions, known = new KnownFiles(bot)) {
    this.#bot = bot;
    this.#options = options;
    this.#known = known;
  }

  async sources(): Promise<readonly SourceInfo[]> {
    await this.#known.learn();
    return this.#known.sources;
  }

  /** @throws LoredexError that keeps all documents out */
  async sync(source: SourceInfo): Promise<SyncedSource> {
    const { name } = source;
    if (source.arguments.length === 0)
      return { source: name, why: "it was brought by a program, and lies nowhere that is known" };
    const there = source.arguments.filter(hasPlace);
    if (there.length === 0) return { source: name, why: noPlace(source) };
    const asked = there.map((argument) => ({
      path: keyOfArgument(argument),
      argument,
      settings: optionsOf(argument.settings),
    }));
    const { source: _, onSource: __, onProgress: ___, ...telling } = this.#options;
    const named = isOfPath(source) ? {} : { source: name };
    const known = this.#known;
    const onProgress = this.#counting();
    try {
      // Another version may have kept options that this one does not take.
      for (const { settings } of asked) requireArguments("syncSources", { settings }, { settings: KEPT_OPTIONS });
      const options = { unattended: true, ...telling, ...named, sync: true, known, onProgress };
      return { source: name, report: await importArguments(this.#bot, asked, options) };
    } catch (error) {
      // This problem is of one source alone.
      if (!(error instanceof LoredexError && error.code === "VALIDATION")) throw error;
      return { source: name, why: error.message };
    }
  }

  /** Adds the counts of earlier sources. */
  #counting(): (done: number, files: number) => void {
    const [doneBefore, filesBefore] = [this.#done, this.#files];
    return (done, files) => {
      [this.#done, this.#files] = [doneBefore + done, filesBefore + files];
      this.#options.onProgress?.(this.#done, this.#files);
    };
  }
}

/** Why a source without a place cannot be synced. */
function noPlace({ arguments: [first] }: SourceInfo): string {
  return first?.path === STDIN
    ? "it came by the standard input, which nobody can read again"
    : "it was uploaded, and is brought up to date by the next upload";
}
