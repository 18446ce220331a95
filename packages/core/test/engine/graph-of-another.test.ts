import { expect, it } from "vitest";
import { deferred } from "../../src/scheduling/deferred.ts";
import { withStores } from "../support/changed-stores.ts";
import { opened } from "../support/embedded-bot.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

it("the graph of a new embedder's vectors is built when that of the old ones is out of the way", async () => {
  const disk = deferred();
  let writes = 0;
  const storage = withStores(new KeptStorage(), (store) => {
    const write = store.writeCache.bind(store);
    store.writeCache = async (cache, bytes) => {
      writes += 1;
      await disk.promise;
      await write(cache, bytes);
    };
  });
  const embedders = {
    one: { languages: ["en"], static: async () => new FakeStatic("1") },
    other: { languages: [], static: async () => new FakeStatic("2") },
  };
  const { engine, bot } = await opened(storage, {}, { graphVectorsMin: 50, embedders });
  for (let i = 0; i < 40; i++) await bot.createArticle({ title: `Page ${i}`, body: `word${i} other${i * 7}` });
  await bot.whenSearchable();
  await expect.poll(() => writes).toBe(1);
  await engine.updateBot("bot", { embedder: "other" });
  disk.resolve();
  await expect.poll(async () => (await bot.stats()).vectors.graph).toBe("ready");
  await engine.close();
});
