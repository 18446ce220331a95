import { fill, passagesIn, questionsIn } from "../corpora/corpus-files.ts";
import { inTurn } from "../measuring/in-turn.ts";
import { isCompetitor, openCompetitor, RESULTS } from "../peers/competitors.ts";
import { ExhaustiveScan } from "../peers/exhaustive-scan.ts";

/**
 * `beside-scan.ts NAME DIRECTORY`: one engine and the bare exhaustive scan of the same passages, in one process, turn about in blocks of questions; a question's
 * time is the least of all rounds. Prints what it measured as JSON.
 */

const [, , name = "", directory = ""] = process.argv;
if (!isCompetitor(name)) throw new Error(`There is no engine ${name}`);

const engine = await openCompetitor(name);
await fill(engine, directory);
const scan = new ExhaustiveScan();
for await (const { title, body } of passagesIn(directory)) scan.add(`${title}\n${body}`);
scan.finish();
const questions = await questionsIn(directory);
globalThis.gc?.();

const [ours, scanned] = await inTurn(questions, [
  (question) => engine.search(question),
  (question) => scan.search(question, RESULTS),
]);
process.stdout.write(
  JSON.stringify({
    medianMs: ours?.medianMs,
    p99Ms: ours?.p99Ms,
    scanMedianMs: scanned?.medianMs,
    scanP99Ms: scanned?.p99Ms,
  }),
);
await engine.close();
