import { fill, passagesIn, questionsIn } from "../corpora/corpus-files.ts";
import { type Ask, inTurn } from "../measuring/in-turn.ts";
import { openCompetitor, RESULTS } from "../peers/competitors.ts";
import { ExhaustiveScan } from "../peers/exhaustive-scan.ts";

/** `real-bot.ts DIRECTORY`: bots by words and by both, and the bare exhaustive scan of their passages, in one process, turn about. Prints what it measured as JSON. */

const [, , directory = ""] = process.argv;

const words = await openCompetitor("Loredex, words");
const both = await openCompetitor("Loredex, words and static embedder");
await fill(words, directory);
await fill(both, directory);
const scan = new ExhaustiveScan();
for await (const { title, body } of passagesIn(directory)) scan.add(`${title}\n${body}`);
scan.finish();
globalThis.gc?.();

const WAYS: Readonly<Record<string, Ask>> = {
  "bare exhaustive scan": (question) => scan.search(question, RESULTS),
  "words, ten documents": (question) => words.search(question),
  "words, one document": (question) => words.search(question, 1),
  "words and static embedder, ten documents": (question) => both.search(question),
  "words and static embedder, one document": (question) => both.search(question, 1),
};

const times = await inTurn(await questionsIn(directory), Object.values(WAYS));
process.stdout.write(JSON.stringify(Object.fromEntries(Object.keys(WAYS).map((way, i) => [way, times[i]]))));
await words.close();
await both.close();
