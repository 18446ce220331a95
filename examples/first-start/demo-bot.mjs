/** Makes the bot `demo`: this project's documentation as its knowledge, and three articles. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { importSources } from "loredex";
import { readFolder } from "../sync-folder/files.mjs";

/** @typedef {import("loredex").Engine} Engine */

export const DEMO = "demo";
/** The bot's name until it is complete. Renaming it is the one step that makes the demo: before it there is none. */
export const UNFINISHED = "demo (not complete yet)";

const ARTICLES = fileURLToPath(new URL("articles", import.meta.url));
/**
 * Questions whose answers are known, each with the page or the title of the article that has it.
 * @type {readonly (readonly [question: string, answer: string])[]}
 */
const GOLDEN = [
  ["how do I give a bot a new key?", "file:docs/command-line/bots-and-keys.md"],
  ["How many characters may I write in a minute?", "How much can I write?"],
  ["How do I make sure that customers find my article?", "How to write an article that is found"],
  ["Can another bot see our knowledge?", "Which knowledge can I change, and who else can see it?"],
  ["How do I bring a bot back from a backup?", "file:docs/command-line/backups.md"],
  ["How do I teach the search that two words mean the same?", "file:docs/vocabulary.md"],
  ["Which versions of Node does it run on?", "file:docs/platforms.md"],
  ["What does an answer with status 429 mean?", "file:docs/http-api.md"],
];
const PAGES = ["README.md", "ARCHITECTURE.md", "docs"];

/**
 * @param {Engine} engine
 * @param {string} root the project's directory
 * @returns {Promise<{ key: string, documents: number, articles: number } | undefined>} undefined if there is a demo already
 */
export async function makeDemo(engine, root) {
  if (engine.findBot(DEMO)) return undefined;
  // What an earlier start left behind that did not come to its end.
  if (engine.findBot(UNFINISHED)) await engine.removeBot(UNFINISHED);
  const { bot: created, key } = await engine.createBot({ name: UNFINISHED, questionLog: true });
  const bot = await engine.bot(created.id);

  const documents = await importDocumentation(engine, created.id, root);
  const { files } = await readFolder(ARTICLES);
  /** @type {Map<string, string>} */
  const ids = new Map();
  for (const { title, body } of files) {
    const { article } = await bot.createArticle({ title, body, metadata: { topic: "getting started" } });
    ids.set(title, article.id);
  }
  const insights = await engine.insights(created.id);
  await insights.setGolden(GOLDEN.map(([question, answer]) => ({ question, expected: ids.get(answer) ?? answer })));
  await bot.whenSearchable();

  await engine.updateBot(created.id, { name: DEMO });
  return { key, documents, articles: files.length };
}

/**
 * Imports the project's own pages, as `loredex import` does: the id of a page is `file:` and its path in the project.
 * @param {Engine} engine
 * @param {string} bot
 * @param {string} root the project's directory
 * @returns {Promise<number>} how many pages there are
 */
export async function importDocumentation(engine, bot, root) {
  const paths = PAGES.map((name) => join(root, name)).filter((path) => existsSync(path));
  const { added, problems } = await importSources(await engine.bot(bot), paths);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.place}: ${problem.message}`);
  return added;
}
