import { expect, it } from "vitest";
import { Engine, type EngineOptions } from "../../src/index.ts";
import { deferred } from "../../src/scheduling/deferred.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { withStores } from "../support/changed-stores.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { KeptStorage } from "../support/kept-storage.ts";

/** Stores whose creation and removal can be held up, by the calls' names. */
class SlowStorage extends KeptStorage {
  readonly gates: Partial<Record<"create" | "remove", Promise<void>>> = {};

  override async create(name: string): Promise<void> {
    await this.gates.create;
    await super.create(name);
  }
  override async remove(name: string): Promise<void> {
    await this.gates.remove;
    await super.remove(name);
  }
}

async function withTwo(options: EngineOptions = {}): Promise<{ engine: Engine; storage: SlowStorage; key: string }> {
  const storage = new SlowStorage();
  const engine = await Engine.open({ storage, ...options });
  await engine.createBot({ name: "one", embedder: "none", rateCharactersPerMinute: 1_000_000 });
  const { key } = await engine.createBot({ name: "two", embedder: "none" });
  return { engine, storage, key };
}

it("a key is revoked at once while vectors of another bot are filled", async () => {
  const held = deferred();
  const staticEmbedder = async () => {
    await held.promise;
    return new FakeStatic();
  };
  const { engine, key } = await withTwo({ embedders: { slow: { languages: [], static: staticEmbedder } } });
  const one = await engine.bot("one");
  await one.createArticle({ title: "The shop", body: "You can buy a car here." });
  let isSet = false;
  const set = engine.updateBot("one", { embedder: "slow" }).then(() => {
    isSet = true;
  });
  await engine.revokeKey("two");
  expect(engine.authenticate(key)).toBeUndefined();
  // The bot itself takes changes as well, and its newest embedder holds.
  expect(await engine.updateBot("one", { embedder: "none" })).toMatchObject({ embedder: "none" });
  expect(isSet).toBe(false);
  held.resolve();
  await set;
  expect((await one.stats()).vectors).toMatchObject({ embedder: "none", vectors: 0 });
  await engine.close();
});

it.each(["create", "remove"] as const)("a key is revoked at once while it takes long to %s a store", async (call) => {
  const { engine, storage, key } = await withTwo();
  const held = deferred();
  storage.gates[call] = held.promise;
  const slow: Promise<unknown> = call === "create" ? engine.createBot({ name: "three" }) : engine.removeBot("one");
  await engine.revokeKey("two");
  expect(engine.authenticate(key)).toBeUndefined();
  // Closing waits for it.
  const closing = engine.close();
  held.resolve();
  await slow;
  await closing;
  expect(storage.kept.size).toBe(call === "create" ? 4 : 2);
});

it("a bot that is restored while it is being removed comes back", async () => {
  const storage = await openOn(simulatedDisk());
  const engine = await Engine.open({ storage });
  await engine.createBot({ name: "one" });
  await (await engine.bot("one")).createArticle({ title: "The shop", body: "You can buy a car here." });
  const fragments: Uint8Array[] = [];
  for await (const fragment of engine.backup("one")) fragments.push(fragment);
  const held = deferred();
  const remove = storage.remove.bind(storage);
  let removals = 0;
  storage.remove = (name) => (removals++ === 0 ? held.promise : Promise.resolve()).then(() => remove(name));
  const removing = engine.removeBot("one");
  // Its name is free, and its store is not gone yet.
  await expect.poll(() => engine.findBot("one")).toBeUndefined();
  const restoring = engine.restore(
    (async function* () {
      yield* fragments;
    })(),
  );
  for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
  held.resolve();
  await removing;
  await restoring;
  expect(await (await engine.bot("one")).listArticles()).toHaveLength(1);
  await engine.close();
});

it("of a bot that is removed no last snapshot is written", async () => {
  let snapshots = 0;
  const storage = withStores(await openOn(simulatedDisk()), (store) => {
    const write = store.writeSnapshot.bind(store);
    store.writeSnapshot = (...snapshot) => {
      snapshots += 1;
      return write(...snapshot);
    };
  });
  const engine = await Engine.open({ storage });
  for (const name of ["one", "two"]) {
    await engine.createBot({ name, rateCharactersPerMinute: 1_000_000 });
    const bot = await engine.bot(name);
    for (let i = 0; i < 5; i++) await bot.createArticle({ title: "A long one", body: "apple ".repeat(3_000) });
  }
  await engine.removeBot("one");
  expect(snapshots).toBe(0);
  // Its like would have had one.
  await engine.close();
  expect(snapshots).toBe(1);
});
