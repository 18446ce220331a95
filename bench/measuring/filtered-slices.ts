import type { Bot, Engine, SearchOptions } from "@loredex/core";
import { unlimitedBot } from "../bots/unlimited-bot.ts";
import type { InventedText } from "../corpora/invented-text.ts";
import { measuredTurn, type TurnRow } from "./measured-slice.ts";

/** As many dots as the name of a filter may have: each key that it may mean is looked for, and the shortest is there. */
const NAME = `${"x.".repeat(30)}x`;
const NAMES = 50;

type Filters = NonNullable<SearchOptions["filters"]>;

/** Filtered searches, an explanation and lists of a bot of so many passages, while another bot is searched. */
export async function filteredTurns(
  engine: Engine,
  other: Bot,
  text: InventedText,
  passages: number,
): Promise<TurnRow[]> {
  const { bot } = await unlimitedBot(engine, "filtered");
  const inner = Object.fromEntries(Array.from({ length: NAMES }, (_, n) => [`f${n}`, { [NAME]: 1 }]));
  for (let i = 0; i < passages; i += 50) {
    const documents = Array.from({ length: 50 }, (_, n) => ({
      resourceDocId: `d${i + n}`,
      type: "DOCUMENT" as const,
      metaData: { ...inner, half: n % 2 },
      content: [{ md: text.words(60) }],
    }));
    await Promise.all(documents.map((document) => bot.importDocument(document)));
  }
  await bot.whenSearchable();
  const query = text.words(8);
  const names = Array.from({ length: NAMES }, (_, n) => [`metaData.f${n}.${NAME}`, 1] as const);
  const filters: Readonly<Record<string, Filters>> = {
    none: {},
    half: { "metaData.half": 1 },
    nothing: { "metaData.half": "nothing" },
    "32 dots": { [`metaData.f0.${NAME}`]: "nothing" },
    "50 names of 32 dots": Object.fromEntries(names),
  };
  const rows: TurnRow[] = [];
  const row = async (what: string, work: () => Promise<unknown>): Promise<void> =>
    void rows.push(await measuredTurn(`filter: ${what}`, passages * 400, other, work));
  for (const [what, each] of Object.entries(filters)) {
    await row(what, () => bot.search(query, { filters: each, topK: 100, includeContent: true }));
    await row(`${what}, explained`, () => bot.explain(query, "d1", { filters: each, topK: 100 }));
  }
  await row("all documents listed", () => bot.listDocuments({ status: "active" }));
  return rows;
}
