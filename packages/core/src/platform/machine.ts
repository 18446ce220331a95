import { readFileSync } from "node:fs";
import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { connectionsMaxOf, type MachineLimits } from "./budgets.ts";

/** What this process may use. */
export function machineLimits(): MachineLimits {
  // 0, or more than there is, where nothing is said.
  const constrained = process.constrainedMemory?.() ?? 0;
  const total = totalmem();
  return {
    memoryBytes: constrained > 0 ? Math.min(constrained, total) : total,
    heapBytes: getHeapStatistics().heap_size_limit,
    descriptors: descriptorLimit(),
  };
}

/**
 * How many connections a server in this process may hold, so that enough of the files that it may open are left for bots and
 * snapshots: three eighths of them, at most 4,096.
 */
export function openConnectionsMax(): number {
  return connectionsMaxOf({ descriptors: descriptorLimit() });
}

/** Where the system has such a file; Node has raised its own limit to the highest when it started. */
function descriptorLimit(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}
