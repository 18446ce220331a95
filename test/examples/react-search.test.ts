import { LoredexClient } from "@loredex/client";
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { highlighted } from "../../examples/react-search/src/highlight.ts";
import { type Chosen, filterOf, knowledgeOf } from "../../examples/react-search/src/knowledge.ts";

const marked = (text: string, question: string) =>
  highlighted(text, question)
    .map((piece) => (piece.isMarked ? `[${piece.text}]` : piece.text))
    .join("");

describe("the words that the page of React marks", () => {
  test.each([
    ["A refund takes three days.", "how long do refunds take?", "A [refund] [takes] three days."],
    ["Ein Übergang, über Straßen", "ÜBER straßen", "Ein Übergang, [über] [Straßen]"],
    ["to do or not", "to", "[to] do or not"],
    ["nothing", "", "nothing"],
  ])("of %j for %j", (text, question, expected) => {
    expect(marked(text, question)).toBe(expected);
  });

  test("are pieces that joined are the text, for any text", () => {
    const someText = fc.string({ unit: fc.constantFrom("a", "Ü", "7", " ", "\n", "<", "😀", "\u0301", "\ud800") });
    fc.assert(
      fc.property(someText, someText, (text, question) => {
        const pieces = highlighted(text, question);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        expect(pieces.every((piece) => piece.text !== "")).toBe(true);
      }),
    );
  });
});

test("the filter has a condition for each field with values", () => {
  expect(filterOf({})).toEqual({});
  expect(filterOf({ type: [] })).toEqual({});
  expect(filterOf({ type: ["EXTERNAL"], "metaData.team": ["billing", "sales"], url: [] })).toEqual({
    and: [{ type: { in: ["EXTERNAL"] } }, { "metaData.team": { in: ["billing", "sales"] } }],
  });
});

test("the values of a field stay when some are chosen, and count what the other fields allow", async () => {
  const engine = await Engine.open({ embedders: {} });
  const api = createApiServer(engine);
  onTestFinished(async () => {
    await api.close({ timeoutMs: 0 });
    await engine.close();
  });
  const { key } = await engine.createBot({ name: "shop" });
  const bot = await engine.bot("shop");
  for (const team of ["billing", "billing", "sales"]) {
    await bot.createArticle({ title: "Refunds", body: "A refund takes a day.", metadata: { team } });
  }
  await bot.importDocument({ resourceDocId: "pdf", type: "PDF", content: [{ md: "A refund." }] });
  await bot.whenSearchable();
  const { url } = await api.listen({ port: 0, host: "127.0.0.1" });
  const knowledge = knowledgeOf(new LoredexClient({ baseUrl: url, key }));
  const found = async (chosen: Chosen) => {
    const { results, total, facets } = await knowledge.find("refund", chosen, new AbortController().signal);
    return [results.length, total, facets];
  };

  const kinds = [
    { value: "EXTERNAL", count: 3 },
    { value: "PDF", count: 1 },
  ];
  const teams = [
    { value: "billing", count: 2 },
    { value: "sales", count: 1 },
  ];
  expect(await found({})).toEqual([4, 4, { type: kinds, "metaData.team": teams }]);
  expect(await found({ "metaData.team": ["sales"] })).toEqual([
    1,
    1,
    { type: [{ value: "EXTERNAL", count: 1 }], "metaData.team": teams },
  ]);
  expect(await found({ "metaData.team": ["sales", "billing"], type: ["PDF"] })).toEqual([
    0,
    0,
    { type: [{ value: "EXTERNAL", count: 3 }], "metaData.team": [] },
  ]);
});
