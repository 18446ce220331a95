import { withCorpus } from "../corpora/corpus.ts";
import type { Corpus } from "../corpora/corpus-shape.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { inRounds, middle, spread } from "../measuring/in-rounds.ts";
import { drawPlot } from "../measuring/plot.ts";
import { type Aim, report } from "../measuring/report.ts";
import type { CompetitorName } from "../peers/competitors.ts";

/**
 * What a passage takes in memory, all told: text, index, vectors and graph, and whatever else the process got for them. Peers store the same text. `--sizes`
 * names other numbers of passages, 300000 for example.
 */

const WORDS = "Loredex, words";
/** It is measured when its graph is ready. */
const STATIC_WITH_GRAPH = "Loredex, words and static embedder";
const NAMES: readonly CompetitorName[] = [WORDS, STATIC_WITH_GRAPH, "MiniSearch", "Orama"];
const SIZES = [3_000, 28_000];

/** What is larger is measured in one round: it takes minutes to fill. */
const ONCE_ABOVE_PASSAGES = 50_000;

export interface MemoryRow {
  readonly engine: CompetitorName;
  readonly passages: number;
  readonly "bytes a passage": number;
  readonly "of them in heap and buffers": number;
  readonly "× MiniSearch": number;
  readonly "heap and buffers × MiniSearch": number;
  readonly spread: number;
}

export async function memory({ short, json, only, sizes = SIZES, plots }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const rows: MemoryRow[] = [];
  for (const size of short ? [500] : sizes) rows.push(...(await withCorpus(size, 0, (corpus) => measured(corpus))));
  if (plots) {
    await drawPlot("memory-by-size", {
      title: "Memory of all passages, by their number",
      x: "passages",
      y: "MB",
      points: rows.map((row) => ({
        line: row.engine,
        x: row.passages,
        y: (row["bytes a passage"] * row.passages) / 1e6,
      })),
    });
  }
  report({ json }, rows, aimsOf(rows));

  async function measured(corpus: Corpus): Promise<MemoryRow[]> {
    const names = NAMES.filter((name) => only === undefined || name === only);
    const rounds = await inRounds(names, corpus, "memory", short || corpus.passages > ONCE_ABOVE_PASSAGES ? 1 : 2);
    const peer = middle(rounds.get("MiniSearch"), "residentBytes");
    return names.map((name) => {
      const bytes = middle(rounds.get(name), "residentBytes");
      const heapBytes = middle(rounds.get(name), "heapBytes");
      return {
        engine: name,
        passages: corpus.passages,
        "bytes a passage": bytes / corpus.passages,
        "of them in heap and buffers": heapBytes / corpus.passages,
        "× MiniSearch": bytes / peer,
        "heap and buffers × MiniSearch": heapBytes / middle(rounds.get("MiniSearch"), "heapBytes"),
        spread: spread(rounds.get(name), "residentBytes"),
      };
    });
  }
}

function aimsOf(rows: readonly MemoryRow[]): Aim[] {
  const sizes = [...new Set(rows.map(({ passages }) => passages))];
  return sizes.flatMap((size) => {
    const measured = (name: CompetitorName): number | undefined =>
      rows.find(({ engine, passages }) => engine === name && passages === size)?.["× MiniSearch"];
    return [
      { what: `${size} passages, words × MiniSearch`, measured: measured(WORDS), aim: 0.5, is: "at most" },
      {
        what: `${size} passages, static embedder with graph × MiniSearch`,
        measured: measured(STATIC_WITH_GRAPH),
        aim: 1,
        is: "at most",
      },
    ];
  });
}
