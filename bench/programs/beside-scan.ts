import { fill, passagesIn, questionsIn } from "../corpora/corpus-files.ts";
import { median, percentile } from "../measuring/measures.ts";
import { isCompetitor, openCompetitor, RESULTS } from "../peers/competitors.ts";
import { ExhaustiveScan } from "../peers/exhaustive-scan.ts";

/**
 * `beside-scan.ts NAME DIRECTORY`: one engine and the bare exhaustive scan of the same passages, in one process, turn about in blocks of questions; a question's
 * time is the least of all rounds. Prints what it measured as JSON.
 */

const [, , name = "", directory = ""] = process.argv;
if (!isCompetitor(name)) throw new Error(`There is no engine ${name}`);

const ROUNDS = 5;
const BLOCK = 50;
const SEARCHING_MS_MAX = 60_000;

const engine = await openCompetitor(name);
await fill(engine, directory);
const scan = new ExhaustiveScan();
for await (const { title, body } of passagesIn(directory)) scan.add(`${title}\n${body}`);
scan.finish();
const questions = await questionsIn(directory);
globalThis.gc?.();

type Ask = (question: string) => unknown;
const asked: readonly { readonly ask: Ask; readonly least: Float64Array }[] = [
  { ask: (question) => engine.search(question), least: unknown() },
  { ask: (question) => scan.search(question, RESULTS), least: unknown() },
];

function unknown(): Float64Array {
  return new Float64Array(questions.length).fill(Number.POSITIVE_INFINITY);
}

const start = performance.now();
for (let round = 0; round < ROUNDS; round++) {
  for (let from = 0; from < questions.length; from += BLOCK) {
    for (const { ask, least } of round % 2 === 0 ? asked : [...asked].reverse()) {
      for (let i = from; i < Math.min(questions.length, from + BLOCK); i++) {
        const began = performance.now();
        const answered = ask(questions[i] ?? "");
        if (answered instanceof Promise) await answered;
        least[i] = Math.min(least[i] ?? 0, performance.now() - began);
      }
    }
  }
  if (performance.now() - start > SEARCHING_MS_MAX) break;
}
const [ours, scanned] = asked.map(({ least }) => ({
  medianMs: median([...least]),
  p99Ms: percentile([...least], 0.99),
}));
process.stdout.write(
  JSON.stringify({
    medianMs: ours?.medianMs,
    p99Ms: ours?.p99Ms,
    scanMedianMs: scanned?.medianMs,
    scanP99Ms: scanned?.p99Ms,
  }),
);
await engine.close();
