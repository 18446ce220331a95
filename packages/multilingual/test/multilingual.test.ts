import type { Embedder } from "@loredex/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosine, encoder } from "../../encoder/test/runtime.ts";
import { shipsWholeModel } from "../../encoder/test/shipped-model.ts";
import { MULTILINGUAL, openMultilingual, TEXT_UNITS_MAX } from "../src/multilingual.ts";
import { readVectors } from "./model-files.ts";

shipsWholeModel(MULTILINGUAL);

const prepared = (text: string, kind: "question" | "passage"): string | undefined =>
  MULTILINGUAL.prepared?.(text, kind);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("what the model is given of a text", () => {
  it("begins with what it was taught, and has one form of every sign", () => {
    expect(prepared("Straße", "question")).toBe("query: Straße");
    expect(prepared("ﬁnd ｆｕｌｌ e\u0301", "passage")).toBe("passage: find full é");
  });

  it("is its beginning, and marks without end take no longer than others", () => {
    expect(prepared("a".repeat(TEXT_UNITS_MAX * 3), "passage")?.length).toBe(TEXT_UNITS_MAX + "passage: ".length);
    expect(prepared(`e${"\u0301".repeat(1_000_000)}`, "passage")?.length).toBeLessThanOrEqual(TEXT_UNITS_MAX + 9);
  });
});

describe("what a cosine is worth", () => {
  it("is from 0 to 1 and never falls as the cosine rises", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1.01, max: 1.01, noNaN: true }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        (low, more) => {
          const [first, second] = [MULTILINGUAL.calibrate(low), MULTILINGUAL.calibrate(low + more)];
          expect(first).toBeGreaterThanOrEqual(0);
          expect(second).toBeGreaterThanOrEqual(first);
          expect(second).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

describe.skipIf(encoder.isMissing)(encoder.named("vectors of the real model"), () => {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await openMultilingual({ workers: 1 });
  });
  afterAll(() => embedder.close());

  it("are those of the same graph in Python, but for its runtime's rounding, and close to those of the source", async () => {
    const rows = await readVectors();
    const vectors = await embedder.embedPassages(rows.map((row) => row.text));
    const to = (which: "shipped" | "source") =>
      rows.map((row, at) => cosine(vectors[at] ?? new Float32Array(), row[which]));
    expect(Math.min(...to("shipped"))).toBeGreaterThan(0.99);
    expect(meanOf(to("shipped"))).toBeGreaterThan(0.999);
    expect(meanOf(to("source"))).toBeGreaterThan(0.97);
  });

  it("are near where the meaning is, whatever the language, and are worth nothing for noise", async () => {
    const [question, noise] = [
      await embedder.embedQuery("Wie lange dauert es, bis ich mein Geld zurückbekomme?"),
      await embedder.embedQuery("wqkjd xcvbnq"),
    ];
    const [refund, train] = await embedder.embedPassages([
      "Refunds are paid within fourteen days after we have received the returned goods.",
      "The train leaves the harbour at noon.",
    ]);
    const worth = (one: Float32Array, other: Float32Array = new Float32Array()): number | undefined =>
      embedder.calibrate?.(cosine(one, other));
    expect(worth(question, refund)).toBeGreaterThan(0.3);
    expect(worth(question, train)).toBeLessThan(0.2);
    expect(worth(noise, refund)).toBeLessThan(0.3);
  });
});
