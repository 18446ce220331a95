import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const document = { resourceDocId: "d", type: "DOCUMENT", content: [{ md: "A walrus sleeps on the ice." }] };

it("knows of every bot what was seen of it, and opens none for that", async () => {
  const storage = new KeptStorage();
  const before = await Engine.open({ storage, embedders: {} });
  for (const name of ["a", "b", "c"]) {
    await before.createBot({ name });
    const bot = await before.bot(name);
    await bot.createArticle({ title: "Walrus", body: "Ice." });
    await bot.importDocument(document);
  }
  await before.close();

  const engine = await Engine.open({ storage, embedders: {}, openBotsMax: 1 });
  expect(engine.fleet().map(({ name, figures }) => [name, figures])).toEqual(
    ["a", "b", "c"].map((name) => [name, undefined]),
  );
  const a = await engine.bot("a");
  await a.removeDocument("d");
  // Takes the only place.
  await engine.bot("b");
  const fleet = engine.fleet();
  expect(engine.openBots).toBe(1);
  expect(fleet[0]?.figures).toMatchObject({ articles: 1, documents: 0, characterUsed: 10, indexFailures: 0 });
  expect(fleet[1]?.figures).toMatchObject({
    articles: 1,
    documents: 1,
    lastWriteAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(fleet[2]?.figures).toBeUndefined();
  expect(fleet.map(({ figures: _, ...bot }) => bot)).toEqual(engine.listBots());
  await engine.removeBot("a");
  await engine.createBot({ name: "a" });
  expect(engine.fleet()[0]?.figures).toBeUndefined();
  await engine.close();
});

it("tells the last write of a bot also after a start", async () => {
  const storage = new KeptStorage();
  const before = await Engine.open({ storage, embedders: {} });
  await before.createBot({ name: "a" });
  const bot = await before.bot("a");
  expect(before.fleet()[0]?.figures?.lastWriteAt).toBeUndefined();
  const { article } = await bot.createArticle({ title: "Walrus", body: "Ice." });
  await before.close();
  const engine = await Engine.open({ storage, embedders: {} });
  await engine.bot("a");
  expect(engine.fleet()[0]?.figures?.lastWriteAt).toBe(article.updatedAt);
  await engine.close();
});
