import { Engine } from "@loredex/core";
import { openPostgres } from "@loredex/postgres";
import { unlimitedBot, whenGraphIsReady } from "../../bots/unlimited-bot.ts";
import { InventedText } from "../../corpora/invented-text.ts";
import type { Lengths } from "./measured.ts";

/** Bots of the same size on the server, closed, with their snapshots. */
export interface FilledBots {
  readonly bots: readonly { readonly id: string; readonly key: string }[];
  /** Of one bot. */
  readonly passages: number;
  readonly questions: readonly string[];
}

const BOTS = 8;
const PARAGRAPHS = 10;

/** Fills bots with documents of invented text, each of ten passages. */
export async function fillBots(url: string, { passages, questions }: Lengths): Promise<FilledBots> {
  const engine = await Engine.open({ storage: await openPostgres(url) });
  const bots: { id: string; key: string }[] = [];
  let counted = 0;
  try {
    for (let number = 0; number < BOTS; number += 1) {
      const { bot, key } = await unlimitedBot(engine, `bot ${number}`);
      const text = new InventedText(number);
      for (let document = 0; document < passages / PARAGRAPHS; document += 1) {
        await bot.importDocument({
          resourceDocId: `document ${document}`,
          type: "DOCUMENT",
          metaData: { title: text.words(3) },
          content: [{ md: text.page(PARAGRAPHS) }],
        });
      }
      await whenGraphIsReady(bot);
      counted = Object.values((await bot.stats()).passages).reduce((sum, count) => sum + count, 0);
      bots.push({ id: bot.id, key });
    }
  } finally {
    await engine.close();
  }
  const text = new InventedText(BOTS);
  return { bots, passages: counted, questions: Array.from({ length: questions }, () => text.words(5)) };
}
