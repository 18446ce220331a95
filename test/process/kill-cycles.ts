/** Kills a writing process again and again, and looks each time at what it left. */

import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { expect } from "vitest";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";
import type { Event, State } from "./events.ts";
import { type Charge, chargesOf, expectWindow } from "./rate-window.ts";

const WRITER = sourceProgram(fileURLToPath(new URL("writer.ts", import.meta.url)));
const LANES = 8;
const PLENTY = 1_000_000_000_000;

export interface Totals {
  acknowledged: number;
  snapshots: number;
  purges: number;
  /** Writes that were there without having been acknowledged. */
  unacknowledged: number;
}

/** Runs the writer, kills it after so many acknowledgements, and returns all it said. `lie` makes it sync nothing. */
export function killedAfter(
  directory: string,
  seed: number,
  acknowledgements: number,
  { lie = false } = {},
): Promise<Event[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [...WRITER.execArgv, WRITER.path, directory, `${LANES}`, `${seed}`, ...(lie ? ["lie"] : [])],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const events: Event[] = [];
    let complaint = "";
    let done = 0;
    child.stderr.on("data", (data: Buffer) => {
      complaint += data.toString();
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      // The writer's last line may have been cut off by its end: it was not said then.
      if (!line.endsWith("}")) return;
      const event: Event = JSON.parse(line);
      events.push(event);
      if (event.done !== undefined) done += 1;
      if (done >= acknowledgements && !child.killed) child.kill("SIGKILL");
    });
    child.on("error", reject);
    child.on("close", (_, signal) => {
      if (signal === "SIGKILL") resolve(events);
      else reject(new Error(`the writer ended by itself: ${complaint}`));
    });
  });
}

/** What must be there, and for each lane the one write that may be there as well. */
function expectedAfter(before: State, events: readonly Event[]): { sure: State; open: Map<number, Event> } {
  const sure = new Map(before);
  const open = new Map<number, Event>();
  for (const event of events) {
    const { lane, id, body } = event;
    if (lane === undefined) continue;
    if (event.try !== undefined) {
      open.set(lane, event);
      continue;
    }
    open.delete(lane);
    if (event.done === "put" && id !== undefined && body !== undefined) sure.set(id, body);
    if (event.done === "delete" && id !== undefined) sure.delete(id);
  }
  return { sure, open };
}

/** Takes from `open` what explains the difference between what is there and what must be. */
function expectOnlyOpenDifferences(found: State, sure: State, open: ReadonlyMap<number, Event>): number {
  const unexplained: string[] = [];
  let explained = 0;
  const writes = [...open.values()];
  for (const [id, body] of found) {
    if (sure.get(id) === body) continue;
    const known = sure.has(id);
    const fits = writes.some(
      (event) => event.try === "put" && event.body === body && (event.id === id || (!known && event.id === undefined)),
    );
    if (fits) explained += 1;
    else unexplained.push(`${id} should ${known ? `be "${sure.get(id)}"` : "not be there"}, is "${body}"`);
  }
  for (const id of sure.keys()) {
    if (found.has(id)) continue;
    if (writes.some((event) => event.try === "delete" && event.id === id)) explained += 1;
    else unexplained.push(`${id} is lost`);
  }
  expect(unexplained).toEqual([]);
  return explained;
}

/** What was known before a life of the writer, and what it did to the rate window. */
export interface Known {
  readonly state: State;
  readonly charges: readonly Charge[];
}

/** Opens what a life of the writer left. Fails if anything acknowledged is lost, or anything else came. */
export async function inspect(
  directory: string,
  before: Known,
  events: readonly Event[],
  totals: Totals,
): Promise<Known> {
  const engine = await Engine.open({ directory, embedders: {} });
  try {
    const bot = await engine.bot("killed");
    const articles = await bot.listArticles();
    const found: State = new Map(articles.map(({ id, body }) => [id, body]));
    const { sure, open } = expectedAfter(before.state, events);
    totals.unacknowledged += expectOnlyOpenDifferences(found, sure, open);
    const characters = articles.reduce((sum, { title, body }) => sum + [...title].length + [...body].length, 0);
    expect(articles.reduce((sum, { characterCount }) => sum + characterCount, 0)).toBe(characters);
    expect((await bot.stats()).characterUsed).toBe(characters);
    const charges = [...before.charges, ...chargesOf(before.state, events)];
    const askedMs = Date.now();
    expectWindow((await bot.stats()).rateUsed, charges, askedMs, Date.now());
    await bot.whenSearchable();
    expect((await bot.listArticles()).filter(({ status }) => status !== "active")).toEqual([]);
    const [last] = articles.slice(-1);
    const step = last === undefined ? undefined : /^Step (\S+) of lane \d+\./.exec(last.body)?.[0];
    if (last !== undefined && step !== undefined) {
      const results = await bot.search(step, { filters: { resourceDocId: last.id } });
      expect(results).toHaveLength(1);
    }
    return { state: found, charges };
  } finally {
    await engine.close();
  }
}

/** Makes the bot that the writer writes to. */
export async function prepare(directory: string): Promise<Known> {
  const engine = await Engine.open({ directory, embedders: {} });
  await engine.createBot({ name: "killed", quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY });
  await engine.close();
  return { state: new Map(), charges: [] };
}

export function count(totals: Totals, events: readonly Event[]): void {
  totals.acknowledged += events.filter(({ done }) => done !== undefined).length;
  totals.snapshots += events.filter(({ snapshot }) => snapshot === true).length;
  totals.purges += events.filter(({ purge }) => purge === true).length;
}

/** What every body begins with, which no other one does. */
const STEP = /Step \d+\.\d+ of lane \d+\./g;

/** Purges what all the lives have left, and looks for anything that is no more. */
async function expectPurged(directory: string, state: State): Promise<void> {
  const there = new Set([...state.values()].flatMap((body) => body.match(STEP) ?? []));
  expect(await leftIn(directory, there)).toBeGreaterThan(0);
  const engine = await Engine.open({ directory, embedders: {} });
  await engine.purge("killed");
  expect(await leftIn(directory, there)).toBe(0);
  await engine.close();
}

/** How often a body is in a file that none of these is. */
async function leftIn(directory: string, there: ReadonlySet<string>): Promise<number> {
  let count = 0;
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = (await readFile(join(entry.parentPath, entry.name))).toString("latin1");
    count += (text.match(STEP) ?? []).filter((step) => !there.has(step)).length;
  }
  return count;
}

/** So many lives of a writer on one directory, each ended by SIGKILL at another moment. */
export async function expectNothingLost(cycles: number, seed: number): Promise<Totals> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-kill-"));
  const totals: Totals = { acknowledged: 0, snapshots: 0, purges: 0, unacknowledged: 0 };
  try {
    let known = await prepare(directory);
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const moment = 1 + ((Math.imul(cycle + seed, 2_654_435_761) >>> 0) % 1_500);
      const events = await killedAfter(directory, seed + cycle, moment);
      count(totals, events);
      known = await inspect(directory, known, events, totals);
    }
    await expectPurged(directory, known.state);
    return totals;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
