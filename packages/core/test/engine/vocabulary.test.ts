import { describe, expect, it, onTestFinished } from "vitest";
import { type Bot, copyStores, Engine, type Vocabulary, type VocabularyInput } from "../../src/index.ts";
import { emptyState } from "../../src/log/state.ts";
import { stateFromSections, stateSections } from "../../src/log/state-sections.ts";
import { checkVocabularySet } from "../../src/log/stored-shapes.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import type { LoadedSection } from "../../src/storage/store.ts";
import { openNodes } from "../nodes/nodes.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";

const VOCABULARY: Vocabulary = {
  synonyms: ["vacation, leave", "pay => salary"],
  pins: [{ question: "hello *", document: "salary" }],
  ignored: ["please"],
};

async function open(disk: SimulatedDisk = simulatedDisk()): Promise<Engine> {
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
  onTestFinished(() => engine.close());
  return engine;
}

async function fill(engine: Engine): Promise<Bot> {
  await engine.createBot({ name: "acme" });
  const bot = await engine.bot("acme");
  for (const [resourceDocId, md] of Object.entries({ leave: "Annual leave is long.", salary: "The salary is high." })) {
    await bot.importDocument({ resourceDocId, type: "DOCUMENT", content: [{ md }] });
  }
  await bot.whenSearchable();
  return bot;
}

/** What a bot with the vocabulary answers, and no other bot does. */
async function expectObeyed(bot: Bot): Promise<void> {
  await bot.whenSearchable();
  const found = async (query: string) => (await bot.search(query)).map(({ resourceDocId }) => resourceDocId);
  expect(await bot.getVocabulary()).toEqual(VOCABULARY);
  expect([await found("vacation"), await found("pay"), await found("hello you")]).toEqual([
    ["leave"],
    ["salary"],
    ["salary"],
  ]);
}

async function bytesOf(backup: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of backup) pieces.push(piece.slice());
  return Buffer.concat(pieces);
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

describe("a vocabulary is durable", () => {
  it.each([true, false])("over a start, with a snapshot: %s", async (withSnapshot) => {
    const disk = simulatedDisk();
    const before = await open(disk);
    const bot = await fill(before);
    await bot.setVocabulary(VOCABULARY);
    if (withSnapshot) await bot.snapshot();
    await before.close();
    await expectObeyed(await (await open(disk)).bot("acme"));
  });

  it("in a backup that is restored, and in a copy of the storage", async () => {
    const engine = await open();
    const bot = await fill(engine);
    await bot.setVocabulary(VOCABULARY);
    const backup = await bytesOf(engine.backup("acme"));
    await bot.setVocabulary({});
    await engine.restore(once(backup), { as: "again" });
    await expectObeyed(await engine.bot("again"));
    expect((await bot.getVocabulary()).synonyms).toEqual([]);
  });

  it("in a copy of the storage", async () => {
    const disk = simulatedDisk();
    const before = await open(disk);
    await (await fill(before)).setVocabulary(VOCABULARY);
    await before.close();
    const target = simulatedDisk();
    const [from, to] = [await openOn(disk), await openOn(target)];
    await copyStores(from, to);
    await Promise.all([from.close(), to.close()]);
    await expectObeyed(await (await open(target)).bot("acme"));
  });

  it("and obeyed by the next search on every node", async () => {
    const { nodes } = await openNodes();
    const [one, two, three] = nodes;
    const bot = await fill(one);
    const others = [await two.bot("acme"), await three.bot("acme")];
    for (const other of others) expect(await other.search("vacation")).toEqual([]);
    await bot.setVocabulary(VOCABULARY);
    for (const other of others) await expectObeyed(other);
    await others[0]?.setVocabulary({});
    expect(await bot.search("vacation")).toEqual([]);
  });
});

/** The sections of a snapshot, by name. */
async function sectionsOf(state = emptyState()): Promise<Map<string, LoadedSection>> {
  const sections = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of stateSections(state)) {
    const bytes: Uint8Array[] = [];
    for await (const chunk of chunks) bytes.push(chunk);
    sections.set(name, { name, version, bytes: Buffer.concat(bytes) });
  }
  return sections;
}

describe("a snapshot", () => {
  it("has a version that earlier programs refuse only if there is a vocabulary that they would lose", async () => {
    const state = emptyState();
    expect((await sectionsOf(state)).get("accounts")?.version).toBe(1);
    state.vocabulary.set(VOCABULARY);
    expect((await sectionsOf(state)).get("accounts")?.version).toBe(2);
    state.vocabulary.set({ synonyms: [], pins: [], ignored: [] });
    expect((await sectionsOf(state)).get("accounts")?.version).toBe(1);
  });

  it("with a vocabulary that is none is refused, as a record is", async () => {
    const state = emptyState();
    state.vocabulary.set(VOCABULARY);
    const sections = await sectionsOf(state);
    const accounts = sections.get("accounts") ?? expect.fail("a snapshot has accounts");
    for (const wrong of [
      7,
      { synonyms: [] },
      { ...VOCABULARY, ignored: [1] },
      { ...VOCABULARY, pins: [{ question: "a" }] },
    ]) {
      const changed = { ...JSON.parse(Buffer.from(accounts.bytes).toString()), vocabulary: wrong };
      sections.set("accounts", { ...accounts, bytes: Buffer.from(JSON.stringify(changed)) });
      expect(() => finished(stateFromSections({ sequence: 1, sections }))).toThrow(/stored vocabulary/);
      // Boundary: bytes of a disk may hold anything.
      expect(() => checkVocabularySet({ kind: "vocabularySet", vocabulary: wrong as never })).toThrow(
        /stored vocabulary/,
      );
    }
  });
});

it("is obeyed by queries: synonyms and pins count among the documents found, and one may be tried", async () => {
  const bot = await fill(await open());
  const asked = async (query: string, vocabulary?: VocabularyInput) => {
    const options = { facets: ["resourceDocId"], ...(vocabulary && { vocabulary }) };
    const { results, total, facets } = await bot.query(query, options);
    return { found: results.map(({ resourceDocId }) => resourceDocId), total, ids: facets?.resourceDocId };
  };
  const only = (id: string) => ({ found: [id], total: 1, ids: [{ value: id, count: 1 }] });
  const none = { found: [], total: 0, ids: [] };
  expect([await asked("vacation"), await asked("hello you")]).toEqual([none, none]);
  expect(await asked("vacation", VOCABULARY)).toEqual(only("leave"));
  expect(await asked("hello you", VOCABULARY)).toEqual(only("salary"));
  await bot.setVocabulary(VOCABULARY);
  expect(await asked("vacation")).toEqual(only("leave"));
  expect(await asked("hello you")).toEqual(only("salary"));
  expect((await bot.query("hello leave")).total).toBe(2);
  expect(await asked("hello you", {})).toEqual(none);
  const pins = ["leave", "salary"].map((document) => ({ question: "hello *", document }));
  for (const topK of [1, 10]) expect((await bot.query("hello you", { topK, vocabulary: { pins } })).total).toBe(2);
});
