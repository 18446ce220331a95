import { requireArguments } from "@loredex/core";
import { METRICS_OPTIONS, type Metrics, type MetricsOptions } from "./metrics.ts";

/** Metrics to be served by an app of yours. The library for them is loaded by the first call. */
export async function openMetrics(options: MetricsOptions = {}): Promise<Metrics> {
  requireArguments("openMetrics", { options }, { options: METRICS_OPTIONS });
  const { prometheusMetrics } = await import("./prometheus-metrics.ts");
  return prometheusMetrics(options);
}
