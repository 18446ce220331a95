/**
 * Thousands of real support articles, asked through HTTP.
 * usage: node demo.mjs [DATA_SET], a directory with docs/ and known_item/; default ../shared/data/docs_ms_office_support_en
 */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importSources, serve } from "loredex";
import { importDocumentation } from "../first-start/demo-bot.mjs";
import { LoredexClient } from "../http-client/client.mjs";
import { readable } from "../shared/answers.mjs";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";
import { knownQuestions } from "./questions.mjs";

/** @typedef {import("loredex").Engine} Engine */
/** @typedef {{ question: string, expectedId?: string }} Question */

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DATA_SET = join(ROOT, "../shared/data/docs_ms_office_support_en");
const QUESTIONS = 10;
const SHOWN_ANSWERS = 2;
/** For the project's own pages, where nobody has written down which one must be found. */
const OWN_QUESTIONS = [
  "How can I see how many characters a bot has used?",
  "What happens when the rate limit is exceeded?",
  "How are knowledge files imported?",
  "Is an acknowledged write lost after a power cut?",
  "Which numbers do start and stop of a text part count?",
];

/**
 * @param {Engine} engine
 * @param {string} bot
 * @param {string} dataSet
 * @returns {Promise<Question[]>}
 */
async function learn(engine, bot, dataSet) {
  if (!existsSync(join(dataSet, "docs"))) {
    console.log(`The support articles are not here (${dataSet}).\nTaking this project's own documentation instead.\n`);
    await importDocumentation(engine, bot, ROOT);
    return OWN_QUESTIONS.map((question) => ({ question }));
  }
  const report = await importSources(await engine.bot(bot), [join(dataSet, "docs")], {
    onProgress: (done) => {
      if (done % 500 === 0) console.log(`  ${done} articles are in`);
    },
    onProblem: ({ place, message }) => console.log(`  ${place}: ${message}`),
  });
  console.log(`  ${report.added} imported, ${report.problems.length} refused\n`);
  return knownQuestions(join(dataSet, "known_item"), QUESTIONS, (path) => `file:docs/${path}`);
}

/**
 * @param {string} directory
 * @param {string} dataSet
 */
async function demo(directory, dataSet) {
  const server = await serve({ directory, port: 0 });
  try {
    const { engine, url } = server;
    // Questions with quotas and keys are for articles; what an operator imports counts against none.
    const { bot: created, key } = await engine.createBot({ name: "support" });
    const bot = await engine.bot(created.id);

    console.log("Importing ...");
    const startMs = performance.now();
    const questions = await learn(engine, created.id, dataSet);
    const durableMs = performance.now() - startMs;
    await bot.whenSearchable();
    const searchableMs = performance.now() - startMs;
    sayFigures(await bot.stats(), durableMs, searchableMs);

    const client = new LoredexClient({ baseUrl: url, key });
    let firstCount = 0;
    for (const [index, { question, expectedId }] of questions.entries()) {
      const askedMs = performance.now();
      const answers = await client.search(question, { topK: 10 });
      const tookMs = performance.now() - askedMs;
      console.log(`\n${"-".repeat(100)}\nQuestion ${index + 1} (${tookMs.toFixed(1)} ms): ${question}\n`);
      console.log(readable(answers.slice(0, SHOWN_ANSWERS)));
      if (expectedId === undefined) continue;
      const rank = answers.findIndex(({ resourceDocId }) => resourceDocId === expectedId) + 1;
      if (rank === 1) firstCount++;
      console.log(`\n   ${verdict(rank, expectedId)}`);
    }
    const judged = questions.filter(({ expectedId }) => expectedId !== undefined).length;
    if (judged > 0) console.log(`\n${firstCount} of ${judged} questions had the expected article first.`);
  } finally {
    await server.close();
  }
}

/**
 * @param {import("loredex").BotStats} stats
 * @param {number} durableMs
 * @param {number} searchableMs
 */
function sayFigures({ documents, passages, terms, memoryBytes, diskBytes }, durableMs, searchableMs) {
  const mebibytes = (/** @type {number} */ bytes) => `${(bytes / 1_048_576).toFixed(1)} MiB`;
  const seconds = (/** @type {number} */ ms) => `${(ms / 1_000).toFixed(1)} s`;
  const passageCount = Object.values(passages).reduce((sum, count) => sum + count, 0);
  // The system counts the highest value in KiB.
  const peakBytes = process.resourceUsage().maxRSS * 1_024;
  console.log(`${documents.DOCUMENT} documents, ${passageCount} passages, ${terms} different words`);
  console.log(`all on disk after ${seconds(durableMs)}, all searchable after ${seconds(searchableMs)}`);
  console.log(`memory: ${mebibytes(memoryBytes)} for knowledge and index (estimated)`);
  console.log(
    `        ${mebibytes(process.memoryUsage().rss)} for the whole process, server and import included; ${mebibytes(peakBytes)} at most`,
  );
  console.log(`disk:   ${mebibytes(diskBytes)}`);
}

/**
 * @param {number} rank 0 if it was not found
 * @param {string} expectedId
 */
function verdict(rank, expectedId) {
  if (rank === 1) return "=> the expected article came first";
  const where = rank === 0 ? "is not among the first ten" : `came as number ${rank}`;
  return `=> the expected article ${where}: ${expectedId}`;
}

await inTemporaryDirectory((directory) => demo(directory, process.argv[2] ?? DATA_SET));
