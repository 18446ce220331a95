import { withCorpus } from "../corpora/corpus.ts";
import type { CompetitorName } from "../peers/competitors.ts";
import type { BenchOptions } from "./bench-options.ts";
import { inRounds, middle, type Rounds, spread } from "./in-rounds.ts";
import type { Aim } from "./report.ts";

/** How long a question takes by the number of passages: what `words` and `hybrid` have in common. */

export interface LatencyRow {
  readonly engine: string;
  readonly passages: number;
  readonly "median µs": number;
  readonly "p99 µs": number;
  /** Beside the bare exhaustive scan in the same process, where there was one. */
  readonly "median × scan"?: number;
  readonly "p99 × scan"?: number;
  readonly spread?: number;
}

export const SCAN = "bare exhaustive scan";
const QUESTIONS = 1_000;
/** Rounds up to so many passages: most of a round is filling an engine, and all benches together are to take less than 20 minutes. */
const ROUNDS = [
  { passagesMax: 10_000, rounds: 3 },
  { passagesMax: 50_000, rounds: 2 },
  { passagesMax: Number.POSITIVE_INFINITY, rounds: 1 },
];

/** Peers are filled with no more: some take minutes for 100,000. */
const PEERS_PASSAGES_MAX = 50_000;

/** Our engine beside the scan, and peers in processes of their own, at each size. */
export async function latencies(
  ours: CompetitorName,
  peers: readonly CompetitorName[],
  sizes: readonly number[],
  { short, only }: BenchOptions,
): Promise<LatencyRow[]> {
  const rows: LatencyRow[] = [];
  for (const size of short ? [300] : sizes) {
    const asked = peers.filter((name) => size <= PEERS_PASSAGES_MAX && (only === undefined || name === only));
    await withCorpus(size, short ? 20 : QUESTIONS, async (corpus) => {
      const { passages } = corpus;
      const rounds = short ? 1 : (ROUNDS.find(({ passagesMax }) => size <= passagesMax)?.rounds ?? 1);
      const beside = (await inRounds([ours], corpus, "beside scan", rounds)).get(ours);
      const apart = await inRounds(asked, corpus, "search", Math.min(rounds, 2));
      rows.push({
        ...row(ours, passages, beside),
        "median × scan": middle(beside, "medianMs") / middle(beside, "scanMedianMs"),
        "p99 × scan": middle(beside, "p99Ms") / middle(beside, "scanP99Ms"),
      });
      rows.push({
        engine: SCAN,
        passages,
        "median µs": middle(beside, "scanMedianMs") * 1_000,
        "p99 µs": middle(beside, "scanP99Ms") * 1_000,
        spread: spread(beside, "scanMedianMs"),
      });
      for (const name of asked) rows.push(row(name, passages, apart.get(name)));
    });
  }
  return rows;
}

/** The aims are for a bot of so many passages. */
export const SIZE_OF_AIMS = 28_000;

/** How an engine's times are to stand beside those of the bare scan. */
export function aimsBesideScan(
  rows: readonly LatencyRow[],
  ours: string,
  aims: { readonly median: number; readonly p99: number },
): Aim[] {
  const row = rows.find(({ engine, passages }) => engine === ours && passages >= SIZE_OF_AIMS);
  return [
    { what: "median × bare scan", measured: row?.["median × scan"], aim: aims.median, is: "at most" },
    { what: "p99 × bare scan", measured: row?.["p99 × scan"], aim: aims.p99, is: "at most" },
  ];
}

function row(engine: string, passages: number, rounds: Rounds | undefined): LatencyRow {
  return {
    engine,
    passages,
    "median µs": middle(rounds, "medianMs") * 1_000,
    "p99 µs": middle(rounds, "p99Ms") * 1_000,
    spread: spread(rounds, "medianMs"),
  };
}
