import type { SharedFigures, StatementEvent, StatementKind } from "@loredex/core";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { DURATION_BUCKETS, keysOf } from "./work-metrics.ts";

const KINDS = keysOf<StatementKind>({ append: true, head: true, bulk: true, other: true });

/** Buckets in seconds. A head is read in less than a millisecond. */
const STATEMENT_BUCKETS = [0.00025, 0.0005, ...DURATION_BUCKETS];

/** Counts and times the statements to a database that nodes share. Its metrics exist from the first statement on. */
export function statementMetrics(registers: Registry[]): (event: StatementEvent) => void {
  let made: ReturnType<typeof countersOf> | undefined;
  return ({ kind, durationMs, retries, failed }) => {
    made ??= countersOf(registers);
    made.retried.inc({ kind }, retries);
    if (failed) made.failures.inc({ kind });
    else made.seconds.observe({ kind }, durationMs / 1_000);
  };
}

function countersOf(registers: Registry[]) {
  const labelNames = ["kind"] as const;
  const seconds = new Histogram({
    name: "loredex_database_statement_duration_seconds",
    help: "How long statements took that the database answered, by kind: append, head, bulk or other.",
    labelNames,
    buckets: STATEMENT_BUCKETS,
    registers,
  });
  const failures = new Counter({
    name: "loredex_database_statement_failures_total",
    help: "Statements that the database refused or did not answer in their time, by kind.",
    labelNames,
    registers,
  });
  const retried = new Counter({
    name: "loredex_database_statement_retries_total",
    help: "How often statements were sent again, by kind.",
    labelNames,
    registers,
  });
  for (const kind of KINDS) {
    seconds.zero({ kind });
    failures.inc({ kind }, 0);
    retried.inc({ kind }, 0);
  }
  return { seconds, failures, retried };
}

/** Makes a function that sets the metrics of an engine whose storage other nodes use too. */
export function sharedMetrics(
  registers: Registry[],
): (engine: WeakKey, figures: SharedFigures, isUnreachable: boolean) => void {
  const unreachable = new Gauge({
    name: "loredex_database_unreachable",
    help: "1 while the database that nodes share does not answer, else 0. Missing without such a database.",
    registers,
  });
  const staleness = new Gauge({
    name: "loredex_staleness_seconds",
    help: "The longest time since the last head check, of the open bots and the catalog.",
    registers,
  });
  const conflicts = new Counter({
    name: "loredex_conflicts_total",
    help: "Attempts of calls that failed because another node had written first. Each call was decided again, or its time was over.",
    registers,
  });
  // Each engine counts from 0, and the counter of the process must not fall.
  const counted = new WeakMap<WeakKey, number>();
  return (engine, figures, isUnreachable) => {
    unreachable.set(isUnreachable ? 1 : 0);
    staleness.set(figures.stalenessMs / 1_000);
    conflicts.inc(figures.conflicts - (counted.get(engine) ?? 0));
    counted.set(engine, figures.conflicts);
  };
}
