import { withRealPages } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import type { AskedTimes } from "../measuring/in-turn.ts";
import { median } from "../measuring/measures.ts";
import { report } from "../measuring/report.ts";

/**
 * How long a question takes at a bot as users have them: some thousand support articles and product docs of many passages each, ten documents with their quotes, beside the
 * bare exhaustive scan of the same passages in the same process. The difference between ten documents and one is what nine more cost to find and to quote.
 */

const ROUNDS = 3;
const SCAN = "bare exhaustive scan";
const [BOTH, WORDS] = ["words and static embedder", "words"];
const AIMS = [
  { way: `${BOTH}, ten documents`, median: 1, p99: 1.3 },
  { way: `${WORDS}, ten documents`, median: 0.5, p99: 0.8 },
];

export async function real(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  await withRealPages(options.short, async ({ directory, passages }) => {
    const rounds: Readonly<Record<string, AskedTimes>>[] = [];
    for (let round = 0; round < (options.short ? 1 : ROUNDS); round++) {
      // Boundary: a program of this folder, which answers with its figures.
      rounds.push((await freshProcess("real-bot.ts", [directory])) as Readonly<Record<string, AskedTimes>>);
    }
    const of = (round: Readonly<Record<string, AskedTimes>>, way: string): AskedTimes => {
      const times = round[way];
      if (times === undefined) throw new Error(`real-bot.ts measured nothing of ${way}`);
      return times;
    };
    const middle = (way: string, figure: keyof AskedTimes): number =>
      median(rounds.map((round) => of(round, way)[figure]));
    const times = (way: string, figure: keyof AskedTimes): number =>
      median(rounds.map((round) => of(round, way)[figure] / of(round, SCAN)[figure]));
    const rows = Object.keys(rounds[0] ?? {}).map((way) => ({
      way,
      passages,
      "median µs": middle(way, "medianMs") * 1_000,
      "p99 µs": middle(way, "p99Ms") * 1_000,
      "median × scan": times(way, "medianMs"),
      "p99 × scan": times(way, "p99Ms"),
    }));
    const nine = (kind: string): number =>
      (middle(`${kind}, ten documents`, "medianMs") - middle(`${kind}, one document`, "medianMs")) * 1_000;
    report(options, rows, [
      ...AIMS.flatMap(({ way, median: most, p99 }) => [
        { what: `${way}: median × scan`, measured: times(way, "medianMs"), aim: most, is: "at most" as const },
        { what: `${way}: p99 × scan`, measured: times(way, "p99Ms"), aim: p99, is: "at most" as const },
      ]),
      { what: `${BOTH}: µs of each further document`, measured: nine(BOTH) / 9, aim: 30, is: "at most" },
    ]);
  });
}
