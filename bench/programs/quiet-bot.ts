import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { type Bot, type DocumentInput, Engine, openEnglishStatic } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openHashed } from "../bots/hashed-embedder.ts";
import { unlimitedBot } from "../bots/unlimited-bot.ts";
import { documentsIn, questionsIn } from "../corpora/corpus-files.ts";
import { median, percentile, spreadOf } from "../measuring/measures.ts";
import { RESULTS } from "../peers/competitors.ts";

/** `quiet-bot.ts DIRECTORY import|upgrade short|whole`: see `quiet.ts`. Prints its rows as JSON. */

const [, , corpus = "", beside = "import", length = "whole"] = process.argv;
const IS_SHORT = length === "short";
const ROUNDS = IS_SHORT ? 1 : 3;
const IDLE_MS = IS_SHORT ? 200 : 6_000;
const QUIET_BYTES = IS_SHORT ? 50_000 : 1_000_000;
const IMPORTED_BYTES = IS_SHORT ? 50_000 : 10_000_000;
/** About 5,000 passages. */
const UPGRADED_BYTES = IS_SHORT ? 5_000 : 2_700_000;
const READ_FIRST_BYTES = IS_SHORT ? 2_000 : 20_000;
const IMPORTS_AT_ONCE = 32;

/** Asks one question of some bot. */
interface Asker {
  readonly what: string;
  readonly ask: (question: string) => Promise<unknown>;
}

interface Taken {
  /** In milliseconds, of each asker. */
  readonly times: readonly (readonly number[])[];
  readonly longestTurnMs: number;
  readonly seconds: number;
}

const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
const engine = await Engine.open({
  directory,
  embedders: {
    minilm: { languages: [], open: () => openMiniLm(), static: openEnglishStatic },
    static: { languages: [], static: openEnglishStatic },
    hashed: { languages: [], open: openHashed },
  },
});
const asking = new Worker(new URL("quiet-asker.js", import.meta.url), { workerData: await questionsIn(corpus) });

type Said = { readonly asker: number; readonly question: string } | Pick<Taken, "times">;

/** Has questions asked from another thread until the work is done. */
async function during(askers: readonly Asker[], work: Promise<unknown>): Promise<Taken> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const start = performance.now();
  const over = new Promise<Taken["times"]>((resolve, reject) => {
    const heard = (said: Said): void => {
      if ("times" in said) {
        asking.off("message", heard);
        resolve(said.times);
        return;
      }
      askers[said.asker]?.ask(said.question).then(() => asking.postMessage("answered"), reject);
    };
    asking.on("message", heard);
  });
  asking.postMessage(askers.length);
  await work;
  const seconds = (performance.now() - start) / 1_000;
  delays.disable();
  asking.postMessage("over");
  return { times: await over, longestTurnMs: delays.max / 1e6, seconds };
}

async function newBot(name: string, embedder: "minilm" | "static" | "hashed"): Promise<Bot> {
  return (await unlimitedBot(engine, name, embedder)).bot;
}

async function bring(bot: Bot, documents: AsyncIterable<DocumentInput>, bytesMax: number): Promise<void> {
  let brought: Promise<unknown>[] = [];
  let bytes = 0;
  for await (const document of documents) {
    brought.push(bot.importDocument(document));
    bytes += Buffer.byteLength(JSON.stringify(document));
    if (bytes >= bytesMax) break;
    if (brought.length < IMPORTS_AT_ONCE) continue;
    await Promise.all(brought);
    brought = [];
  }
  await Promise.all(brought);
  await bot.whenSearchable();
}

function rowsOf(askers: readonly Asker[], idle: readonly Taken[], busy: readonly Taken[]): object[] {
  return askers.map(({ what }, i) => {
    const p99Of = ({ times }: Taken): number => percentile(times[i] ?? [], 0.99);
    const medianOf = ({ times }: Taken): number => median(times[i] ?? []);
    return {
      "questions to": what,
      "idle median ms": median(idle.map(medianOf)),
      "idle p99 ms": median(idle.map(p99Of)),
      "median ms": median(busy.map(medianOf)),
      "p99 ms": median(busy.map(p99Of)),
      "p99 × idle": median(busy.map((taken, round) => p99Of(taken) / p99Of(idle[round] ?? taken))),
      spread: spreadOf(busy.map(p99Of)),
      "longest turn ms": Math.max(...busy.map(({ longestTurnMs }) => longestTurnMs)),
      "work s": median(busy.map(({ seconds }) => seconds)),
    };
  });
}

async function besideImports(): Promise<object[]> {
  const bot = await newBot("quiet", "static");
  await bring(bot, documentsIn(corpus), QUIET_BYTES);
  const looking = await newBot("looking", "hashed");
  await bring(looking, documentsIn(corpus), QUIET_BYTES);
  await looking.whenUpgraded();
  const askers = [
    { what: "a bot beside the import of 10 MB", ask: askerOf(bot) },
    { what: "one with reranking beside it", ask: askerOf(looking) },
  ];
  await during(askers, wait(IDLE_MS));
  const [idle, busy]: [Taken[], Taken[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const loud = await newBot(`loud ${round}`, "static");
    idle.push(await during(askers, wait(IDLE_MS)));
    busy.push(await during(askers, bring(loud, documentsIn(corpus), IMPORTED_BYTES)));
    await engine.removeBot(`loud ${round}`);
  }
  return rowsOf(askers, idle, busy);
}

/** The encoder reads the passages of a bot once, so that there is one round: idle before it, busy, and idle again. */
async function besideUpgrade(): Promise<object[]> {
  const quiet = await newBot("quiet", "static");
  await bring(quiet, documentsIn(corpus), QUIET_BYTES);
  const read = await newBot("read", "minilm");
  await bring(read, documentsIn(corpus), READ_FIRST_BYTES);
  await read.whenUpgraded();
  const askers = [
    { what: "another bot beside an upgrade", ask: askerOf(quiet) },
    { what: "the bot itself, fast quality", ask: askerOf(read, { quality: "fast" }) },
    { what: "the bot itself, best quality", ask: askerOf(read) },
  ];
  await during(askers, wait(IDLE_MS));
  await bring(read, documentsIn(corpus), UPGRADED_BYTES);
  const busy = await during(askers, read.whenUpgraded());
  const idle = await during(askers, wait(2 * IDLE_MS));
  return rowsOf(askers, [idle], [busy]);
}

function askerOf(bot: Bot, options: { readonly quality?: "fast" } = {}): Asker["ask"] {
  return (question) => bot.search(question, { topK: RESULTS, ...options });
}

try {
  process.stdout.write(JSON.stringify(await (beside === "import" ? besideImports() : besideUpgrade())));
} finally {
  await asking.terminate();
  await engine.close();
  await rm(directory, { recursive: true, force: true });
}
