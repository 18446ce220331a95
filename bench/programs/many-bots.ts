import { Engine } from "@loredex/core";
import { InventedText } from "../corpora/invented-text.ts";
import { seededRandom } from "../corpora/seeded-random.ts";
import { median, percentile } from "../measuring/measures.ts";

/** `many-bots.ts DIRECTORY fill BOTS`, or `start SEED`: see `bots.ts`. Prints what it measured as JSON. */

const [, , directory = "", what = "start", number = "0"] = process.argv;
const ARTICLES = 3;
const WORDS = 60;
const AT_ONCE = 50;
const QUESTIONS = 1_000;

async function fill(count: number): Promise<object> {
  const engine = await Engine.open({ directory });
  const text = new InventedText(count);
  for (let from = 0; from < count; from += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, i) => `bot ${from + i}`);
    await Promise.all(
      names.map(async (name) => {
        const { bot: info } = await engine.createBot({ name });
        const bot = await engine.bot(info.id);
        for (let i = 0; i < ARTICLES; i++) await bot.createArticle({ title: text.words(3), body: text.words(WORDS) });
        await bot.whenUpgraded();
      }),
    );
  }
  await engine.close();
  return {};
}

/** Bots in an order by seed: their places in the directory's files are no order of use. */
async function start(seed: number): Promise<object> {
  const before = performance.now();
  const engine = await Engine.open({ directory });
  const startMs = performance.now() - before;
  const random = seededRandom(seed);
  const text = new InventedText(seed);
  const ids = engine
    .listBots()
    .map(({ id }) => ({ id, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, QUESTIONS);
  const [openMs, searchMs, processorMs]: [number[], number[], number[]] = [[], [], []];
  for (const { id } of ids) {
    const question = text.words(4);
    const processor = process.cpuUsage();
    const from = performance.now();
    const bot = await engine.bot(id);
    // Reads what is there once the bot is open, and nothing else.
    await bot.listAgents();
    const opened = performance.now();
    await bot.search(question);
    openMs.push(opened - from);
    searchMs.push(performance.now() - opened);
    const { user, system } = process.cpuUsage(processor);
    processorMs.push((user + system) / 1_000);
  }
  await engine.close();
  const times = openMs.map((ms, i) => ms + (searchMs[i] ?? 0));
  return {
    start: startMs,
    "very first": times[0] ?? 0,
    "cold, median": median(times),
    "cold, p99": percentile(times, 0.99),
    "cold, slowest": Math.max(...times),
    "of it opening, median": median(openMs),
    "of it opening, p99": percentile(openMs, 0.99),
    "of it searching, median": median(searchMs),
    "of it searching, p99": percentile(searchMs, 0.99),
    // Of all threads: what a question would take if nothing else wanted a processor.
    "processor time, median": median(processorMs),
    "processor time, p99": percentile(processorMs, 0.99),
  };
}

process.stdout.write(JSON.stringify(await (what === "fill" ? fill(Number(number)) : start(Number(number)))));
