import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type EmbedderOffer, OFFER_OPTIONS } from "./embedding/embedder.ts";
import { GRAPH_KINDS, type GraphKind } from "./index/vectors/graphs.ts";
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_LOGGER,
  A_TEXT,
  aNumberOfBytes,
  anObjectWith,
  aWholeNumber,
  type OptionKinds,
  oneOf,
  recordOf,
} from "./model/known-options.ts";
import { MEMORY_BYTES_MIN, RERANK_MEMORY_BYTES_MIN } from "./model/limits.ts";
import { requireArguments } from "./model/require-options.ts";
import type { BotSettings } from "./model/types.ts";
import { isFields, Violations } from "./model/validation.ts";
import type { WorkEvent } from "./model/work.ts";
import type { Clock, Random } from "./platform/clock.ts";
import type { Logger } from "./platform/log-event.ts";
import { temporaryDirectory } from "./storage/file-storage.ts";
import type { Storage } from "./storage/store.ts";

export interface EngineOptions {
  /** Where everything is kept; made if it is missing. Without one, everything is in memory and gone on close. */
  readonly directory?: string;
  /** Is told what an operator may want to know. What it throws has no consequence but a warning of the process. Default: nobody is told. */
  readonly logger?: Logger;
  /** Is told of every search and write when it has ended, for metrics. What it throws has no consequence but a warning of the process. */
  readonly onWork?: (event: WorkEvent) => void;
  /**
   * Embedders that bots can be given, by the names that `embedder` settings use. A new bot gets the first that names its
   * language, or none: with `{}` every bot is found by words alone. Default: `static`, the small English encoder that comes with core; it also
   * serves the bots of `minilm`, without making the vectors that only that one can make.
   */
  readonly embedders?: Readonly<Record<string, EmbedderOffer>>;
  /**
   * Whether passages get their vectors without anybody waiting for them, and bots that an earlier run left unfinished are
   * opened right after the start, one after the other where few may be open. False is for programs that end in a moment: {@link Bot.whenUpgraded} makes them all the same, and what is
   * needed to read English is loaded with the first bot that needs it. Default true.
   */
  readonly background?: boolean;
  /**
   * Whether a question waits up to a minute for its embedder, where otherwise it is answered by words after two seconds: for programs that
   * ask once, and for measuring. Default false.
   */
  readonly patient?: boolean;
  /** Vectors from which on a bot is searched by a graph (HNSW) and not by exact scan. Default 25,000, which was measured. */
  readonly graphVectorsMin?: number;
  /**
   * Which HNSW graph: `built-in`, over quantized vectors, or `hnswlib`, the optional library hnswlib-node. That needs a compiler when it is installed: where it is
   * missing, all vectors are scanned. Default `built-in`.
   */
  readonly graph?: GraphKind;
  /**
   * About how much memory all open bots together may take, in bytes: from there on idle ones are closed, least recently used first, and
   * opened again by their next call. At least 1 MiB. Default: half of what the machine or the JavaScript heap has, whichever is less.
   */
  readonly memoryBytes?: number;
  /**
   * The most memory of all bots together, in bytes; at least 1 MiB. Beyond it, writes that grow a bot are refused (`OUT_OF_MEMORY`), first those of the bot that holds most. It also bounds `memoryBytes`.
   * Default: 85 % of what the machine or the container has. Writes are also refused where 72 % of the JavaScript heap, or 85 % of that memory, are in use.
   */
  readonly memoryMaxBytes?: number;
  /**
   * How many bots may be open at once; each holds two files at most. Others wait until one is idle. Default: a sixth of the files that the process may
   * open. An engine without a directory closes no bot, whatever is said here.
   */
  readonly openBotsMax?: number;
  /**
   * Whether the token codes of passages are kept, and the best documents are looked at a third time by them, where the embedder gives such: better answers
   * for 8 to 12 kB a passage on the disk. False makes none, and deletes those that are there. Default true.
   */
  readonly rerank?: boolean;
  /**
   * What is held in memory of these token codes, of all bots together, in bytes; what is not is read from the disk when a question needs it. It changes no answer. At least
   * 64 KiB, or 0 for none. Default 64 MiB.
   */
  readonly rerankMemoryBytes?: number;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Another storage than `directory`; the engine closes it. */
  readonly storage?: Storage;
}

/** What a new bot is given; all but the name have defaults: 1,000,000 characters, 15,000 a minute, English, and the embedder for that. */
export type NewBot = Pick<BotSettings, "name"> & Partial<BotSettings>;

/** Where nothing stays, no graph is kept for the next start. */
export function temporaryDirectoryFor({ directory, storage }: EngineOptions): string | undefined {
  if (directory !== undefined) return temporaryDirectory(resolve(directory));
  return storage === undefined ? undefined : tmpdir();
}

const A_STORAGE = anObjectWith<Storage>("a storage", "create", "open", "remove", "close");

/** Unknown options are refused: with `dir` instead of `directory`, all data would be in memory. */
export const ENGINE_OPTIONS: OptionKinds<EngineOptions> = {
  // An empty one would be the current directory.
  directory: A_TEXT,
  logger: A_LOGGER,
  onWork: A_FUNCTION,
  embedders: recordOf<EmbedderOffer>(OFFER_OPTIONS),
  background: A_BOOLEAN,
  patient: A_BOOLEAN,
  graphVectorsMin: aWholeNumber(1),
  graph: oneOf(GRAPH_KINDS),
  memoryBytes: aNumberOfBytes(MEMORY_BYTES_MIN),
  memoryMaxBytes: aNumberOfBytes(MEMORY_BYTES_MIN),
  openBotsMax: aWholeNumber(1),
  rerank: A_BOOLEAN,
  rerankMemoryBytes: aNumberOfBytes(RERANK_MEMORY_BYTES_MIN, true),
  clock: anObjectWith<Clock>("a clock", "wallMs", "monotonicMs"),
  random: anObjectWith<Random>("a source of randomness", "bytes"),
  storage: A_STORAGE,
};

/** The storage among options that are not checked yet: it is closed where they are refused. */
export function storageIn(options: EngineOptions): Storage | undefined {
  if (!isFields(options)) return undefined;
  const { storage }: EngineOptions = options;
  return A_STORAGE(storage, "storage").length === 0 ? storage : undefined;
}

/** @throws ValidationError for options that are unknown or make no sense, and for an embedder that nothing opens */
export function requireOptions(options: EngineOptions): void {
  requireArguments("Engine.open", { options }, { options: ENGINE_OPTIONS });
  const violations = new Violations();
  for (const [name, { open, static: openStatic }] of Object.entries(options.embedders ?? {})) {
    const field = `embedders.${name}.open`;
    if (open === undefined && openStatic === undefined)
      violations.add(field, "required", `embedders.${name} needs open, a function that resolves with an embedder`);
  }
  violations.throwIfAny();
}
