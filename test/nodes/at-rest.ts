/** What must hold of a bot once nobody writes to it: of all that was stored, and of the answers of all nodes. */

import { expect } from "vitest";
import { KNOWLEDGE, type ListReply, type Reply, SEARCH, send, type WriteReply } from "../http/client.ts";
import type { Fleet, FleetBot, StoredRecord } from "./fleet.ts";
import type { NodeProcess } from "./node-process.ts";

const WINDOW_MS = 60_000;
/** Articles that all nodes are asked for by their words. */
const ASKED = 20;

/** What was counted of the records of a bot. */
export interface Counted {
  readonly records: number;
  readonly bodies: Map<string, string>;
  readonly characterUsed: number;
  /** The most characters that were in use, and that were charged in 60 seconds. */
  readonly usedMost: number;
  readonly chargedMost: number;
}

/** Replays all that was stored. Fails if a record is missing or twice, a write was stored twice, or a limit was exceeded after any of them. */
export function countStored(
  { quotaCharacters, rateCharactersPerMinute }: FleetBot,
  stored: readonly StoredRecord[],
): Counted {
  expect(stored.map(({ sequence }) => sequence)).toEqual(stored.map((_, i) => i + 1));
  const bodies = new Map<string, string>();
  const lengths = new Map<string, number>();
  const charges: { readonly characters: number; readonly atMs: number }[] = [];
  const words: string[] = [];
  let [used, usedMost] = [0, 0];
  const replaced: string[] = [];
  for (const { record, storedMs } of stored) {
    if (record.kind === "articleDelete") {
      replaced.push(record.id);
      used -= lengths.get(record.id) ?? Number.NaN;
      bodies.delete(record.id);
      lengths.delete(record.id);
      continue;
    }
    if (record.kind !== "articlePut") continue;
    const { id, title, body } = record.article;
    const length = [...title].length + [...body].length;
    used += length - (lengths.get(id) ?? 0);
    usedMost = Math.max(usedMost, used);
    bodies.set(id, body);
    lengths.set(id, length);
    words.push(body.split(" ")[0] ?? "");
    // The time of a charge is the database's, as the node last heard it.
    expect(record.charge.atMs).toBeLessThanOrEqual(storedMs + 1);
    charges.push(record.charge);
  }
  expect(repeated(words)).toEqual([]);
  expect(repeated(replaced)).toEqual([]);
  expect(usedMost).toBeLessThanOrEqual(quotaCharacters);
  const chargedMost = mostCharged(charges);
  expect(chargedMost).toBeLessThanOrEqual(rateCharactersPerMinute);
  return { records: stored.length, bodies, characterUsed: used, usedMost, chargedMost };
}

function repeated(words: readonly string[]): string[] {
  const seen = new Set<string>();
  return words.filter((word) => seen.size === seen.add(word).size);
}

/** The most characters of any 60 seconds. */
function mostCharged(charges: readonly { readonly characters: number; readonly atMs: number }[]): number {
  const inOrder = charges.toSorted((a, b) => a.atMs - b.atMs);
  let [first, sum, most] = [0, 0, 0];
  for (const { characters, atMs } of inOrder) {
    sum += characters;
    for (let old = inOrder[first]; old !== undefined && old.atMs <= atMs - WINDOW_MS; old = inOrder[first]) {
      sum -= old.characters;
      first += 1;
    }
    most = Math.max(most, sum);
  }
  return most;
}

/** Fails unless exactly the acknowledged articles are stored, no write is stored twice, no limit was exceeded, and all nodes answer alike. */
export async function expectAtRest(
  fleet: Fleet,
  bot: FleetBot,
  {
    articles,
    doubtful = new Set(),
  }: { readonly articles: ReadonlyMap<string, string>; readonly doubtful?: ReadonlySet<string> },
): Promise<Counted> {
  const counted = countStored(bot, await fleet.stored(bot));
  const more = [...counted.bodies].filter(([, body]) => doubtful.has(body));
  const acknowledged = new Map([...articles, ...more]);
  expect(differences(counted.bodies, acknowledged)).toBe("");
  expect(await fleet.sql("select store from S.steps_back")).toEqual([]);
  for (const node of fleet.nodes) {
    // A node that lost the database a moment ago sees soon that it answers.
    await expect.poll(async () => (await send(node.url, "GET", "/ready")).text).not.toContain("databaseUnreachable");
    await expect.poll(async () => (await listReply(node, bot)).status).toBe(200);
  }
  const lists = await Promise.all(fleet.nodes.map((node) => listOf(node, bot)));
  for (const list of lists) {
    expect(differences(new Map(list.map(({ id, body }) => [id, body])), acknowledged)).toBe("");
    expect(list.map(({ status: _, ...rest }) => rest)).toEqual(lists[0]?.map(({ status: _, ...rest }) => rest));
  }
  await expectAnswersAlike(fleet, bot, [...acknowledged]);
  const [some] = acknowledged;
  if (some === undefined) return counted;
  for (const node of fleet.nodes) {
    // It changes nothing, and tells what is used.
    const path = `${KNOWLEDGE}/${some[0]}`;
    const { json } = await ask<WriteReply>(node, bot, "PUT", path, { body: some[1] });
    expect(json.characterUsed).toBe(counted.characterUsed);
  }
  return counted;
}

/** A line for each; empty if there are none. */
function differences(found: ReadonlyMap<string, string>, sure: ReadonlyMap<string, string>): string {
  const lost = [...sure].filter(([id, body]) => found.get(id) !== body);
  const more = [...found].filter(([id]) => !sure.has(id));
  return [
    ...lost.map(([id, body]) => `${id} should be "${body}", is "${found.get(id)}"`),
    ...more.map(([id, body]) => `${id} should not be there, is "${body}"`),
  ].join("\n");
}

function listReply(node: NodeProcess, bot: FleetBot): Promise<Reply<ListReply>> {
  return send(node.url, "GET", KNOWLEDGE, { headers: { "x-api-key": bot.key } });
}

async function listOf(node: NodeProcess, bot: FleetBot): Promise<ListReply["data"]> {
  const { json } = await ask<ListReply>(node, bot, "GET", KNOWLEDGE);
  return json.data;
}

/** Fails unless all nodes find the same by the words of some articles, and by one that many have. */
async function expectAnswersAlike(
  fleet: Fleet,
  bot: FleetBot,
  articles: readonly (readonly [string, string])[],
): Promise<void> {
  for (const node of fleet.nodes)
    await expect.poll(async () => (await listOf(node, bot)).filter(({ status }) => status !== "active")).toEqual([]);
  const every = Math.max(1, Math.floor(articles.length / ASKED));
  const asked = articles.filter((_, i) => i % every === 0);
  for (const query of ["text", ...asked.map(([, body]) => body.split(" ")[0])]) {
    const answers = await Promise.all(
      fleet.nodes.map((node) => ask(node, bot, "POST", SEARCH, { query, options: { topK: 100 } })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
}

async function ask<T>(
  node: NodeProcess,
  bot: FleetBot,
  method: string,
  path: string,
  json?: unknown,
): Promise<Reply<T>> {
  const sent = json === undefined ? {} : { json };
  const reply = await send<T>(node.url, method, path, { ...sent, headers: { "x-api-key": bot.key } });
  expect(reply.status, reply.text).toBe(200);
  return reply;
}
