import { requireArguments } from "@loredex/core";
import { METRICS_OPTIONS, type Metrics, type MetricsOptions } from "./metrics.ts";

/** Makes metrics that your app serves. The first call loads their library. */
export async function openMetrics(options: MetricsOptions = {}): Promise<Metrics> {
  requireArguments("openMetrics", { options }, { options: METRICS_OPTIONS });
  const { prometheusMetrics } = await import("./prometheus-metrics.ts");
  return prometheusMetrics(options);
}
