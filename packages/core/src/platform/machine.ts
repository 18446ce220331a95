import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { connectionsMaxOf, type MachineLimits } from "./budgets.ts";

/** The limits of this process. */
export function machineLimits(): MachineLimits {
  // 0, or more than the machine has, if there is no constraint.
  const constrained = process.constrainedMemory?.() ?? 0;
  const total = totalmem();
  return {
    memoryBytes: constrained > 0 ? Math.min(constrained, total) : total,
    heapBytes: getHeapStatistics().heap_size_limit,
    descriptors: descriptorLimit(),
  };
}

/**
 * How many connections a server in this process may hold: three eighths of the files that it may open, at most 4,096.
 * The other files are for bots and snapshots.
 */
export function openConnectionsMax(): number {
  return connectionsMaxOf({ descriptors: descriptorLimit() });
}

/** The limit of open files, if the system has this file. Node raises its own limit to the highest at its start. */
function descriptorLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
