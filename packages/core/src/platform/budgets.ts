import { CONNECTIONS_MAX } from "../model/limits.ts";
import { OPEN_BOTS_DEFAULT } from "../model/options.ts";

/** The limits of the machine and the process, as far as they are known. */
export interface MachineLimits {
  /** The memory of the machine, or of the container, in bytes. */
  readonly memoryBytes: number;
  /** The limit of the JavaScript heap, in bytes. */
  readonly heapBytes: number;
  /** How many files may be open at once; undefined if unknown. */
  readonly descriptors: number | undefined;
}

/** The budgets of all open bots together. */
export interface Budgets {
  readonly openBotsMax: number;
  readonly memoryBytes: number;
}

/** No bot is ever evicted. */
export const NO_BUDGETS: Budgets = { openBotsMax: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY };

/** The memory bounds beyond which writes are refused, in bytes. */
export interface MemoryBounds {
  /** Memory of all bots together. */
  readonly heldBytes: number;
  /** Used memory of the JavaScript heap. */
  readonly heapBytes: number;
  /** Memory of the process. */
  readonly processBytes: number;
}

/** An open bot holds its log, and most hold their file of token codes. A rewrite of that file takes another descriptor, from the rest. */
const FILES_A_BOT = 2;
/** The share of descriptors for open bots. The others are for connections, and for snapshots that are written or read. */
const DESCRIPTOR_SHARE = 1 / 3;
/** The share of descriptors for connections. With the bots' share it leaves more than a quarter for opening bots, snapshots, and the process itself. */
const CONNECTIONS_SHARE = 3 / 8;
/** The share of memory for open bots. The rest is for answers, running snapshots, and whatever else lives in the process. */
const MEMORY_SHARE = 1 / 2;
/** The share of memory that may be filled before writes are refused. The rest is for requests, and for indexing accepted documents. */
const BOUND_SHARE = 0.85;
/**
 * The same share of the heap. V8 ends a process that spends most of its time collecting a heap that is filled to .8. Indexing accepted documents stays
 * below that.
 */
const HEAP_BOUND_SHARE = 0.72;
/** The part of the heap limit for new objects: three times 16 MiB, but at most half of a small heap. Older objects have the rest. */
const YOUNG_BYTES = 3 * 16 * 1_048_576;

/** The chosen budgets, with defaults from the machine. */
export function budgetsOf(
  given: Partial<Budgets> & { readonly memoryMaxBytes?: number },
  machine: MachineLimits,
): Budgets {
  const { descriptors, memoryBytes, heapBytes } = machine;
  const openBots =
    descriptors === undefined ? OPEN_BOTS_DEFAULT : Math.floor((descriptors * DESCRIPTOR_SHARE) / FILES_A_BOT);
  return {
    openBotsMax: given.openBotsMax ?? Math.max(1, openBots),
    memoryBytes: Math.min(
      given.memoryBytes ?? Math.floor(Math.min(memoryBytes, heapBytes) * MEMORY_SHARE),
      given.memoryMaxBytes ?? Number.POSITIVE_INFINITY,
    ),
  };
}

/** The memory bounds: `memoryMaxBytes` bounds the memory of bots, the machine bounds the heap and the process. */
export function memoryBoundsOf(
  memoryMaxBytes: number | undefined,
  machine: Omit<MachineLimits, "descriptors">,
): MemoryBounds {
  const processBytes = Math.floor(machine.memoryBytes * BOUND_SHARE);
  return {
    heldBytes: memoryMaxBytes ?? processBytes,
    heapBytes: Math.floor(Math.max(machine.heapBytes / 2, machine.heapBytes - YOUNG_BYTES) * HEAP_BOUND_SHARE),
    processBytes,
  };
}

/** How many connections a server beside an engine may hold at once. A connection takes one descriptor. */
export function connectionsMaxOf({ descriptors }: Pick<MachineLimits, "descriptors">): number {
  if (descriptors === undefined) return CONNECTIONS_MAX;
  return Math.min(CONNECTIONS_MAX, Math.max(1, Math.floor(descriptors * CONNECTIONS_SHARE)));
}
