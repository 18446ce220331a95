import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { type EmbedderOffer, OFFER_OPTIONS } from "./embedding/embedder.ts";
import { GRAPH_KINDS, type GraphChoice } from "./index/vectors/graphs.ts";
import { GRAPH_VECTORS_MIN } from "./index/vectors/passage-vectors.ts";
import type { GraphBackend } from "./index/vectors/vector-graph.ts";
import {
  A_BOOLEAN,
  A_FUNCTION,
  A_LOGGER,
  A_TEXT,
  aNumberOfBytes,
  anObjectWith,
  aWholeNumber,
  kind,
  type OptionKinds,
  oneOf,
  recordOf,
} from "./model/known-options.ts";
import { MAX_STALENESS_MS_MAX, MEMORY_BYTES_MIN, RERANK_MEMORY_BYTES_MIN, STALE_MAX_MS_MAX } from "./model/limits.ts";
import { STALE_MAX_MS_DEFAULT } from "./model/options.ts";
import { requireArguments } from "./model/require-options.ts";
import type { BotSettings } from "./model/types.ts";
import { isFields, Violations } from "./model/validation.ts";
import type { StatementEvent, WorkEvent } from "./model/work.ts";
import type { Clock, Random } from "./platform/clock.ts";
import type { Logger } from "./platform/log-event.ts";
import { temporaryDirectory } from "./storage/file-storage.ts";
import type { Storage } from "./storage/store.ts";

/** The options of {@link Engine.open}. */
export interface EngineOptions {
  /** The data directory; created if it is missing. Without one, everything is in memory and gone on close. */
  readonly directory?: string;
  /** Receives log events for the operator. An error that it throws only causes one warning of the process. Default: events are dropped. */
  readonly logger?: Logger;
  /** Receives an event when a search or write has ended, for metrics. An error that it throws only causes one warning of the process. */
  readonly onWork?: (event: WorkEvent) => void;
  /**
   * Receives an event when a statement to a database that nodes share has ended, for metrics. Nothing is told for another storage. An error that it throws only
   * causes one warning of the process.
   */
  readonly onStatement?: (event: StatementEvent) => void;
  /**
   * Embedders that bots can be given, by the names that `embedder` settings use. A new bot gets the first that names its language, or none: with `{}` every
   * bot is searched by BM25 alone.
   * Default: `static`, the English static embedder that comes with core. It also serves the bots of `minilm`, without making the vectors that only `minilm`
   * can make.
   */
  readonly embedders?: Readonly<Record<string, EmbedderOffer>>;
  /**
   * Whether vectors are made in the background. Bots that an earlier run left unfinished are then opened right after the start, one after the other if few
   * may be open.
   * Use false for short programs: {@link Bot.whenUpgraded} still makes the vectors, and the English analyzer is loaded with the first bot that needs it.
   * Default true.
   */
  readonly background?: boolean;
  /**
   * Whether a question waits up to one minute for its embedder. Otherwise it is answered by BM25 after two seconds. For programs that ask once, and for
   * measuring. Default false.
   */
  readonly patient?: boolean;
  /** The number of vectors from which on a bot is searched by an HNSW graph instead of an exact scan. Default 25,000, which was measured. */
  readonly graphVectorsMin?: number;
  /**
   * The graph backend: `built-in`, the engine's own HNSW graph over quantized vectors; `hnswlib`, the package `@loredex/hnswlib` where it is installed;
   * or a backend of the program's own. Where the backend cannot be used, all vectors are scanned.
   * Default `built-in`.
   */
  readonly graph?: GraphChoice;
  /**
   * About how much memory all open bots together may take, in bytes. Above it, idle bots are closed, least recently used first, and opened again by their
   * next call.
   * At least 1 MiB. Default: half of the memory of the machine or of the JavaScript heap, whichever is less.
   */
  readonly memoryBytes?: number;
  /**
   * The most memory that all bots together may take, in bytes; at least 1 MiB. It also bounds `memoryBytes`. Default: 85 % of the memory of the machine or
   * the container.
   * Beyond it, writes that grow a bot are refused (`OUT_OF_MEMORY`), first those of the bot that holds most.
   * Writes are also refused while 72 % of the JavaScript heap, or 85 % of the memory of the machine or the container, are in use.
   */
  readonly memoryMaxBytes?: number;
  /**
   * How many bots may be open at once; each holds two files at most. Others wait until one is idle. Default: a sixth of the files that the process may open.
   * An engine without a directory never closes a bot, whatever this option says.
   */
  readonly openBotsMax?: number;
  /**
   * Whether the token codes of passages are kept, and the best documents are reranked by them, if the embedder makes token codes. Better answers for 8 to 12
   * kB a passage on the disk.
   * False makes none, and deletes existing ones. Default true.
   */
  readonly rerank?: boolean;
  /**
   * The most memory for token codes of all bots together, in bytes. Others are read from the disk when a question needs them. It changes no answer.
   * At least 64 KiB, or 0 for none. Default 64 MiB.
   */
  readonly rerankMemoryBytes?: number;
  /** The clock; default: the system's. For tests. */
  readonly clock?: Clock;
  /** The source of randomness; default: the system's. For tests. */
  readonly random?: Random;
  /** A storage instead of `directory`; the engine closes it. */
  readonly storage?: Storage;
  /**
   * How far the answer to a search may be behind what other nodes have written, in milliseconds. With 0, each search first asks the storage whether
   * there is something new. Only for a storage that several nodes use. At most 60,000. Default 0.
   */
  readonly maxStalenessMs?: number;
  /**
   * How long open bots answer searches while a storage that several nodes use does not answer, in milliseconds. At most 86,400,000, a day.
   * Default 60,000.
   */
  readonly staleMaxMs?: number;
}

/** The settings of a new bot. All but the name have defaults: 1,000,000 characters, 15,000 a minute, English, and the embedder of the language. */
export type NewBot = Pick<BotSettings, "name"> & Partial<BotSettings>;

/** The options that only searches read, with their defaults. */
export function ofSearches(options: EngineOptions) {
  const { graphVectorsMin = GRAPH_VECTORS_MIN, graph = GRAPH_KINDS[0] } = options;
  const { maxStalenessMs = 0, staleMaxMs = STALE_MAX_MS_DEFAULT } = options;
  return { graphVectorsMin, graph, maxStalenessMs, staleMaxMs, temporaryDirectory: temporaryDirectoryFor(options) };
}

/** The directory for temporary files of graphs; undefined for an engine in memory, which keeps no graph for the next start. */
function temporaryDirectoryFor({ directory, storage }: EngineOptions): string | undefined {
  if (directory !== undefined) return temporaryDirectory(resolve(directory));
  return storage === undefined ? undefined : tmpdir();
}

const A_STORAGE = anObjectWith<Storage>("a storage", "create", "open", "remove", "close");

const A_GRAPH_KIND = oneOf(GRAPH_KINDS);
const A_GRAPH_BACKEND = anObjectWith<GraphBackend>("a graph backend", "open");
const A_GRAPH = kind<GraphChoice>(
  "enum",
  `one of ${GRAPH_KINDS.join(", ")}, or a graph backend: an object with the function open`,
  (given) => [A_GRAPH_KIND, A_GRAPH_BACKEND].some((isOf) => isOf(given, "graph").length === 0),
);

/** Unknown options are refused: with `dir` instead of `directory`, all data would be in memory. */
export const ENGINE_OPTIONS: OptionKinds<EngineOptions> = {
  // An empty path would be the current directory.
  directory: A_TEXT,
  logger: A_LOGGER,
  onWork: A_FUNCTION,
  onStatement: A_FUNCTION,
  embedders: recordOf<EmbedderOffer>(OFFER_OPTIONS),
  background: A_BOOLEAN,
  patient: A_BOOLEAN,
  graphVectorsMin: aWholeNumber(1),
  graph: A_GRAPH,
  memoryBytes: aNumberOfBytes(MEMORY_BYTES_MIN),
  memoryMaxBytes: aNumberOfBytes(MEMORY_BYTES_MIN),
  openBotsMax: aWholeNumber(1),
  rerank: A_BOOLEAN,
  rerankMemoryBytes: aNumberOfBytes(RERANK_MEMORY_BYTES_MIN, true),
  clock: anObjectWith<Clock>("a clock", "wallMs", "monotonicMs"),
  random: anObjectWith<Random>("a source of randomness", "bytes"),
  storage: A_STORAGE,
  maxStalenessMs: aWholeNumber(0, MAX_STALENESS_MS_MAX),
  staleMaxMs: aWholeNumber(0, STALE_MAX_MS_MAX),
};

/** The storage in unchecked options. The engine closes it if the options are refused. */
export function storageIn(options: EngineOptions): Storage | undefined {
  if (!isFields(options)) return undefined;
  const { storage }: EngineOptions = options;
  return A_STORAGE(storage, "storage").length === 0 ? storage : undefined;
}

/**
 * Validates the options of `Engine.open`.
 * @throws ValidationError for options that are unknown or make no sense, and for an embedder without `open`
 */
export function requireOptions(options: EngineOptions): void {
  requireArguments("Engine.open", { options }, { options: ENGINE_OPTIONS });
  const violations = new Violations();
  for (const [name, { open, static: openStatic }] of Object.entries(options.embedders ?? {})) {
    const field = `embedders.${name}.open`;
    // Stored settings with this name are read as those of the static embedder.
    if (name === "student")
      violations.add("embedders.student", "name", "embedders.student: student is called static now");
    if (open === undefined && openStatic === undefined)
      violations.add(field, "required", `embedders.${name} needs open, a function that resolves with an embedder`);
  }
  violations.throwIfAny();
}
