import fc from "fast-check";
import { expect, it, vi } from "vitest";
import { type StoredVectors, VectorTable } from "../../src/log/vector-table.ts";
import { opened } from "../support/embedded-bot.ts";
import { KeptStorage } from "../support/kept-storage.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const vectors = fc
  .record({ dimensions: fc.constantFrom(2, 3), count: fc.nat(5), texts: fc.constantFrom(8, 9) })
  .map(({ dimensions, count, texts }): StoredVectors => {
    const space = { id: "fake", version: "1", dimensions };
    return { version: 1, space, texts, codes: new Int8Array(count * dimensions) };
  });
const change = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(id, vectors) },
  { weight: 3, arbitrary: id },
  { weight: 1, arbitrary: fc.constant(undefined) },
);

it("counts the vectors of each version of the texts, whatever comes and goes", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const table = new VectorTable();
      for (const each of changes) {
        if (each === undefined) table.clear();
        else if (typeof each === "string") table.delete(each);
        else table.set(...each);
        for (const texts of [8, 9]) {
          let count = 0;
          for (const stored of table.values()) {
            if (stored.texts === texts) count += stored.codes.length / stored.space.dimensions;
          }
          expect(table.countOf(texts)).toBe(count);
        }
      }
    }),
  );
});

it("tells the figures of a bot whose embedder is not open without a walk over its vectors", async () => {
  const storage = new KeptStorage();
  const first = await opened(storage);
  for (let i = 0; i < 20; i++)
    await first.bot.createArticle({ title: `Article ${i}`, body: "You can buy a car here." });
  await first.bot.whenUpgraded();
  await first.engine.close();
  const { engine, fakes } = await opened(storage);
  const walks = (["values", "keys", "entries", "forEach", Symbol.iterator] as const).map((name) =>
    vi.spyOn(VectorTable.prototype, name),
  );
  const [figures] = engine.figures().openBots;
  const { vectors: made, texts } = figures ?? {};
  expect([fakes.length, made, texts]).toEqual([0, 40, 40]);
  for (const walk of walks) expect(walk).not.toHaveBeenCalled();
  vi.restoreAllMocks();
  await engine.close();
});
