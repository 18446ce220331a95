import { withCorpus } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import { type Aim, report } from "../measuring/report.ts";

/**
 * How long a quiet bot's questions take while another bot imports 10 MB (found in two looks, and in three), and while the passages of a bot are read by the English encoder: its own, and another's. Each beside the same
 * questions asked of an idle engine in the same process, in turns.
 */

const PASSAGES = 24_000;
const QUESTIONS = 1_000;

export async function quiet({ short, json, only = "" }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  await withCorpus(short ? 600 : PASSAGES, short ? 50 : QUESTIONS, async ({ directory }) => {
    const rows: QuietRow[] = [];
    for (const beside of ["import", "upgrade"].filter((name) => name.startsWith(only))) {
      // Boundary: a program of this folder, which answers with its rows.
      rows.push(
        ...((await freshProcess("quiet-bot.ts", [directory, beside, short ? "short" : "whole"])) as QuietRow[]),
      );
    }
    report({ json }, rows, rows.map(aimOf));
  });
}

interface QuietRow {
  readonly "questions to": string;
  readonly "p99 × idle": number;
}

function aimOf(row: QuietRow): Aim {
  return { what: `p99 × idle of ${row["questions to"]}`, measured: row["p99 × idle"], aim: 2, is: "at most" };
}
