import fc from "fast-check";
import { expect, it } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { ExactTexts } from "../../src/index/exact-texts.ts";
import type { IndexedDocument } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { bareBot } from "../support/bare-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const TEXT = Array.from({ length: 2_000 }, (_, word) => `word${word}`).join(" ");

it("what a bot takes in memory follows what the index got after the last use, and what has gone", async () => {
  const storage = new KeptStorage();
  await storage.create("bot");
  const bot = await bareBot(await storage.open("bot"));
  const empty = bot.memoryBytes();
  // Beside many small ones, one large one is a small share of the documents.
  for (let i = 0; i < 40; i++) await bot.articles.create({ title: `Small ${i}`, body: "small" });
  await bot.whenSearchable();
  const small = bot.memoryBytes();
  const { article } = await bot.articles.create({ title: "Large", body: TEXT });
  // As at the end of the call that wrote it: its indexing has not begun, and what it will take counts already.
  expect(bot.memoryBytes() - small).toBeGreaterThan(4 * TEXT.length);
  await bot.whenSearchable();
  const large = bot.memoryBytes();
  expect(small).toBeGreaterThan(empty);
  expect(large - small).toBeGreaterThan(TEXT.length);
  expect(large).toBeGreaterThanOrEqual(bot.stats().memoryBytes);
  await bot.articles.delete(article.id);
  expect(large - bot.memoryBytes()).toBeGreaterThan(TEXT.length);
  await bot.close();
});

it("what a bot takes in memory grows with the creates that it knows by their keys", async () => {
  const grown = async (hasKeys: boolean): Promise<number> => {
    const storage = new KeptStorage();
    await storage.create("bot");
    const bot = await bareBot(await storage.open("bot"));
    for (let i = 0; i < 100; i++)
      await bot.articles.create({ title: "Small", body: "small" }, hasKeys ? { idempotencyKey: `key-${i}` } : {});
    await bot.whenSearchable();
    const bytes = bot.memoryBytes();
    await bot.close();
    return bytes;
  };
  expect((await grown(true)) - (await grown(false))).toBe(100 * 500);
});

it("texts that several documents have take memory as long as they do", () => {
  const exact = new ExactTexts(() => true);
  const document = (slot: number): IndexedDocument => ({
    slot,
    document: { id: `${slot}`, type: "EXTERNAL", status: "active", metaData: {}, content: [], titles: [] },
    version: 1,
    markdown: "",
    firstOrdinal: 0,
    firstWindow: 0,
    ownVectors: 0,
    variantCount: 0,
    titleCount: 1,
    passageCount: 0,
    numbers: Uint32Array.of(0),
    hashes: Float64Array.of(1),
  });
  const documents = [0, 1, 2].map(document);
  const bytes = documents.map((each) => {
    finished(exact.add(each));
    return exact.bytes;
  });
  expect(bytes).toEqual([...bytes].sort((a, b) => a - b));
  expect(new Set(bytes).size).toBe(3);
  for (const each of documents) finished(exact.remove(each));
  expect(exact.bytes).toBe(bytes[0]);
});

it("only vectors that an embedder has made are in the state as well", () => {
  const index = new SearchIndex(new LanguageAnalyzer("multi"));
  const rows = new PassageVectors(8);
  index.windowVectors.use({ id: "own", version: "1", dimensions: 8 }, rows, "static");
  for (const id of ["a", "b"])
    index.replace({ id, type: "EXTERNAL", status: "active", metaData: {}, content: [{ md: "One." }], titles: [id] }, 1);
  for (const id of ["a", "b"]) finished(index.windowVectors.setFirst(id, () => new Int8Array(8).fill(1)));
  expect(rows.count).toBeGreaterThan(1);
  expect(index.vectorBytes).toBe(rows.bytes);
  expect(index.windowVectors.set("a", new Int8Array(8).fill(2))).toBe(1);
  expect(index.vectorBytes).toBe(rows.bytes + 8);
});

it("the sizes that an index has at hand are those of the documents that it holds", () => {
  const change = fc.record({ id: fc.constantFrom("a", "b", "c"), body: fc.option(fc.lorem(), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
      const index = new SearchIndex(new LanguageAnalyzer("multi"));
      const there = new Map<string, SearchableDocument>();
      for (const [version, { id, body }] of changes.entries()) {
        if (body === undefined) {
          index.remove(id);
          there.delete(id);
          continue;
        }
        const document = {
          id,
          type: "EXTERNAL",
          status: "active",
          metaData: {},
          content: [{ md: body }],
          titles: [id],
        } as const;
        index.replace(document, version);
        there.set(id, document);
      }
      const anew = new SearchIndex(new LanguageAnalyzer("multi"));
      for (const document of there.values()) anew.replace(document, 1);
      expect(index.documents.textLength).toBe(anew.documents.textLength);
      expect(index.documents.numberBytes).toBe(anew.documents.numberBytes);
    }),
  );
});
