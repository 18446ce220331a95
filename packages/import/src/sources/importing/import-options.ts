import { kinds, NAME_CHARACTERS_MAX } from "@loredex/core";
import { WEB_MACHINE, type WebMachine } from "../reading/addresses.ts";
import type { PassedOverReason } from "../reading/read-file.ts";
import { KEPT_OPTIONS, type KeptOptions } from "../reading/settings.ts";
import type { ImportProblem } from "./tally.ts";

export interface ImportReport {
  /** Names of the sources that own what was brought, as the arguments name them. */
  readonly sources: readonly string[];
  /** Documents that were new. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** By `sync`: documents that the same argument brought before and no longer holds. */
  readonly removed: number;
  /** What nobody named and is not imported: files of other kinds in folders, links that lead out of them, and what links and sitemaps lead to. */
  readonly passedOver: number;
  /** How many of them for which reason; none stands here that is 0. */
  readonly passedOverFor: Readonly<Partial<Record<PassedOverReason, number>>>;
  /** The files among them by their extensions, as `{ ".ods": 2, ".rtf": 1 }`, the most frequent first. */
  readonly passedOverKinds: Readonly<Record<string, number>>;
  /** Files that say that they are drafts, and stay out. */
  readonly drafts: number;
  /** Lines, files, folders and documents that could not be taken. */
  readonly failed: number;
  /** What was wrong with them: the first 1,000. */
  readonly problems: readonly ImportProblem[];
  /** Arguments for which `sync` removed nothing, for they were not read whole, or it is not sure what they had brought. */
  readonly notSynced: readonly string[];
  /** What else an operator wants to know, a line each: why nothing was removed, what was taken over, what of a file could not be taken: the first 1,000 notes on files and pages, and how many more there are. */
  readonly notes: readonly string[];
}

export interface ImportSourcesOptions extends KeptOptions {
  /** Name of the source that owns what is brought; default: each argument is its own, named by its real path. */
  readonly source?: string;
  /** Remove what an argument brought before and no longer holds; nothing is removed for one that was not read whole. Default false. */
  readonly sync?: boolean;
  /**
   * Nobody is there to see what `sync` removes: nothing where an argument brings nothing any more, as a folder whose disk is not there, or where more
   * than ten documents are gone and fewer are left. Default false.
   */
  readonly unattended?: boolean;
  /** What the path `-` stands for: the bytes of one file, or lines of .jsonl. It needs `source`. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Told after each document how many are durable, and how many files or pages were begun. */
  readonly onProgress?: (done: number, files: number) => void;
  readonly onProblem?: (problem: ImportProblem) => void;
  /** Told when the import begins to wait, for up to a minute, since the bot's process is short of memory. */
  readonly onWait?: (reason: string) => void;
  /** What addresses are read with: time, and how names become addresses of machines. Default: those of this machine. */
  readonly machine?: WebMachine;
  /**
   * Ends the import wherever it is, also while it waits for a site or a file: it rejects with the signal's reason as soon as the documents that are on
   * their way are in. What is in stays, nothing is removed from then on, and the same import brings the rest when it is run again.
   */
  readonly signal?: AbortSignal;
  /** What the bot is called in what a refusal says to do. Default BOT. */
  readonly botName?: string;
}

export const IMPORT_SOURCES_OPTIONS: kinds.OptionKinds<ImportSourcesOptions> = {
  ...KEPT_OPTIONS,
  source: kinds.A_STRING,
  sync: kinds.A_BOOLEAN,
  unattended: kinds.A_BOOLEAN,
  stdin: kinds.AN_ASYNC_ITERABLE,
  onProgress: kinds.A_FUNCTION,
  onProblem: kinds.A_FUNCTION,
  onWait: kinds.A_FUNCTION,
  machine: WEB_MACHINE,
  signal: kinds.A_SIGNAL,
  botName: kinds.A_STRING,
};

/** What all arguments of an import share; how each is read is its own. */
export type SharedOptions = Omit<ImportSourcesOptions, keyof KeptOptions>;

/** What keeps a text from being a source's name: one cannot be taken for a path or an address, nor its documents for those of another. */
export function sourceNameProblem(name: string): string | undefined {
  const isPlain = !/[/\\\p{Cc}]/u.test(name) && !name.startsWith("file:") && name !== "." && name !== "..";
  if (name.trim() !== "" && isPlain && name.length <= NAME_CHARACTERS_MAX) return undefined;
  return `a source's name has 1 to ${NAME_CHARACTERS_MAX} characters without slashes, and does not begin with "file:"; "${name}" is none`;
}
