/** A storage of your own: held to its contract, and then under an engine whose disk loses its power. */

import { strict as assert } from "node:assert";
import { Engine } from "@loredex/core";
import { openStorageOn, SimulatedFileSystem, storageContract } from "@loredex/core/testing";
import { tellingStorage } from "./telling-storage.mjs";

const DIRECTORY = "/data";

/** Every case has a disk of its own, and opens the storage on it once or twice. */
const cases = storageContract(async () => {
  const disk = new SimulatedFileSystem();
  return async () => tellingStorage(await openStorageOn(disk, DIRECTORY), () => undefined);
});
// A runner of tests would take them one by one: for (const { name, run } of cases) test(name, run);
for (const { name, run } of cases) {
  await run().catch((error) => {
    throw new Error(`The storage breaks its contract: ${name}`, { cause: error });
  });
}
console.log(`the contract is kept: ${cases.length} cases`);

/** @type {string[]} */
const told = [];
/** @param {SimulatedFileSystem} disk */
const openEngine = async (disk) =>
  Engine.open({
    embedders: {},
    storage: tellingStorage(await openStorageOn(disk, DIRECTORY), (store, sequence, record) =>
      told.push(`${store}, record ${sequence}: ${record.length} bytes`),
    ),
  });

const disk = new SimulatedFileSystem({ seed: 7 });
const engine = await openEngine(disk);
await engine.createBot({ name: "acme" });
const bot = await engine.bot("acme");
const { article } = await bot.createArticle({ title: "Refunds", body: "A refund takes three working days." });
assert.ok(told.length > 0, "the storage told of no record");
console.log(`${told.length} records were told, the last of them with the article`);

// The machine loses its power: what was not synced may be lost, but no acknowledged write is.
const diskAfter = disk.afterPowerCut();
await engine.close().catch((error) => console.log(`the old engine finds its disk dead: ${error.code}`));
const next = await openEngine(diskAfter);
const { title } = (await (await next.bot("acme")).getArticle(article.id)) ?? {};
assert.equal(title, "Refunds");
console.log(`after the power cut the article is there: ${title}`);
await next.close();
