import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import { type Bot, serve } from "loredex";
import { unlimitedBot } from "../../bots/unlimited-bot.ts";
import { InventedText } from "../../corpora/invented-text.ts";
import { answerMessages } from "./child.ts";
import type { Filled, Sample, Served, ServedMessage } from "./messages.ts";

/** The server's process: a server as `loredex serve` is one, with a loud bot and a quiet one, which watches itself. */

const SAMPLE_MS = 1_000;
const NANOSECONDS = 1_000_000;
/** Imported again and again, each time with another first line: so that memory is that of as many documents all the time. */
const DOCUMENTS = 20;
/** Some 300 KB. */
const DOCUMENT_PARAGRAPHS = 1_000;

const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
const server = await serve({ directory, port: 0, embedders: {} });
const text = new InventedText(7);
let loud: Bot | undefined;

async function fill(loudArticles: number, quietArticles: number): Promise<Filled> {
  const [ofLoud, ofQuiet] = [await filled("loud", loudArticles), await filled("quiet", quietArticles)];
  loud = ofLoud.bot;
  return {
    port: server.port,
    loudKey: ofLoud.key,
    quietKey: ofQuiet.key,
    loudArticles: (await loud.articlePage({ limit: 200 })).articles.map(({ id }) => id),
  };
}

async function filled(name: string, articles: number): Promise<{ readonly bot: Bot; readonly key: string }> {
  const { bot, key } = await unlimitedBot(server.engine, name);
  for (let i = 0; i < articles; i += 50) {
    const bodies = Array.from({ length: Math.min(50, articles - i) }, () => text.words(60));
    await Promise.all(bodies.map((body) => bot.createArticle({ title: text.words(3), body })));
  }
  await bot.whenSearchable();
  return { bot, key };
}

/** What the process is like while something is asked of it. */
class Watch {
  readonly #startMs = performance.now();
  readonly #processor = process.cpuUsage();
  readonly #all = monitorEventLoopDelay({ resolution: 1 });
  readonly #sinceSample = monitorEventLoopDelay({ resolution: 1 });
  readonly #samples: Sample[] = [];
  readonly #timer = setInterval(() => this.#sample(), SAMPLE_MS);
  readonly #imports: (readonly [number, number])[] = [];
  #importing: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(importers: number) {
    this.#all.enable();
    this.#sinceSample.enable();
    if (importers === 0) return;
    const page = text.page(DOCUMENT_PARAGRAPHS);
    this.#importing = Promise.all(Array.from({ length: importers }, (_, i) => this.#importer(i, page)));
  }

  async #importer(number: number, page: string): Promise<void> {
    for (let i = number; !this.#isOver; i++) {
      const startMs = performance.now();
      const md = `${text.words(12)}\n\n${page}`;
      await loud?.importDocument({ resourceDocId: `d${number}-${i % DOCUMENTS}`, type: "DOCUMENT", content: [{ md }] });
      if (!this.#isOver) this.#imports.push([startMs - this.#startMs, performance.now() - startMs]);
    }
  }

  #sample(): void {
    const { rss, heapUsed } = process.memoryUsage();
    const loopMs = this.#sinceSample.max / NANOSECONDS;
    this.#samples.push({ atMs: performance.now() - this.#startMs, residentBytes: rss, heapBytes: heapUsed, loopMs });
    this.#sinceSample.reset();
  }

  async end(): Promise<Served> {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#sample();
    const { user, system } = process.cpuUsage(this.#processor);
    const passedMs = performance.now() - this.#startMs;
    const ofLoop = (histogram: IntervalHistogram) => ({
      loopP99Ms: histogram.percentile(99) / NANOSECONDS,
      loopMaxMs: histogram.max / NANOSECONDS,
    });
    const served = {
      samples: this.#samples,
      ...ofLoop(this.#all),
      processorShare: (user + system) / 1_000 / passedMs,
      imports: this.#imports,
    };
    this.#all.disable();
    this.#sinceSample.disable();
    await this.#importing;
    await loud?.whenSearchable();
    return served;
  }
}

let watch: Watch | undefined;

answerMessages<ServedMessage>(async (message) => {
  if (message.tell === "fill") return fill(message.loudArticles, message.quietArticles);
  if (message.tell === "begin") watch = new Watch(message.importers);
  else if (message.tell === "end") return watch?.end();
  else {
    await server.close();
    await rm(directory, { recursive: true, force: true });
  }
});
