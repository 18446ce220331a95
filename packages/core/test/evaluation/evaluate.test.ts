import { describe, expect, it, onTestFinished } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { type EvaluateOptions, evaluate } from "../../src/evaluation/evaluate.ts";
import type { Evaluation } from "../../src/evaluation/evaluation.ts";
import type { GoldenInput } from "../../src/evaluation/golden.ts";
import { ValidationError } from "../../src/model/errors.ts";

const PAGES = {
  refunds: "# Refunds\n\nMoney comes back within 14 days.\n\nWrite to the shop before.",
  shipping: "# Shipping\n\nParcels leave at noon.\n\nMoney for parcels that are lost comes back as well.",
  opening: "# Opening hours\n\nThe shop is open from nine to five.",
};

async function shop(): Promise<Bot> {
  const engine = await Engine.open();
  onTestFinished(() => engine.close());
  const { bot: info } = await engine.createBot({ name: "shop", embedder: "none" });
  const bot = await engine.bot(info.id);
  for (const [id, md] of Object.entries(PAGES)) {
    await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", status: "active", content: [{ md }] });
  }
  await bot.whenSearchable();
  return bot;
}

async function measured(golden: readonly GoldenInput[], options?: EvaluateOptions): Promise<Evaluation> {
  return evaluate(await shop(), golden, options);
}

describe("an evaluation", () => {
  it("of questions that find what they should has nothing to name", async () => {
    const evaluation = await measured([
      { question: "when does the money come back within days", id: "refunds", lines: 3 },
      { question: "parcels leave", expected: "shipping" },
    ]);
    expect(evaluation).toEqual({
      questions: 2,
      topK: 100,
      measures: {
        ndcgAt10: 1,
        mrrAt10: 1,
        recallAt10: 1,
        recallAt100: 1,
        lines: { questions: 1, firstPart: 1, anyPart: 1 },
      },
      unknownDocuments: [],
      misses: [],
    });
  });

  it("names each kind of miss, with what was found instead", async () => {
    const { measures, misses, unknownDocuments } = await measured([
      { question: "parcels leave", id: "shipping", lines: 3 },
      { question: "parcels lost", expected: [{ id: "shipping", lines: 3 }] },
      { question: "parcels at noon", expected: "opening" },
      { question: "money comes back within 14 days", expected: { id: "shipping", lines: [4, 5] } },
      { question: "parcels", expected: ["shipping", "returns"] },
    ]);
    expect(misses.map(({ index, kind }) => [index, kind])).toEqual([
      [1, "wrongLines"],
      [2, "notFound"],
      [3, "notFirst"],
      [4, "unknownDocument"],
    ]);
    expect(unknownDocuments).toEqual(["returns"]);
    const [lines, notFound, notFirst, unknown] = misses;
    expect(lines).toMatchObject({
      question: "parcels lost",
      expected: [{ id: "shipping", outcome: "returned", rank: 1, lines: [[3, 3]] }],
      found: [{ id: "shipping", type: "DOCUMENT", start: 5, stop: 5, text: expect.stringContaining("lost") }],
    });
    expect(notFound?.expected).toEqual([{ id: "opening", gain: 1, lines: [], outcome: "belowFloor", score: 0 }]);
    expect(notFound?.found[0]).toMatchObject({ id: "shipping", start: 3, stop: 3 });
    expect(notFirst).toMatchObject({ expected: [{ rank: 2 }], found: [{ id: "refunds" }, { id: "shipping" }] });
    expect(unknown?.expected).toMatchObject([
      { outcome: "returned", rank: 1 },
      { outcome: "unknown", score: 0 },
    ]);
    // One right, two right without lines, one nothing, one second, one with half of what it should have.
    expect(measures.mrrAt10).toBeCloseTo((1 + 1 + 0 + 1 / 2 + 1) / 5, 12);
    expect(measures.recallAt10).toBeCloseTo((1 + 1 + 0 + 1 + 1 / 2) / 5, 12);
    expect(measures.ndcgAt10).toBeCloseTo((1 + 1 + 0 + 1 / Math.log2(3) + 1 / (1 + 1 / Math.log2(3))) / 5, 12);
    expect(measures.lines).toMatchObject({ questions: 3, firstPart: 1 / 3 });
    expect(measures.lines?.anyPart).toBe(1);
  });

  it("asks with the options of a search", async () => {
    const golden = [{ question: "parcels", id: "shipping" }];
    const bot = await shop();
    await bot.setDocumentStatus("shipping", "inactive");
    expect((await evaluate(bot, golden)).misses).toEqual([]);
    const { misses } = await evaluate(bot, golden, { filters: { status: "active" } });
    expect(misses).toMatchObject([{ kind: "notFound", expected: [{ outcome: "filtered" }] }]);
  });

  it("looks as far as topK, and leaves out what that cannot tell", async () => {
    const golden = [{ question: "parcels", id: "shipping" }];
    const ten = await measured(golden, { topK: 10 });
    expect(ten.topK).toBe(10);
    expect(ten.measures).not.toHaveProperty("recallAt100");
    expect(ten.measures).not.toHaveProperty("lines");
    expect((await measured(golden, { topK: 1_000 })).topK).toBe(100);
    for (const topK of [9, 10.5, Number.NaN]) {
      await expect(measured(golden, { topK })).rejects.toThrow(/topK must be an integer from 10/);
    }
  });

  it("counts a document as not found that stands after the tenth", async () => {
    const bot = await shop();
    for (let i = 0; i < 12; i += 1) {
      const id = `copy${String(i).padStart(2, "0")}`;
      await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md: "Gift cards are sold here." }] });
    }
    await bot.whenSearchable();
    const golden = [{ question: "where are gift cards sold", id: "copy11" }];
    const deep = await evaluate(bot, golden);
    expect(deep.misses).toMatchObject([{ kind: "notFound", expected: [{ outcome: "returned", rank: 12 }] }]);
    expect(deep.measures).toMatchObject({ mrrAt10: 0, recallAt10: 0, recallAt100: 1 });
    const [miss] = (await evaluate(bot, golden, { topK: 10 })).misses;
    expect(miss?.expected).toMatchObject([{ outcome: "afterLast", rank: 12 }]);
    expect(miss?.found).toHaveLength(3);
  });

  it("measures ten documents by a search for ten, since more are reranked more deeply", async () => {
    const bot = await shop();
    const of = (count: number) => Array.from({ length: count }, (_, i) => `copy${String(i).padStart(2, "0")}`);
    for (const id of of(12))
      await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md: "Gift cards are sold here." }] });
    await bot.whenSearchable();
    // As if reranking had put another document first among a hundred.
    const answering: Pick<Bot, "search" | "explain"> = {
      explain: (...asked) => bot.explain(...asked),
      search: async (question, options) => {
        const results = await bot.search(question, options);
        return options?.topK === 10 ? results : results.toReversed();
      },
    };
    const golden = [{ question: "where are gift cards sold", id: "copy11" }];
    const { measures, misses } = await evaluate(answering, golden);
    expect(measures).toMatchObject({ ndcgAt10: 0, recallAt10: 0, recallAt100: 1 });
    expect(misses).toMatchObject([{ kind: "notFound", expected: [{ outcome: "returned", rank: 11 }] }]);
  });

  it("tells how far it is, and refuses questions that break a rule before it asks any", async () => {
    const told: [number, number][] = [];
    const golden = ["parcels", "shop"].map((question) => ({ question, id: "shipping" }));
    await measured(golden, { onProgress: (done, total) => told.push([done, total]) });
    expect(told).toEqual([
      [1, 2],
      [2, 2],
    ]);
    const refusal = measured([...golden, { question: "" }], { onProgress: () => told.push([0, 0]) });
    await expect(refusal).rejects.toThrow(ValidationError);
    await expect(refusal).rejects.toThrow(/golden\.2\.question/);
    expect(told).toHaveLength(2);
  });
});
