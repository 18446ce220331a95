import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import type { CatalogStore } from "../../src/catalog/catalog-store.ts";
import { UnfinishedBots } from "../../src/catalog/unfinished-bots.ts";
import { settingsNamed } from "../support/bot-settings.ts";
import { KeptStorage } from "../support/kept-storage.ts";
import { openCatalog } from "../support/open-catalog.ts";

/** A catalog with so many bots, and the ids of these. */
async function catalogOf(count: number) {
  const storage = new KeptStorage();
  const catalog = await openCatalog(storage);
  const ids = Array.from({ length: count }, (_, i) => i.toString(16).padStart(24, "0"));
  for (const id of ids) {
    const key = { publicId: id, sha256: "0".repeat(64) };
    const record = { kind: "botCreate", id, settings: settingsNamed(`bot${id}`), createdAtMs: 0, key } as const;
    await catalog.exclusively(() => catalog.commit(record));
  }
  return { storage, catalog, ids };
}

const unfinishedBots = (catalog: CatalogStore): UnfinishedBots =>
  new UnfinishedBots(
    catalog,
    async () => undefined,
    () => undefined,
  );

it("a change of the catalog waits for one note about unfinished work, and not for those of all bots", async () => {
  const { storage, catalog, ids } = await catalogOf(100);
  const unfinished = unfinishedBots(catalog);
  for (const id of ids) unfinished.set(id, true);
  const before = storage.appended;
  await catalog.exclusively(() => catalog.commit({ kind: "keySet", id: ids.at(-1) ?? "" }));
  expect(storage.appended - before).toBeLessThanOrEqual(2);
  await unfinished.close();
  expect(storage.appended - before).toBe(101);
  expect(new Set(unfinishedBots(await openCatalog(storage)).ids)).toEqual(new Set(ids));
});

it("of a bot that is noted several times the last note holds", async () => {
  const { storage, catalog, ids } = await catalogOf(4);
  const unfinished = unfinishedBots(catalog);
  const [a = "", b = "", c = "", d = ""] = ids;
  for (const id of [a, b, c]) unfinished.set(id, true);
  unfinished.set(a, false);
  unfinished.set(d, false);
  unfinished.set(d, true);
  unfinished.set(b, false);
  unfinished.set(b, true);
  await unfinished.close();
  expect(new Set(unfinishedBots(await openCatalog(storage)).ids)).toEqual(new Set([b, c, d]));
});

it("a bot that is written to each ten seconds is noted twice a minute at most, and not twice a write", async () => {
  const { storage, catalog, ids } = await catalogOf(1);
  const [id = ""] = ids;
  let nowMs = 0;
  const pauses: { readonly untilMs: number; readonly end: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((end) => {
      pauses.push({ untilMs: nowMs + ms, end });
      signal?.addEventListener("abort", () => end());
    });
  const unfinished = new UnfinishedBots(catalog, sleep, () => undefined);
  const before = storage.appended;
  for (; nowMs < 300_000; nowMs += 10_000) {
    for (const { untilMs, end } of pauses) if (untilMs <= nowMs) end();
    await setImmediate();
    unfinished.set(id, true);
    await unfinished.recorded();
    expect(unfinishedBots(catalog).ids).toEqual([id]);
    unfinished.set(id, false);
  }
  expect(storage.appended - before).toBeLessThanOrEqual(10);
  await unfinished.close();
  expect(unfinishedBots(await openCatalog(storage)).ids).toEqual([]);
});
