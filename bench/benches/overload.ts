import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { percentile } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";
import type { Outcome } from "./overload/messages.ts";
import { picture } from "./overload/picture.ts";
import { LOADS, type Load, type Measured, Scene } from "./overload/scene.ts";

/**
 * What a quiet bot, `/health` and `/ready` wait for while another bot is asked for three and for ten times what the server can do: questions, changes of
 * articles, and documents that are imported. The last row of a load is measured after the quiet bot was asked often while nobody else wanted anything: that must
 * not be held against it. The server has a process of its own, as its clients have.
 */

const SECONDS = 15;
const CAPACITY_SECONDS = 8;
const SHORT_SECONDS = 0.4;
const TIMES = [3, 10];
const LONE_REQUESTS = 20_000;
const SHORT_LONE_REQUESTS = 200;
const MEBIBYTE = 1_048_576;

/** The goal: the quiet bot's slowest hundredth is answered within this, or within twice what it takes where nobody is loud. */
const QUIET_MS = 60;
const QUIET_TIMES_IDLE = 2;
const PROBE_MS = 100;

interface Row {
  readonly load: string;
  readonly "offered /s": number;
  readonly "done /s": number;
  readonly "refused /s": number;
  readonly failed: number;
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  readonly "quiet p50 ms": number;
  readonly "quiet p99 ms": number;
  readonly "quiet refused": number;
  readonly "health p99 ms": number;
  readonly "ready p99 ms": number;
  readonly "loop p99 ms": number;
  readonly "loop max ms": number;
  readonly "processor %": number;
  readonly "memory MiB": string;
  readonly goal: string;
}

/** `only` takes one load, `minutes` says how long each goes on, `plots` draws them. */
export async function overload({ short, json, only, minutes, plots }: BenchOptions): Promise<void> {
  const seconds = short ? SHORT_SECONDS : (minutes ?? SECONDS / 60) * 60;
  const loads = LOADS.filter((load) => only === undefined || only === load);
  const rows: Row[] = [];
  for (const load of loads) {
    const scene = await Scene.open(short);
    const capacity = await scene.capacity(load, short ? SHORT_SECONDS : CAPACITY_SECONDS);
    const idle = await scene.beside(load, 0, capacity, Math.min(seconds, SECONDS));
    const quietMaxMs = Math.max(QUIET_MS, QUIET_TIMES_IDLE * p99(idle.quiet));
    rows.push(rowOf("nothing", idle, 0, quietMaxMs));
    const runs: (readonly [name: string, Measured])[] = [];
    for (const times of TIMES) {
      const measured = await scene.beside(load, times, capacity, seconds);
      rows.push(rowOf(`${load} ${times} ×`, measured, capacity * times, quietMaxMs));
      runs.push([`${times} ×`, measured]);
    }
    const lone = short ? SHORT_LONE_REQUESTS : LONE_REQUESTS;
    await scene.askAlone(lone);
    const most = Math.max(...TIMES);
    const after = await scene.beside(load, most, capacity, Math.min(seconds, SECONDS));
    rows.push(rowOf(`${load} ${most} ×, after ${lone} lone requests`, after, capacity * most, quietMaxMs));
    await scene.close();
    if (plots === true) await drawn(load, runs);
  }
  if (json) console.log(JSON.stringify(rows));
  else printTable(rows);
}

function rowOf(
  name: string,
  { served, loud, quiet, health, ready }: Measured,
  offered: number,
  quietMaxMs: number,
): Row {
  const resident = served.samples.map(({ residentBytes }) => Math.round(residentBytes / MEBIBYTE));
  const quietMissed = quiet.refused + quiet.failed + quiet.unsent;
  const isMet = p99(quiet) <= quietMaxMs && quietMissed === 0 && p99(health) <= PROBE_MS && p99(ready) <= PROBE_MS;
  return {
    load: name,
    "offered /s": offered,
    "done /s": loud.answers.length / loud.seconds,
    "refused /s": (loud.refused + loud.unsent) / loud.seconds,
    failed: loud.failed,
    "p50 ms": quantile(loud, 0.5),
    "p99 ms": p99(loud),
    "quiet p50 ms": quantile(quiet, 0.5),
    "quiet p99 ms": p99(quiet),
    "quiet refused": quietMissed,
    "health p99 ms": p99(health),
    "ready p99 ms": p99(ready),
    "loop p99 ms": served.loopP99Ms,
    "loop max ms": served.loopMaxMs,
    "processor %": served.processorShare * 100,
    "memory MiB": `${resident[0] ?? 0}, ${Math.max(...resident)}, ${resident.at(-1) ?? 0}`,
    goal: isMet ? "met" : "missed",
  };
}

async function drawn(load: Load, runs: readonly (readonly [string, Measured])[]): Promise<void> {
  const path = fileURLToPath(new URL(`../../docs/plots/overload-${load}.svg`, import.meta.url));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, picture(load, runs));
}

function quantile({ answers }: Outcome, share: number): number {
  return percentile(
    answers.map(([, ms]) => ms),
    share,
  );
}

function p99(outcome: Outcome): number {
  return quantile(outcome, 0.99);
}
