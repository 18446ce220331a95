import { kinds, type LogEvent, type StatementEvent, type WorkEvent } from "@loredex/core";
import type { HttpLogEvent } from "@loredex/http";
import type { WatchedEngine } from "./engine-metrics.ts";

export interface MetricsOptions {
  /** The most bots with a label of their own: their ids, in the order of first use. All others share `other`. Default 100. */
  readonly botLabelsMax?: number;
}

export const METRICS_OPTIONS: kinds.OptionKinds<MetricsOptions> = { botLabelsMax: kinds.aWholeNumber(0) };

/** The metrics of one engine. No label contains a key, a text, or other input of users. */
export interface Metrics {
  /** Receives work events: give it to the engine as `onWork`. */
  onWork(event: WorkEvent): void;
  /** Receives statements to a database that nodes share: give it to the engine as `onStatement`. */
  onStatement(event: StatementEvent): void;
  /** Receives requests and other log events: use it as `logger`, or call it from your own. */
  logger(event: LogEvent | HttpLogEvent): void;
  /** Sets the engine whose bots are read whenever {@link text} is called. */
  watch(engine: WatchedEngine): void;
  /** The content type of {@link text}. */
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}
