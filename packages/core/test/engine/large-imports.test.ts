import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { type Bot, Engine } from "../../src/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const LARGE = "A sentence about a harbour. ".repeat(20_000);

async function openBot(): Promise<{ engine: Engine; bot: Bot }> {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({ name: "Imports" });
  return { engine, bot: await engine.bot(bot.id) };
}

function document(md: string, resourceDocId = "large") {
  return { resourceDocId, type: "DOCUMENT", content: [{ md }] };
}

it("lets others pass while a large document is made ready, and those of its id wait", async () => {
  const { bot } = await openBot();
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  const done = Promise.all([
    bot.importDocument(document(LARGE)).then(note("large")),
    bot.importDocument(document("harbour")).then(note("small, same id")),
    bot.importDocument(document("pier", "other")).then(note("other")),
  ]);
  await done;
  expect(order).toEqual(["other", "large", "small, same id"]);
  await bot.whenSearchable();
  expect((await bot.search("harbour", { includeContent: true }))[0]?.content).toEqual([{ md: "harbour" }]);
});

const MANY = Array.from({ length: 10_000 }, (_, i) => `A sentence about harbour ${i}.`);

/** As many as a document may have. */
const VARIANTS = MANY.slice(0, 1_000).map((text) => text.repeat(6));

it.each([
  [
    "alternatives",
    { resourceDocId: "large", type: "QNA", question: "Where?", answer: "There.", alternatives: VARIANTS },
  ],
  ["metadata", { ...document("harbour"), metaData: { nested: { list: MANY.slice(0, 9_000) } } }],
  ["keys", { ...document("harbour"), metaData: Object.fromEntries(MANY.map((key) => [key, 1])) }],
])("lets others pass while a document is made ready that is large by its %s", async (_, large) => {
  const { bot } = await openBot();
  const order: string[] = [];
  const note = (name: string) => (): void => void order.push(name);
  await Promise.all([
    bot.importDocument(large).then(note("large")),
    bot.importDocument(document("pier", "other")).then(note("other")),
  ]);
  expect(order).toEqual(["other", "large"]);
});

it("decides on removals and imports in the order of the calls", async () => {
  const { bot } = await openBot();
  await bot.importDocument(document("harbour"));
  const outcomes = await Promise.all([
    bot.importDocument(document(LARGE)),
    bot.importDocument(document(LARGE)),
    bot.removeDocument("large"),
    bot.importDocument(document(`${LARGE} end`)),
  ]);
  expect(outcomes).toEqual(["replaced", "unchanged", undefined, "added"]);
  await bot.whenSearchable();
  expect((await bot.search("harbour")).map(({ resourceDocId }) => resourceDocId)).toEqual(["large"]);
});

it("is what the program gave, however the program changes it afterwards", async () => {
  const { bot } = await openBot();
  const given = { ...document(LARGE), metaData: { title: "Before" } };
  const imported = bot.importDocument(given);
  await setImmediate();
  given.metaData.title = "After";
  given.content[0] = { md: "other" };
  await imported;
  expect(JSON.stringify(await bot.getDocument("large"))).toContain('{"title":"Before"}');
  expect(await bot.importDocument({ ...document(LARGE), metaData: { title: "Before" } })).toBe("unchanged");
});

it("is not begun to be kept by a bot that closes meanwhile, or is kept whole", async () => {
  for (const turns of [0, 1, 4, 16]) {
    const disk = simulatedDisk();
    const first = await Engine.open({ storage: await openOn(disk) });
    const { bot: info } = await first.createBot({ name: "Imports" });
    const imported = (await first.bot(info.id)).importDocument(document(LARGE)).then(
      () => "kept",
      (error: { code?: string }) => String(error.code),
    );
    for (let turn = 0; turn < turns; turn++) await setImmediate();
    await first.close();
    const outcome = await imported;
    const again = await Engine.open({ storage: await openOn(disk) });
    const found = await (await again.bot(info.id)).getDocument("large");
    expect(["kept", "CLOSED"]).toContain(outcome);
    if (outcome === "kept") expect(found).toMatchObject(document(LARGE));
    else expect(found).toBeUndefined();
    await again.close();
  }
});
