import { kinds, type LogEvent, type WorkEvent } from "@loredex/core";
import type { HttpLogEvent } from "@loredex/http";
import type { WatchedEngine } from "./engine-metrics.ts";

export interface MetricsOptions {
  /** How many bots have a label of their own, by their ids, in the order of their first use; all others share `other`. Default 100. */
  readonly botLabelsMax?: number;
}

export const METRICS_OPTIONS: kinds.OptionKinds<MetricsOptions> = { botLabelsMax: kinds.aWholeNumber(0) };

/** Counters of one engine. No label holds a key, a text, or what a user has sent. */
export interface Metrics {
  /** To be told of work: `onWork` of the engine. */
  onWork(event: WorkEvent): void;
  /** To be told of requests and of what else the log has: a `logger`, or called by yours. */
  logger(event: LogEvent | HttpLogEvent): void;
  /** The engine whose bots are looked at whenever {@link text} is asked for. */
  watch(engine: WatchedEngine): void;
  /** The content type of {@link text}. */
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}
