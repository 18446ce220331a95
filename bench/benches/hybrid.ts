import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { aimsBesideScan, latencies } from "../measuring/latency.ts";
import { drawPlot } from "../measuring/plot.ts";
import { report } from "../measuring/report.ts";

/**
 * How long a question takes that is answered by words and by the static embedder's vectors, with the graph where there is one, by the number of passages. Beside it the
 * bare exhaustive scan for words: what is held against it is a whole answer by both.
 */

const OURS = "Loredex, words and static embedder";
const SIZES = [1_000, 10_000, 28_000];

export async function hybrid(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const rows = await latencies(OURS, [], options.sizes ?? SIZES, options);
  if (options.plots) {
    await drawPlot("hybrid-latency-by-size", {
      title: "A question answered by words and meaning: median time by the number of passages",
      x: "passages",
      y: "µs",
      points: rows.map((row) => ({ line: row.engine, x: row.passages, y: row["median µs"] })),
    });
  }
  report(options, rows, aimsBesideScan(rows, OURS, { median: 1.5, p99: 3 }));
}
