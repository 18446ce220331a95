import { describe, expect, it } from "vitest";
import type { SearchIndex } from "../../../src/index/search-index.ts";
import { explain } from "../../../src/search/explain/explain.ts";
import { FakeKeptTokenCodes, tokenCodesOfWords } from "../../support/fake-token-codes.ts";
import { ask, askingOf, document, FILLER, indexOf } from "../rerank-kit.ts";

const TITLE = "zebra lion tiger";
const TEXT = [`The car, a zebra, and ${FILLER}`, `The car and ${FILLER}`, `The lion, a zebra, a car and ${FILLER}`];

/** An encoder that takes the title above a passage for little: long texts make their first words nearly disappear. */
function keptOf(index: SearchIndex): FakeKeptTokenCodes {
  const isHeld = (): boolean => true;
  return new FakeKeptTokenCodes(index, new Set(), isHeld, (text) =>
    tokenCodesOfWords(text.slice(text.indexOf("\n") + 1)),
  );
}

function explainedWith(title: string) {
  const index = indexOf([document("titled", TEXT.join("\n\n"), { titles: [title] })]);
  const { request, asking } = askingOf("car", { tokenCodes: keptOf(index), tokensOf: TITLE });
  return explain(index, request, "titled", () => 1, asking);
}

describe("a title that is closer to the question than any passage", () => {
  it("raises its document, and no other", async () => {
    const scoresWith = async (title: string): Promise<ReadonlyMap<string, number>> => {
      const [first = ""] = TEXT;
      const index = indexOf([document("titled", first, { titles: [title] }), document("other", first)]);
      const results = await ask(index, "car", { tokenCodes: keptOf(index), tokensOf: TITLE });
      return new Map(results.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]));
    };
    const [close, far] = [await scoresWith(TITLE), await scoresWith("giraffe monkey rhino")];
    expect(close.get("titled")).toBeGreaterThan((far.get("titled") ?? 1) + 0.05);
    expect(close.get("other")).toBe(far.get("other"));
  });

  it("raises all its passages alike, and the explanation says by how much", async () => {
    const closenessWith = async (title: string) =>
      (await explainedWith(title)).passages.flatMap((passage) =>
        passage.kind === "passage" && passage.rerank ? [{ start: passage.start, ...passage.rerank }] : [],
      );
    const [raised, own] = [await closenessWith(TITLE), await closenessWith("giraffe monkey rhino")];
    expect(own.map(({ raisedByTitle }) => raisedByTitle)).toEqual(own.map(() => undefined));
    const closest = Math.max(...own.map(({ closeness }) => closeness));
    const by = 0.999 - closest;
    expect(by).toBeGreaterThan(0.1);
    for (const { start, closeness, raisedByTitle } of raised) {
      expect(raisedByTitle).toBeCloseTo(by, 12);
      const before = own.find((each) => each.start === start)?.closeness ?? Number.NaN;
      expect(closeness).toBeCloseTo(before + by, 12);
    }
    expect(raised.map(({ start }) => start)).toEqual(own.map(({ start }) => start));
    expect(new Set(own.map(({ closeness }) => closeness)).size).toBeGreaterThan(1);
  });

  it("has the document's score in the explanation", async () => {
    const { passages, score } = await explainedWith(TITLE);
    expect(passages[0]?.rerank?.similarity).toBe(score);
  });
});
