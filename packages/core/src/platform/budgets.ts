import { CONNECTIONS_MAX } from "../model/limits.ts";
import { OPEN_BOTS_DEFAULT } from "../model/options.ts";

/** What the process may use, as far as that is known. */
export interface MachineLimits {
  /** The memory of the machine, or what the process may have of it. */
  readonly memoryBytes: number;
  /** What the JavaScript heap may grow to. */
  readonly heapBytes: number;
  /** How many files may be open at once; undefined where that is not known. */
  readonly descriptors: number | undefined;
}

/** What all open bots together may take. */
export interface Budgets {
  readonly openBotsMax: number;
  readonly memoryBytes: number;
}

/** Nothing is ever let go. */
export const NO_BUDGETS: Budgets = { openBotsMax: Number.POSITIVE_INFINITY, memoryBytes: Number.POSITIVE_INFINITY };

/** How far memory may be filled before writes are refused, in bytes. */
export interface MemoryBounds {
  /** By what bots hold. */
  readonly heldBytes: number;
  /** Of the JavaScript heap. */
  readonly heapBytes: number;
  /** By the process. */
  readonly processBytes: number;
}

/** An open bot holds its log, and most hold the file of their signs of tokens; while that is rewritten, another one, for which there is the rest. */
const FILES_A_BOT = 2;
/** What all open bots may hold; the others are for connections, and for snapshots that are written or read. */
const DESCRIPTOR_SHARE = 1 / 3;
/** So that bots and connections at their most leave more than a quarter: for bots that are opened, snapshots, and what the process holds anyway. */
const CONNECTIONS_SHARE = 3 / 8;
/** The rest is for answers, snapshots that are written, and whatever else lives in the process. */
const MEMORY_SHARE = 1 / 2;
/** What may be filled before writes are refused: the rest is for requests, and for what is made of what was accepted. */
const BOUND_SHARE = 0.85;
/** The same of the heap. V8 ends a process that spends most of its time collecting a heap that is filled to .8: with what is made of what was accepted it stays below. */
const HEAP_BOUND_SHARE = 0.72;
/** The part of a heap limit that new objects have: three times 16 MiB, but at most half of a small heap. Older objects have the rest. */
const YOUNG_BYTES = 3 * 16 * 1_048_576;

/** The budgets that were chosen, or those that the machine suggests. */
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

/** How far memory may be filled: `memoryMaxBytes` bounds what bots hold, the machine all the rest. */
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

/** How many connections a server beside an engine may hold at the same time. A connection takes a descriptor. */
export function connectionsMaxOf({ descriptors }: Pick<MachineLimits, "descriptors">): number {
  if (descriptors === undefined) return CONNECTIONS_MAX;
  return Math.min(CONNECTIONS_MAX, Math.max(1, Math.floor(descriptors * CONNECTIONS_SHARE)));
}
