import { withCorpus } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { freshProcess } from "../measuring/in-rounds.ts";
import { report } from "../measuring/report.ts";

/**
 * How long a question takes that the English encoder reads, from the question to its answer, beside the bare call of onnxruntime with the same pieces, which is in a process of its own
 * and neither cuts a text nor hands a vector over.
 */

const PASSAGES = 20_000;
const QUESTIONS = 500;
const QUESTION_TO_ANSWER = "question to answer";

export async function encoder({ short, json, sizes }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const rows: TeacherRow[] = [];
  for (const size of short ? [300] : (sizes ?? [PASSAGES])) {
    await withCorpus(size, short ? 20 : QUESTIONS, async ({ directory, passages }) => {
      // Boundary: a program of this folder, which answers with its rows.
      const measured = (await freshProcess("encoder-questions.ts", [directory])) as Omit<TeacherRow, "passages">[];
      rows.push(...measured.map((row) => ({ passages, ...row })));
    });
  }
  const aims = rows.filter(({ what }) => what === QUESTION_TO_ANSWER);
  report(
    { json },
    rows,
    aims.map((row) => ({
      what: `${row.passages} passages, ${row.what}, median × bare`,
      measured: row["median × bare"],
      aim: 1.25,
      is: "at most",
    })),
  );
}

interface TeacherRow {
  readonly passages: number;
  readonly what: string;
  readonly "median × bare": number;
}
