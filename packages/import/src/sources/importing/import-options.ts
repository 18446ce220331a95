import { kinds, NAME_CHARACTERS_MAX } from "@loredex/core";
import { WEB_MACHINE, type WebMachine } from "../reading/addresses.ts";
import type { PassedOverReason } from "../reading/read-file.ts";
import { KEPT_OPTIONS, type KeptOptions } from "../reading/settings.ts";
import type { ImportProblem } from "./tally.ts";

export interface ImportReport {
  /** Names of the sources that own the imported documents, in the order of the arguments. */
  readonly sources: readonly string[];
  /** Number of new documents. */
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  /** With `sync`: documents that the same argument brought before and no longer holds. */
  readonly removed: number;
  /** Items that nobody named and that are not imported: files of other kinds in folders, links that lead out of them, and targets of links and sitemaps. */
  readonly passedOver: number;
  /** Their numbers by reason, without zeros. */
  readonly passedOverFor: Readonly<Partial<Record<PassedOverReason, number>>>;
  /** The numbers of passed-over files by extension, as `{ ".ods": 2, ".rtf": 1 }`, the most frequent first. */
  readonly passedOverKinds: Readonly<Record<string, number>>;
  /** Files marked as drafts, which are left out. */
  readonly drafts: number;
  /** Lines, files, folders and documents that could not be imported. */
  readonly failed: number;
  /** Their problems: the first 1,000. */
  readonly problems: readonly ImportProblem[];
  /** Arguments for which `sync` removed nothing: they were not fully read, or it is uncertain which documents they had brought. */
  readonly notSynced: readonly string[];
  /**
   * Notes for the operator, one line each: why nothing was removed, what was taken over, which parts of a file were left out. They include the first 1,000
   * notes on files and pages, and the number of further ones.
   */
  readonly notes: readonly string[];
}

export interface ImportSourcesOptions extends KeptOptions {
  /** Name of the source that owns the imported documents; default: each argument is its own, named by its real path. */
  readonly source?: string;
  /** Remove documents that an argument brought before and no longer holds. Nothing is removed for an argument that was not fully read. Default false. */
  readonly sync?: boolean;
  /**
   * No person sees what `sync` removes. Then it removes nothing in two cases: the argument brings nothing any more, as a folder whose disk is missing, or more
   * than ten documents are gone and fewer are left. Default false.
   */
  readonly unattended?: boolean;
  /** The content of the path `-`: the bytes of one file, or lines of .jsonl. It needs `source`. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  /** Called after each document with the number of durable documents, and of begun files or pages. */
  readonly onProgress?: (done: number, files: number) => void;
  readonly onProblem?: (problem: ImportProblem) => void;
  /** Called when the import begins to wait, for up to a minute, because the bot's process is short of memory. */
  readonly onWait?: (reason: string) => void;
  /** The clock and the resolver for reading addresses. Default: those of this machine. */
  readonly machine?: WebMachine;
  /**
   * Aborts the import at any time, also while it waits for a site or a file. It rejects with the signal's reason as soon as the documents being written are
   * stored. Imported documents stay, nothing more is removed, and the same import brings the rest when it is run again.
   */
  readonly signal?: AbortSignal;
  /** The bot's name in the advice of a refusal. Default BOT. */
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

/** Options shared by all arguments of an import; each argument has its own reading options. */
export type SharedOptions = Omit<ImportSourcesOptions, keyof KeptOptions>;

/** Returns why a text cannot be the name of a source. A name must not be mistaken for a path or an address, nor its documents for those of another source. */
export function sourceNameProblem(name: string): string | undefined {
  const isPlain = !/[/\\\p{Cc}]/u.test(name) && !name.startsWith("file:") && name !== "." && name !== "..";
  if (name.trim() !== "" && isPlain && name.length <= NAME_CHARACTERS_MAX) return undefined;
  return `a source's name has 1 to ${NAME_CHARACTERS_MAX} characters without slashes, and does not begin with "file:"; "${name}" is none`;
}
