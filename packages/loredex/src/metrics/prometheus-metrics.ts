import { collectDefaultMetrics, Registry } from "prom-client";
import { BotLabels } from "./bot-labels.ts";
import { engineMetrics, type WatchedEngine } from "./engine-metrics.ts";
import { logMetrics } from "./log-metrics.ts";
import type { Metrics, MetricsOptions } from "./metrics.ts";
import { statementMetrics } from "./shared-metrics.ts";
import { workMetrics } from "./work-metrics.ts";

/** Metrics in the text format of Prometheus, including those of the process. */
export function prometheusMetrics({ botLabelsMax = 100 }: MetricsOptions): Metrics {
  const registry = new Registry();
  const bots = new BotLabels(botLabelsMax);
  collectDefaultMetrics({ register: registry });
  const onWork = workMetrics([registry], bots);
  const logger = logMetrics([registry]);
  const look = engineMetrics([registry], bots);
  let engine: WatchedEngine | undefined;
  return {
    onWork,
    onStatement: statementMetrics([registry]),
    logger,
    contentType: registry.contentType,
    watch: (given) => {
      engine = given;
    },
    text: () => {
      if (engine !== undefined) look(engine);
      return registry.metrics();
    },
  };
}
