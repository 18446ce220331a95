import { withCorpus } from "../corpora/corpus.ts";
import type { Filling } from "../corpora/corpus-files.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { inRounds, middle, spread } from "../measuring/in-rounds.ts";
import { type Aim, report } from "../measuring/report.ts";
import type { CompetitorName } from "../peers/competitors.ts";

/** How fast text is indexed: until all of it is found, and, with the static embedder, until all of it is found as fast as it ever will be, which is when its graph is ready. */

const WORDS = "Loredex, words";
const STATIC = "Loredex, words and static embedder";
const NAMES: readonly CompetitorName[] = [WORDS, STATIC, "MiniSearch", "Orama", "FlexSearch", "SQLite FTS5"];
const PASSAGES = 28_000;

export async function indexing({ short, json, only }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  await withCorpus(short ? 500 : PASSAGES, 0, async (corpus) => {
    const names = NAMES.filter((name) => only === undefined || name === only);
    const measured = await inRounds(names, corpus, "index", short ? 1 : 2);
    const peer = middle(measured.get("MiniSearch"), "seconds");
    const rowOf = (row: string, name: CompetitorName, figure: keyof Filling): IndexingRow => {
      const seconds = middle(measured.get(name), figure);
      return {
        engine: row,
        passages: corpus.passages,
        seconds,
        "MB/s": corpus.bytes / 1e6 / seconds,
        "× MiniSearch": peer / seconds,
        spread: spread(measured.get(name), figure),
      };
    };
    const rows = names.flatMap((name) => [
      rowOf(name, name, "foundSeconds"),
      ...(name === STATIC ? [rowOf(WHOLE, name, "seconds")] : []),
    ]);
    report({ json }, rows, aimsOf(rows));
  });
}

const WHOLE = "whole: words, static embedder, graph";

interface IndexingRow {
  readonly engine: string;
  readonly passages: number;
  readonly seconds: number;
  readonly "MB/s": number;
  readonly "× MiniSearch": number;
  readonly spread: number;
}

function aimsOf(rows: readonly IndexingRow[]): Aim[] {
  const of = (name: string): IndexingRow | undefined => rows.find(({ engine }) => engine === name);
  const [found, whole] = [of(STATIC)?.seconds, of(WHOLE)?.seconds];
  return [
    { what: "words × MiniSearch", measured: of(WORDS)?.["× MiniSearch"], aim: 1.5, is: "at least" },
    { what: "whole × MiniSearch", measured: of(WHOLE)?.["× MiniSearch"], aim: 0.5, is: "at least" },
    {
      what: "the graph's time after the indexing, beside the indexing",
      measured: found === undefined || whole === undefined ? undefined : (whole - found) / found,
      aim: 0.5,
      is: "at most",
    },
  ];
}
