import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { aimsBesideScan, type LatencyRow, latencies, SIZE_OF_AIMS } from "../measuring/latency.ts";
import { drawPlot } from "../measuring/plot.ts";
import { type Aim, report } from "../measuring/report.ts";

/** How long a question takes that is answered by words alone, by the number of passages, beside the bare exhaustive scan in the same process and peers in theirs. */

const OURS = "Loredex, words";
const PEERS = ["MiniSearch", "Orama", "FlexSearch", "SQLite FTS5"] as const;
const SIZES = [1_000, 10_000, 28_000, 100_000];

/** Measured once, by others on another day: Apache Lucene 9.12, the best ten, one thread. It keeps numbers of passages and no text. */
const LUCENE: readonly LatencyRow[] = [
  { engine: "Lucene 9.12 (not in this run)", passages: 18_713, "median µs": 225, "p99 µs": 694 },
  { engine: "Lucene 9.12, no stop words (not in this run)", passages: 18_713, "median µs": 144, "p99 µs": 395 },
];

export async function words(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const rows = await latencies(OURS, PEERS, options.sizes ?? SIZES, options);
  if (options.plots) {
    await drawPlot("latency-by-size", {
      title: "A question answered by words: median time by the number of passages",
      x: "passages",
      y: "µs",
      points: rows.map((row) => ({ line: row.engine, x: row.passages, y: row["median µs"] })),
    });
  }
  report(options, [...rows, ...LUCENE], [...aimsBesideScan(rows, OURS, { median: 0.5, p99: 1 }), growth(rows)]);
}

/** How much more a question takes from the size of the aims to the largest, beside how many more passages there are: 1 would be as much. */
function growth(rows: readonly LatencyRow[]): Aim {
  const ours = rows.filter(({ engine, passages }) => engine === OURS && passages >= SIZE_OF_AIMS);
  const [first, last] = [ours[0], ours.at(-1)];
  const measured =
    first === undefined || last === undefined || first === last
      ? undefined
      : last["median µs"] / first["median µs"] / (last.passages / first.passages);
  return { what: "growth of the median beside that of the passages", measured, aim: 0.8, is: "at most" };
}
