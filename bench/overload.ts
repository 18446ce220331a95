import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import type { BenchOptions } from "./bench-options.ts";
import { InventedText } from "./invented-text.ts";
import { printTable } from "./table.ts";

/**
 * What a quiet bot and `/health` wait for while clients of another bot ask questions of 4 KB, 100 documents each with their whole content. Clients are in
 * threads of their own; the quiet bot is asked one short question after the other.
 */

const PLENTY = 1_000_000_000_000;
const QUESTION_CHARACTERS_MAX = 4_096;

interface Row {
  readonly clients: number;
  readonly "quiet p50 ms": number;
  readonly "quiet p99 ms": number;
  readonly "health p99 ms": number;
  readonly "quiet refused": number;
  readonly "loud answered": number;
  readonly "loud refused": number;
  readonly "quiet p99 / idle": number;
  readonly "health p99 / idle": number;
}

/** Asks again and again until told to stop, and then tells how long each answer took: a thread's whole program. */
const CLIENTS = `
const { parentPort, workerData } = require("node:worker_threads");
const http = require("node:http");
const { port, method, path, key, bodies, clients } = workerData;
const agent = new http.Agent({ keepAlive: true, maxSockets: clients });
let isOver = false, answered = 0, refused = 0;
const times = [];
function ask(body) {
  return new Promise((resolve) => {
    const headers = { ...(key === undefined ? {} : { "x-api-key": key }), "content-type": "application/json" };
    const start = performance.now();
    const request = http.request({ port, method, path, agent, headers }, (response) => {
      response.resume();
      response.on("end", () => {
        if (response.statusCode === 200) { answered++; times.push(performance.now() - start); } else refused++;
        resolve(response.statusCode);
      });
    });
    request.on("error", () => { refused++; resolve(0); });
    request.end(body);
  });
}
async function client(number) {
  for (let i = number; !isOver; i++) {
    const status = await ask(bodies[i % bodies.length]);
    await new Promise((resolve) => setTimeout(resolve, status === 200 ? (clients === 1 ? 5 : 0) : 50));
  }
}
const all = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
parentPort.on("message", () => {
  isOver = true;
  all.then(() => { agent.destroy(); parentPort.postMessage({ answered, refused, times }); parentPort.close(); });
});
`;

interface Asked {
  readonly answered: number;
  readonly refused: number;
  readonly times: readonly number[];
}

interface Asking {
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly key?: string;
  readonly bodies: readonly string[];
  readonly clients: number;
}

export async function overload({ short, json }: BenchOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  try {
    const engine = await Engine.open({ directory, embedders: {} });
    const text = new InventedText(7);
    const loud = await filled(engine, text, short ? 100 : 8_000);
    const quiet = await filled(engine, text, short ? 20 : 200);
    const server = createApiServer(engine);
    const { port } = await server.listen({ port: 0, host: "127.0.0.1" });
    const longQuestions = Array.from({ length: 50 }, () =>
      JSON.stringify({
        query: text.words(700).slice(0, QUESTION_CHARACTERS_MAX),
        options: { topK: 100, includeContent: true },
      }),
    );
    const shortQuestions = Array.from({ length: 50 }, () => JSON.stringify({ query: text.words(4) }));
    const search = { port, method: "POST", path: "/api/v1/knowledge/search" } as const;
    const rows: Row[] = [];
    let idle: { readonly quiet: number; readonly health: number } | undefined;
    for (const clients of short ? [0, 8] : [0, 16, 256]) {
      const asking = [
        started({ ...search, key: quiet, bodies: shortQuestions, clients: 1 }),
        started({ port, method: "GET", path: "/health", bodies: [""], clients: 1 }),
        started({ ...search, key: loud, bodies: longQuestions, clients }),
      ];
      await new Promise((resolve) => setTimeout(resolve, short ? 300 : 15_000));
      const [asked, health, others] = await Promise.all(asking.map(ended));
      const p99 = { quiet: quantile(asked, 0.99), health: quantile(health, 0.99) };
      idle ??= p99;
      rows.push({
        clients,
        "quiet p50 ms": quantile(asked, 0.5),
        "quiet p99 ms": p99.quiet,
        "health p99 ms": p99.health,
        "quiet refused": asked?.refused ?? 0,
        "loud answered": others?.answered ?? 0,
        "loud refused": others?.refused ?? 0,
        "quiet p99 / idle": p99.quiet / idle.quiet,
        "health p99 / idle": p99.health / idle.health,
      });
    }
    await server.close();
    await engine.close();
    if (json) console.log(JSON.stringify(rows));
    else printTable(rows);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A bot with so many articles; its key. */
async function filled(engine: Engine, text: InventedText, articles: number): Promise<string> {
  const limits = { quotaCharacters: PLENTY, rateCharactersPerMinute: PLENTY };
  const { bot: info, key } = await engine.createBot({ name: `${articles}`, ...limits });
  const bot = await engine.bot(info.id);
  for (let i = 0; i < articles; i += 50) {
    const bodies = Array.from({ length: Math.min(50, articles - i) }, () => text.words(60));
    await Promise.all(bodies.map((body) => bot.createArticle({ title: text.words(3), body })));
  }
  await bot.whenSearchable();
  return key;
}

function started(asking: Asking): Worker {
  return new Worker(CLIENTS, { eval: true, workerData: asking, execArgv: [] });
}

function ended(worker: Worker): Promise<Asked> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.postMessage("end");
  });
}

function quantile(asked: Asked | undefined, share: number): number {
  const times = [...(asked?.times ?? [])].sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}
