/**
 * Three nodes on one PostgreSQL database, of which one after the other is killed while articles are written and questions asked.
 * Ends with 1 if anything was lost, or if too little happened to show that nothing is.
 * usage: node demo.mjs [SECONDS], 1 to 3,600; default 25
 */

import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { LoredexClient } from "@loredex/client";
import { openPostgres } from "@loredex/postgres";
import { Engine } from "loredex";
import { startServer } from "../../tools/postgres/server.mjs";
import { importDocumentation } from "../first-start/demo-bot.mjs";
import { articlesOf, compared, differing } from "./at-rest.mjs";
import { load, Told } from "./load.mjs";
import { Node } from "./node.mjs";
import { startProxy } from "./proxy.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NODES = 3;
const BETWEEN_KILLS_MS = 2_000;
const DEAD_MS = 500;
const QUESTIONS = [
  "How can I see how many characters a bot has used?",
  "What happens when the rate limit is exceeded?",
  "Is an acknowledged write lost after a power cut?",
  "Which parcel was collected?",
];

/** @typedef {(stop: () => Promise<void>) => void} Stops takes what must be stopped at the end */

/**
 * Starts the database, imports the documentation, and starts the nodes and the proxy.
 * @param {Stops} stops
 * @param {AbortSignal} signal
 */
async function startCluster(stops, signal) {
  const database = await startServer();
  stops(database.stop);
  signal.throwIfAborted();
  console.log(`PostgreSQL listens on port ${database.port}.`);
  const engine = await Engine.open({ storage: await openPostgres(database.url) });
  let key;
  try {
    const plenty = { quotaCharacters: 100_000_000, rateCharactersPerMinute: 100_000_000 };
    // Its vectors are made in microseconds, so that each node is at rest as soon as the writes end.
    const created = await engine.createBot({ name: "demo", embedder: "static", ...plenty });
    key = created.key;
    console.log(`${await importDocumentation(engine, created.bot.id, ROOT)} pages of the documentation are imported.`);
  } finally {
    await engine.close();
  }
  const nodes = Array.from({ length: NODES }, (_, i) => new Node(`node-${i + 1}`, database.url));
  for (const node of nodes) stops(() => node.end("SIGTERM"));
  for (const node of nodes) {
    signal.throwIfAborted();
    await node.start();
    console.log(`${node.name} serves on ${node.url}`);
  }
  const proxy = await startProxy(() => nodes.map(({ url }) => url));
  stops(proxy.close);
  console.log(`The proxy asks them in turn: ${proxy.url}\n`);
  return { key, nodes, proxy };
}

/**
 * Waits until a node has opened the bot. While all nodes open it, as long as a slow machine needs, nothing is written.
 * @param {Node} node
 * @param {string} key
 * @param {AbortSignal} signal
 */
async function firstAnswer({ url }, key, signal) {
  await new LoredexClient({ baseUrl: url, key }).search(QUESTIONS[0] ?? "", { signal });
}

/**
 * Kills one node after the other and starts it again, until `isOver`.
 * @param {readonly Node[]} nodes
 * @param {string} key
 * @param {Told} told
 * @param {() => boolean} isOver
 * @param {AbortSignal} signal
 */
async function killInTurn(nodes, key, told, isOver, signal) {
  for (;;) {
    await pause(BETWEEN_KILLS_MS, undefined, { signal });
    const node = nodes[told.kills.length % nodes.length];
    if (isOver() || node === undefined) return;
    await node.end("SIGKILL");
    told.kills.push(told.writes);
    const killedMs = performance.now();
    await pause(DEAD_MS, undefined, { signal });
    await node.start();
    console.log(`  ${node.name} was killed, and serves again after ${Math.round(performance.now() - killedMs)} ms`);
    await firstAnswer(node, key, signal);
  }
}

/**
 * Returns whether it was shown that nothing is lost.
 * @param {number} seconds
 * @param {Stops} stops
 * @param {AbortSignal} signal
 */
async function demo(seconds, stops, signal) {
  const { key, nodes, proxy } = await startCluster(stops, signal);
  await Promise.all(nodes.map((node) => firstAnswer(node, key, signal)));
  const told = new Told();
  const endMs = performance.now() + seconds * 1_000;
  // If a node cannot be started, nobody writes on.
  let hasFailed = false;
  const isOver = () => hasFailed || signal.aborted || performance.now() >= endMs;
  const client = new LoredexClient({ baseUrl: proxy.url, key });
  const killing = killInTurn(nodes, key, told, isOver, signal).catch((error) => {
    hasFailed = true;
    throw error;
  });
  await Promise.all([killing, load(client, told, QUESTIONS, isOver, signal)]);

  console.log(
    `\nIn ${seconds} s and ${told.kills.length} kills, ${told.killsUnderWrites} of them while articles were written:`,
  );
  console.log(`  ${told.created} articles created, ${told.changed} changed, ${told.deleted.size} deleted`);
  console.log(`  ${told.answered} questions answered, ${told.unanswered} not`);
  console.log(`  ${told.unseen} acknowledged writes that the next request did not see`);
  console.log(`  ${told.refused} requests given up\n`);

  let lost = told.unseen;
  const clients = new Map(nodes.map(({ name, url }) => [name, new LoredexClient({ baseUrl: url, key })]));
  for (const [name, node] of clients) {
    const found = compared(await articlesOf(node, signal), told);
    lost += found.lost + found.back + found.twice;
    const { articles } = found;
    console.log(
      `${name}: ${articles} articles, ${found.lost} lost, ${found.twice} twice, ${found.back} back after their deletion`,
    );
  }
  console.log("\nEach node was asked:");
  const unlike = await differing(clients, QUESTIONS, signal);
  console.log(`\nWritten: ${told.writes}, killed: ${told.kills.length} times, lost: ${lost}.`);
  console.log(`Questions that nodes answer differently: ${unlike} of ${QUESTIONS.length}.`);
  if (told.unshown.length === 0) return lost + unlike === 0;
  console.log(`\nFAILED, since too little happened to show anything: ${told.unshown.join(", ")}.`);
  console.log(`Give it more time: node examples/demo-cluster/demo.mjs ${Math.min(3_600, 4 * seconds)}`);
  return false;
}

const seconds = Number(process.argv[2] ?? 25);
if (!(seconds >= 1 && seconds <= 3_600)) throw new Error("usage: node demo.mjs [SECONDS], 1 to 3,600");
const interrupted = new AbortController();
for (const name of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
  process.on(name, () => interrupted.abort(new Error(`Stopped by ${name}.`)));
}
/** @type {(() => Promise<void>)[]} */
const running = [];
try {
  const isWhole = await demo(seconds, (stop) => running.unshift(stop), interrupted.signal);
  process.exitCode = isWhole ? 0 : 1;
} catch (error) {
  console.error(interrupted.signal.aborted ? "\nStopped." : error);
  process.exitCode = interrupted.signal.aborted ? 130 : 1;
} finally {
  for (const stop of running) await stop();
}
