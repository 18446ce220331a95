import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Engine, type EngineOptions } from "../../src/engine.ts";
import { LoredexError } from "../../src/model/errors.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { CAR } from "../support/embedded-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const made: string[] = [];
afterAll(async () => {
  for (const directory of made) await rm(directory, { recursive: true, force: true });
});

async function engineWithTwoBots(options: EngineOptions = {}) {
  const directory = join(await mkdtemp(join(tmpdir(), "loredex-lost-")), "data");
  made.push(directory);
  const events: LogEvent[] = [];
  const logger = (event: LogEvent): void => void events.push(event);
  const engine = await Engine.open({ directory, embedders: {}, logger, ...options });
  const { bot: one } = await engine.createBot({ name: "one" });
  const { bot: other } = await engine.createBot({ name: "other" });
  for (const { id } of [one, other]) await (await engine.bot(id)).createArticle(CAR);
  return { directory, events, engine, one: one.id, other: other.id };
}

// All wait for the real check, which comes every few seconds.
it("a bot whose log was deleted turns read-only by itself, is told once, and still gives its backup", async () => {
  const { directory, events, engine, one, other } = await engineWithTwoBots({ openBotsMax: 2 });
  await rm(`${directory}/stores/bot-${one}`, { recursive: true });
  await expect.poll(() => engine.condition().faults, { timeout: 15_000 }).toEqual([{ id: one, kind: "readOnly" }]);
  expect(engine.condition().canWrite).toBe(true);
  expect(engine.findBot(one)?.fault?.message).toContain("was removed or moved away");
  await expect((await engine.bot(one)).createArticle(CAR)).rejects.toMatchObject({ code: "READ_ONLY" });
  expect(await (await engine.bot(one)).search("car")).toMatchObject([{}]);
  await (await engine.bot(other)).createArticle(CAR);
  const fragments: Uint8Array[] = [];
  for await (const fragment of engine.backup(one)) fragments.push(fragment);
  const restored = await engine.restore(
    (async function* () {
      yield* fragments;
    })(),
    { as: "restored" },
  );
  expect(await (await engine.bot(restored.bot.id)).listArticles()).toHaveLength(1);
  await (await engine.bot(other)).search("car");
  // It was used before the two others, and stays open all the same: it could not be opened again.
  expect(await (await engine.bot(one)).search("car")).toMatchObject([{}]);
  expect(events.filter(({ level }) => level === "error")).toMatchObject([{ event: "botNotWritable", botId: one }]);
  await engine.close().catch(() => undefined);
}, 30_000);

it("where the directory was moved away, nothing can be written, which is told once", async () => {
  const { directory, events, engine, one, other } = await engineWithTwoBots();
  await rename(directory, `${directory}-elsewhere`);
  made.push(`${directory}-elsewhere`);
  await expect.poll(() => engine.condition().canWrite, { timeout: 15_000 }).toBe(false);
  for (const id of [one, other]) {
    await expect((await engine.bot(id)).createArticle(CAR)).rejects.toMatchObject({ code: "READ_ONLY" });
    expect(engine.findBot(id)?.fault).toMatchObject({ kind: "readOnly" });
  }
  await expect(engine.createBot({ name: "new" })).rejects.toMatchObject({ code: "READ_ONLY" });
  const told = events.filter(({ level }) => level === "error");
  expect(told).toMatchObject([{ event: "directoryLost" }]);
  expect(told[0]?.message).toContain("was removed or moved away");
  await engine.close().catch(() => undefined);
  await rename(`${directory}-elsewhere`, directory);
  const again = await Engine.open({ directory, embedders: {} });
  for (const id of [one, other]) expect(await (await again.bot(id)).listArticles()).toHaveLength(1);
  await again.close();
}, 30_000);

it("bots that are kept since their files were lost take no place from others", async () => {
  const { directory, engine, one, other } = await engineWithTwoBots({ openBotsMax: 1 });
  await (await engine.bot(one)).search("car");
  await rm(`${directory}/stores/bot-${one}`, { recursive: true });
  await expect.poll(() => engine.condition().faults, { timeout: 15_000 }).toEqual([{ id: one, kind: "readOnly" }]);
  expect(await (await engine.bot(other)).search("car")).toMatchObject([{}]);
  expect(await (await engine.bot(one)).search("car")).toMatchObject([{}]);
  await engine.close().catch(() => undefined);
}, 30_000);

it("a bot that was closed while it was found to be lost is not opened for that", async () => {
  const storage = new KeptStorage();
  let checks = 0;
  const checkPlaces = async () => {
    checks += 1;
    const lost = new LoredexError("READ_ONLY", "The log was removed.");
    return { stores: new Map([...storage.kept.keys()].map((name) => [name, lost])) };
  };
  const engine = await Engine.open({ storage: Object.assign(storage, { checkPlaces }), embedders: {} });
  await engine.createBot({ name: "closed" });
  await expect.poll(() => checks, { timeout: 15_000 }).toBe(1);
  await expect.poll(() => engine.condition().faults).toMatchObject([{ kind: "readOnly" }]);
  expect(engine.figures().openBots).toEqual([]);
  await engine.close();
}, 30_000);
