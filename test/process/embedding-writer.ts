import { setTimeout as wait } from "node:timers/promises";
import { Engine } from "@loredex/core";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";

/** Imports documents and embeds them slowly, telling how many vectors are durable, until it is killed. */

const DOCUMENTS = 300;

const [directory = ""] = process.argv.slice(2);
const open = async (): Promise<FakeEmbedder> => new FakeEmbedder({ onPassages: () => wait(40) });
const engine = await Engine.open({ directory, embedders: { fake: { languages: ["en"], open } } });
await engine.createBot({ name: "bot" });
const bot = await engine.bot("bot");
for (let i = 0; i < DOCUMENTS; i++) {
  const content = [{ md: `Number ${i} has\n\nwords of its own: w${i} x${i} y${i}` }];
  await bot.importDocument({ resourceDocId: `d${i}`, type: "DOCUMENT", content });
}
await bot.whenSearchable();
for (;;) {
  process.stdout.write(`${(await bot.stats()).vectors.vectors}\n`);
  await wait(1);
}
