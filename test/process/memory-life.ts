/**
 * A program that writes what takes much memory into bots whose process has little, and says on standard output what it is about to do, what was
 * acknowledged and how much was refused. Run as `memory-life.ts DIRECTORY SEED STEPS [close]`: it ends after STEPS steps, with `close` properly.
 */

import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Bot, Engine, LoredexError } from "@loredex/core";

const [, , directory = "", seed = "", steps = "", how] = process.argv;
const PLENTY = 1_000_000_000;
const LANES = 6;
const BOTS = ["one", "two", "three"];
const UNITS_MAX = 600_000;

/** Small and repeatable; the quality of its numbers does not matter. */
let state = Number(seed) >>> 0;
function random(below: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}

function say(event: object): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}

function word(): string {
  return Array.from({ length: 4 + random(5) }, () => String.fromCharCode(97 + random(26))).join("");
}

function filled(units: number, next: () => string): string {
  const parts: string[] = [];
  for (let length = 0; length < units; length += parts.at(-1)?.length ?? 1) parts.push(next());
  // One text, and no tree of many.
  return Buffer.from(parts.join("")).toString();
}

const COMMON = Array.from({ length: 2_000 }, word);

/** What makes an index large in one way or another. */
const TEXTS: readonly ((units: number) => string)[] = [
  (units) => filled(units, () => `${word()} `),
  (units) => filled(units, () => `${word()}${random(12) === 0 ? ".\n\n" : " "}`),
  (units) => filled(units, () => `${COMMON[random(COMMON.length)]}${random(15) === 0 ? ".\n\n" : " "}`),
  (units) => filled(units / 4, () => "- a\n"),
  (units) => filled(units / 4, () => `- ${word()}\n`),
  (units) => filled(units / 8, () => `## ${word()}\n`),
  (units) => `| one | two |\n|---|---|\n${filled(units / 4, () => `| ${word()} | ${word()} |\n`)}`,
  (units) => filled(units / 2, () => String.fromCharCode(0x4e00 + random(8_000))),
  (units) => `\`\`\`\n${filled(units, () => `${word()}.${word()}(${random(1e6)});\n`)}\`\`\`\n`,
];

function text(): string {
  const units = random(4) === 0 ? UNITS_MAX / 4 + random((UNITS_MAX * 3) / 4) : 1 + random(UNITS_MAX / 20);
  return TEXTS[random(TEXTS.length)]?.(units) ?? "";
}

/** As much as an article may have, of many keys or of long values. */
function metadata(): Record<string, string> {
  if (random(3) > 0) return {};
  const [keys, units] = random(2) === 0 ? [100, 5] : [8, 8_000];
  return Object.fromEntries(Array.from({ length: keys }, (_, i) => [`${word()}${i}`, "é".repeat(random(units))]));
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}

const refused = { memory: 0 };
/** Whether it was done: there may be no memory for it. */
async function wasDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof LoredexError && error.code === "OUT_OF_MEMORY")) throw error;
    refused.memory++;
    return false;
  }
}

async function write(bot: Bot, lane: number, own: string[]): Promise<void> {
  const known = own[random(own.length)];
  const kind = random(10);
  if (kind < 4) {
    const content = text();
    const id = `lane ${lane} document ${random(30)}`;
    const document = { resourceDocId: id, type: "DOCUMENT", content: [{ md: content }] };
    say({ try: "document", bot: bot.id, id, digest: digest(content) });
    if (await wasDone(() => bot.importDocument(document)))
      say({ done: "document", bot: bot.id, id, digest: digest(content) });
  } else if (kind < 6 || known === undefined) {
    const draft = { title: `Lane ${lane}: ${word()}`, body: text() || "x", metadata: metadata() };
    await wasDone(async () => {
      const { article } = await bot.createArticle(draft);
      own.push(article.id);
      say({ done: "article", bot: bot.id, id: article.id, digest: digest(draft.body) });
    });
  } else if (kind < 9) {
    const body = text() || "x";
    say({ try: "article", bot: bot.id, id: known, digest: digest(body) });
    const isDone = await wasDone(() => bot.updateArticle(known, { body, metadata: metadata() }));
    if (isDone) say({ done: "article", bot: bot.id, id: known, digest: digest(body) });
  } else {
    say({ try: "article", bot: bot.id, id: known });
    if (await wasDone(() => bot.deleteArticle(known))) {
      own.splice(own.indexOf(known), 1);
      say({ done: "article", bot: bot.id, id: known });
    }
  }
}

const engine = await Engine.open({
  directory,
  embedders: {},
  logger: ({ event, message }) => say({ log: event, message }),
});
const limits = {
  quotaCharacters: PLENTY,
  rateCharactersPerMinute: PLENTY,
  quotaBytes: 100 * PLENTY,
  rateBytesPerMinute: 100 * PLENTY,
};
for (const name of BOTS) await engine.ensureBot({ name, ...limits, language: name === "one" ? "multi" : "en" });
let left = Number(steps);

/** The bot of a lane; undefined where there is no memory to open it. */
async function opened(number: number): Promise<{ readonly bot: Bot; readonly own: string[] } | undefined> {
  let found: { readonly bot: Bot; readonly own: string[] } | undefined;
  await wasDone(async () => {
    const bot = await engine.bot(BOTS[number % BOTS.length] ?? "");
    const articles = await bot.listArticles();
    found = { bot, own: articles.filter(({ title }) => title.startsWith(`Lane ${number}:`)).map(({ id }) => id) };
  });
  return found;
}

async function lane(number: number): Promise<void> {
  let lane = await opened(number);
  while (left-- > 0) {
    const before = refused.memory;
    lane ??= await opened(number);
    if (lane !== undefined && random(8) > 0) await write(lane.bot, number, lane.own);
    else if (lane !== undefined) {
      const { bot } = lane;
      await wasDone(() => bot.search(`${word()} ${COMMON[random(COMMON.length)]}`));
    }
    // What is refused is not asked for again at once.
    if (refused.memory > before) await sleep(20 + random(100));
  }
}

await Promise.all(Array.from({ length: LANES }, (_, number) => lane(number)));
const open = engine.figures().openBots.map(({ memoryBytes, indexQueue }) => ({ memoryBytes, indexQueue }));
say({ ended: true, refused: refused.memory, heapBytes: process.memoryUsage().heapUsed, open });
if (how === "close") await engine.close();
process.exit(0);
