import { constants, PerformanceObserver } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";

/** The memory of the process; see `MemoryReading`. */
export interface MachineReading {
  readonly heap: () => { readonly usedBytes: number; readonly liveBytes: number; readonly collections: number };
  readonly processBytes: () => number;
}

/** How long a reading is reused, in milliseconds: each new one asks the system. */
const PROCESS_READING_MS = 100;

let liveBytes = 0;
let collections = 0;
let isFollowing = false;
let processReading = { atMs: Number.NEGATIVE_INFINITY, bytes: 0 };

/** Reads the memory of this process. Full garbage collections are observed from the first call on, once for all engines. */
export function machineReading(): MachineReading {
  if (!isFollowing) followCollections();
  return {
    heap: () => HEAP,
    processBytes: () => {
      const nowMs = performance.now();
      if (nowMs - processReading.atMs > PROCESS_READING_MS) {
        processReading = { atMs: nowMs, bytes: residentBytes() ?? processReading.bytes };
      }
      return processReading.bytes;
    },
  };
}

/** Reads the heap when a property is asked for. Most callers ask for the collections alone, and the used bytes take longer to find. */
const HEAP: ReturnType<MachineReading["heap"]> = {
  get usedBytes() {
    return getHeapStatistics().used_heap_size;
  },
  get liveBytes() {
    return liveBytes;
  },
  get collections() {
    return collections;
  },
};

/** The resident memory; undefined if the system does not say. Reading it opens a file, which fails without free file descriptors. */
function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

function followCollections(): void {
  isFollowing = true;
  const following = new PerformanceObserver((list) => {
    if (!list.getEntries().some(isFull)) return;
    liveBytes = getHeapStatistics().used_heap_size;
    collections += 1;
  });
  following.observe({ entryTypes: ["gc"] });
}

function isFull(entry: object): boolean {
  const detail = "detail" in entry ? entry.detail : undefined;
  const kind = typeof detail === "object" && detail !== null && "kind" in detail ? detail.kind : undefined;
  return kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
