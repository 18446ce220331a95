import { atMostEvery } from "../platform/at-most-every.ts";
import { memoryBoundsOf } from "../platform/budgets.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { machineLimits } from "../platform/machine.ts";
import { machineReading } from "../platform/memory-reading.ts";
import { MemoryBudget } from "./memory-budget.ts";

export interface MachineBudgetDeps {
  /** See `EngineOptions.memoryMaxBytes`. */
  readonly memoryMaxBytes: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Closes idle bots that together hold this many bytes. */
  readonly evict: (bytes: number) => void;
}

/** The memory budget of this process on this machine. A refusal is logged once a minute. */
export function machineBudget({ memoryMaxBytes, clock, logger, evict }: MachineBudgetDeps): MemoryBudget {
  const maxima = memoryBoundsOf(memoryMaxBytes, machineLimits());
  const onRefused = atMostEvery(clock, 60_000, (which) => {
    const message = `Writes that grow a bot are refused: the process is short of memory (${which}). See --memory-max and the heap.`;
    logger({ level: "warn", event: "memoryShort", message });
  });
  return new MemoryBudget({ reading: machineReading(), maxima, evict, onRefused });
}
