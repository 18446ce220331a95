/** Compares what nodes have and answer with what clients were told. */

import { setTimeout as pause } from "node:timers/promises";

/** @typedef {import("@loredex/client").LoredexClient} LoredexClient */
/** @typedef {import("@loredex/client").Article} Article */

const ACTIVE_TRIES = 300;
const TRY_MS = 100;

/**
 * @typedef {object} Found
 * @property {number} articles
 * @property {number} lost acknowledged articles that are missing, or have another body
 * @property {number} back deleted articles that are there
 * @property {number} twice articles that were created more than once
 */

/**
 * Compares the articles of one node with those that were acknowledged.
 * @param {Iterable<Pick<Article, "id" | "title" | "body">>} articles
 * @param {import("./load.mjs").Told} told
 * @returns {Found}
 */
export function compared(articles, { bodies, deleted }) {
  const all = [...articles];
  const found = new Map(all.map(({ id, body }) => [id, body]));
  return {
    articles: all.length,
    lost: [...bodies].filter(([id, body]) => found.get(id) !== body).length,
    back: [...deleted].filter((id) => found.has(id)).length,
    twice: all.length - new Set(all.map(({ title }) => title)).size,
  };
}

/**
 * All articles of a node, once all of them can be found.
 * @param {LoredexClient} node
 * @param {AbortSignal} signal
 */
export async function articlesOf(node, signal) {
  for (let tries = 1; ; tries += 1) {
    /** @type {Article[]} */
    const articles = [];
    for await (const article of node.listArticles({}, { signal })) articles.push(article);
    if (articles.every(({ status }) => status === "active")) return articles;
    if (tries === ACTIVE_TRIES) throw new Error("Some articles can still not be found.");
    await pause(TRY_MS, undefined, { signal });
  }
}

/**
 * Asks all nodes the same, and prints the best answer of each question.
 * @param {ReadonlyMap<string, LoredexClient>} nodes by their names
 * @param {readonly string[]} questions
 * @param {AbortSignal} signal
 * @returns {Promise<number>} questions whose answers differ
 */
export async function differing(nodes, questions, signal) {
  let count = 0;
  for (const question of questions) {
    const answers = await Promise.all([...nodes.values()].map((node) => node.search(question, { signal })));
    const isAlike = new Set(answers.map((answer) => JSON.stringify(answer))).size === 1;
    if (!isAlike) count += 1;
    console.log(`  ${question}`);
    const told = [...nodes.keys()].map((name, i) => `${name}: ${bestOf(answers[i] ?? [])}`);
    console.log(isAlike ? `    all nodes: ${bestOf(answers[0] ?? [])}` : `    ${told.join("\n    ")}`);
  }
  return count;
}

/** @param {readonly import("@loredex/client").SearchResult[]} results */
function bestOf([best, ...others]) {
  if (best === undefined) return "nothing";
  const line = best.similarTextParts[0]?.start ?? 1;
  return `${best.resourceDocId}, line ${line}, score ${best.bestMatchScore.toFixed(3)}, and ${others.length} more`;
}
