import { expect, it } from "vitest";
import { storeName } from "../../src/catalog/store-names.ts";
import { INDEX_SECTION } from "../../src/model/derived-sections.ts";
import type { LoadedSnapshot } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { opened } from "../support/embedded-bot.ts";

/** The analyzer whose terms the newest snapshot of a bot has. */
async function analyzerIn(database: SimulatedDatabase, id: string): Promise<string | undefined> {
  const store = await database.open().open(storeName(id));
  let newest: LoadedSnapshot | undefined;
  await store.recover({
    snapshot: (loaded) => {
      newest = loaded;
    },
    record: () => undefined,
  });
  await store.close();
  const bytes = newest?.sections.get(INDEX_SECTION)?.bytes;
  return bytes && /"analyzer":"([^"]+)"/.exec(Buffer.from(bytes).toString("latin1"))?.[1];
}

it("a snapshot has the terms of the bot's language, though nothing was written since the language changed", async () => {
  const database = new SimulatedDatabase();
  const first = await opened(database.open());
  for (let count = 0; count < 3; count += 1) {
    await first.bot.createArticle({ title: `Long ${count}`, body: "word ".repeat(2_000) });
  }
  await first.engine.close();
  const { id } = first.bot;
  const before = await analyzerIn(database, id);
  const { engine } = await opened(database.open());
  await engine.updateBot(id, { language: "de" });
  const bot = await engine.bot(id);
  await bot.whenUpgraded();
  expect(await bot.stats()).not.toHaveProperty("languageChange");
  await engine.close();
  expect(before).toMatch(/^en/);
  expect(await analyzerIn(database, id)).toMatch(/^de/);
});
