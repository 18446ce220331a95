import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bot, Engine } from "@loredex/core";
import { unlimitedBot } from "../bots/unlimited-bot.ts";
import { InventedText } from "../corpora/invented-text.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { filteredTurns } from "../measuring/filtered-slices.ts";
import { measuredTurn, type TurnRow } from "../measuring/measured-slice.ts";
import { printTable } from "../measuring/table.ts";

/**
 * How long anything stands still while something large goes on: the longest turn of the event loop from the call to the moment in which all is
 * searchable, the turn that 99 of 100 stay below, and the slowest search meanwhile. Each row has its bar: what comes over the API has 20 ms, an import 100 ms.
 */

const MEGABYTE = 1_000_000;
const QUERY_CHARACTERS_MAX = 4_096;

type Shape = (text: InventedText) => string;

const SHAPES: Readonly<Record<string, Shape>> = {
  paragraphs: (text) => `## ${text.words(3)}\n\n${text.words(60)}.\n\n`,
  "one line": (text) => `${text.words(12)}. `,
  lines: (text) => `${text.words(12)}.\n`,
  table: (text) => `| ${text.words(3)} | ${text.words(3)} |\n`,
  code: (text) => `    ${text.words(6)} = {};\n`,
};

/** Texts that cost a parser most. */
const HOSTILE: Readonly<Record<string, string>> = {
  dots: ".",
  quotes: "> ",
  brackets: "[",
  rules: "- - \n",
  marks: "*a_b`",
};

/** `only` takes what begins with it: `article`, `import`, `question`, `filter`, `opening`. */
export async function turns({ short, json, only = "" }: BenchOptions): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-bench-"));
  const scale = short ? 0.02 : 1;
  const rows: TurnRow[] = [];
  try {
    const engine = await Engine.open({ directory, embedders: {} });
    const { bot } = await unlimitedBot(engine, "t");
    const text = new InventedText(7);
    for (let i = 0; i < 200; i++) await bot.createArticle({ title: text.words(3), body: text.words(100) });
    const put = async (what: string, body: string): Promise<void> => {
      const input = { title: "Large", body };
      let id = "";
      const create = async (): Promise<void> => {
        id = (await bot.createArticle(input)).article.id;
        await bot.whenSearchable();
      };
      rows.push(await measuredTurn(`article: ${what}`, body.length, bot, create));
      const same = { body: `${body}.` };
      const update = (): Promise<unknown> => bot.updateArticle(id, same).then(() => bot.whenSearchable());
      rows.push(await measuredTurn(`article again: ${what}`, body.length, bot, update));
      rows.push(await measuredTurn(`article gone: ${what}`, body.length, bot, () => bot.deleteArticle(id)));
    };
    const isWanted = (what: string): boolean => only === "" || what.startsWith(only) || only.startsWith(what);
    if (isWanted("article")) await put("paragraphs", ofLength(MEGABYTE * scale, SHAPES.paragraphs, text));
    if (isWanted("article")) await put("one line", ofLength(MEGABYTE * scale, SHAPES["one line"], text));
    for (const [what, unit] of isWanted("article") ? Object.entries(HOSTILE) : []) {
      await put(what, `harbour ${unit.repeat((MEGABYTE * scale) / unit.length)} harbour`);
    }
    for (const megabytes of [1, 6.8, 30, 64]) {
      for (const [what, shape] of Object.entries(SHAPES)) {
        if (!isWanted(`import: ${what} ${megabytes}`)) continue;
        if (megabytes > 6.8 && what !== "paragraphs" && what !== "one line") continue;
        const head = what === "table" ? "| a | b |\n|---|---|\n" : "";
        const md = head + ofLength(megabytes * MEGABYTE * scale, shape, text);
        const resourceDocId = `${what} ${megabytes}`;
        const document = { resourceDocId, type: "DOCUMENT", content: [{ md }] };
        const bring = (): Promise<unknown> => bot.importDocument(document).then(() => bot.whenSearchable());
        rows.push(await measuredTurn(`import: ${what}`, md.length, bot, bring));
        rows.push(await measuredTurn(`removal: ${what}`, md.length, bot, () => bot.removeDocument(resourceDocId)));
      }
    }
    if (isWanted("question")) rows.push(...(await questions(engine, bot, text, 8_000 * scale)));
    if (isWanted("filter")) rows.push(...(await filteredTurns(engine, bot, text, 50_000 * scale)));
    await engine.close();
    for (const passages of isWanted("opening") ? [20_000, 50_000] : []) {
      rows.push(...(await opening(join(directory, `${passages}`), passages * scale)));
    }
    if (json) console.log(JSON.stringify(rows));
    else printTable(rows);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Questions that cost most, to a bot of so many articles, while another bot is searched. */
async function questions(engine: Engine, other: Bot, text: InventedText, articles: number): Promise<TurnRow[]> {
  const { bot } = await unlimitedBot(engine, "asked");
  for (let i = 0; i < articles; i += 50) {
    const bodies = Array.from({ length: 50 }, () => text.words(60));
    await Promise.all(bodies.map((body) => bot.createArticle({ title: text.words(3), body })));
  }
  await bot.whenSearchable();
  const words = text.words(1_000).split(" ");
  const asked: Record<string, readonly string[]> = {
    "a few words": words.slice(0, 5),
    words,
    "mistyped words": words.map((word) => `${word.slice(0, 2)}z${word.slice(3)}`),
    "common words": words.map((_, i) => words[i % 8] ?? ""),
    "one word": words.map(() => words[0] ?? ""),
  };
  const rows: TurnRow[] = [];
  for (const [what, all] of Object.entries(asked)) {
    const query = all.join(" ").slice(0, QUERY_CHARACTERS_MAX);
    // Many at once, as clients ask them.
    const ask = (): Promise<unknown> =>
      Promise.all(Array.from({ length: 64 }, () => bot.search(query, { topK: 100, includeContent: true })));
    rows.push(await measuredTurn(`question: ${what}`, query.length * 64, other, ask));
  }
  return rows;
}

/** The first opening of a bot of so many passages, from its snapshot, and then its list of articles. */
async function opening(directory: string, passages: number): Promise<TurnRow[]> {
  const text = new InventedText(8);
  const engine = await Engine.open({ directory, embedders: {} });
  const { bot } = await unlimitedBot(engine, "o");
  for (let i = 0; i < passages; i += 50) {
    const bodies = Array.from({ length: 50 }, () => text.words(60));
    await Promise.all(bodies.map((body) => bot.createArticle({ title: "An article", body })));
  }
  await bot.whenSearchable();
  await engine.close();
  const again = await Engine.open({ directory, embedders: {} });
  const open = async (): Promise<void> => void (await (await again.bot(bot.id)).listAgents());
  const list = async (): Promise<void> => void (await (await again.bot(bot.id)).listArticles());
  const rows = [
    await measuredTurn(`opening: ${passages} passages`, passages * 400, undefined, open),
    await measuredTurn(`listing: ${passages} articles`, passages * 400, undefined, list),
  ];
  await again.close();
  return rows;
}

function ofLength(units: number, shape: Shape | undefined, text: InventedText): string {
  const fragments: string[] = [];
  // A thousand different ones are enough, and take less time to make.
  for (let length = 0; length < units && fragments.length < 1_000; length += fragments.at(-1)?.length ?? 1) {
    fragments.push(shape?.(text) ?? "");
  }
  const once = fragments.join("");
  // Joined anew, so that it is one piece of memory as what has been read from somewhere.
  return Buffer.from(once.repeat(Math.ceil(units / once.length)).slice(0, units)).toString();
}
