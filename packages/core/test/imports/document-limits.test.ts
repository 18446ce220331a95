import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/imports/shape.ts";
import { ValidationError, type Violation } from "../../src/model/errors.ts";
import {
  DOCUMENT_ALTERNATIVES_MAX,
  DOCUMENT_BLOCKS_MAX,
  DOCUMENT_METADATA_BYTES_MAX,
  DOCUMENT_METADATA_VALUES_MAX,
  DOCUMENT_TITLE_CHARACTERS_MAX,
  DOCUMENT_URL_CHARACTERS_MAX,
} from "../../src/model/limits.ts";

const none = (): boolean => false;

function violationsOf(input: unknown): readonly Violation[] {
  try {
    parseDocument(input, none);
  } catch (error) {
    if (error instanceof ValidationError) return error.violations;
    throw error;
  }
  return [];
}

const page = (fields: object) => ({ resourceDocId: "p", type: "WEBPAGE", content: [{ md: "text" }], ...fields });
const qna = (fields: object) => ({ resourceDocId: "q", type: "QNA", question: "Why?", answer: "So.", ...fields });
const list = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);
const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));
const VALUES = DOCUMENT_METADATA_VALUES_MAX;
const TITLE = DOCUMENT_TITLE_CHARACTERS_MAX;
/** `{"a":"…"}` around the text. */
const TEXT = DOCUMENT_METADATA_BYTES_MAX - 8;

describe("a document of an import", () => {
  it.each([
    ["metadata of many keys", (more: number) => page({ metaData: keys(VALUES + more) }), "metaData"],
    ["metadata of a long list", (more: number) => page({ metaData: { l: list(VALUES - 1 + more, 1) } }), "metaData"],
    [
      "metadata of many lists",
      // The key, the list of lists, and two for each of them.
      (more: number) => page({ metaData: { l: list((VALUES - 2) / 2, [0]), m: more === 0 ? 0 : [0] } }),
      "metaData",
    ],
    ["metadata of a long text", (more: number) => page({ metaData: { a: "x".repeat(TEXT + more) } }), "metaData"],
    ["metadata of a long key", (more: number) => page({ metaData: { ["x".repeat(TEXT + 1 + more)]: "" } }), "metaData"],
    ["metadata of wide letters", (more: number) => page({ metaData: { a: "é".repeat(TEXT / 2 + more) } }), "metaData"],
    ["metadata that grows", (more: number) => page({ metaData: { a: "\n".repeat(TEXT / 2 + more) } }), "metaData"],
    ["a long title", (more: number) => page({ metaData: { title: "😀".repeat(TITLE + more) } }), "metaData.title"],
    ["a long address", (more: number) => page({ url: "u".repeat(DOCUMENT_URL_CHARACTERS_MAX + more) }), "url"],
    ["many blocks", (more: number) => page({ content: list(DOCUMENT_BLOCKS_MAX + more, { md: "" }) }), "content"],
    ["a long question", (more: number) => qna({ question: "😀".repeat(TITLE + more) }), "question"],
    [
      "many alternatives",
      (more: number) => qna({ alternatives: list(DOCUMENT_ALTERNATIVES_MAX + more, "How?") }),
      "alternatives",
    ],
    [
      "a long alternative",
      (more: number) => qna({ alternatives: ["Why?", "x".repeat(TITLE + more)] }),
      "alternatives.1",
    ],
  ])("with %s is taken up to the maximum, and refused beyond it with what to do", (_, made, field) => {
    expect(violationsOf(made(0))).toEqual([]);
    const message = expect.stringMatching(/at most \d+ .*; (put|divide|keep)/);
    expect(violationsOf(made(1))).toEqual([{ field, type: "maxLength", message }]);
  });

  it("is refused by its counts before anything in it is looked at", () => {
    let looks = 0;
    /** Counts what is read of it. */
    const watched = (length: number): unknown[] =>
      new Proxy(list(length, { md: 1 }), {
        get: (target, name, receiver) => {
          if (typeof name === "string" && /^\d+$/.test(name)) looks += 1;
          return Reflect.get(target, name, receiver);
        },
      });
    const most = Math.max(VALUES, DOCUMENT_BLOCKS_MAX, DOCUMENT_ALTERNATIVES_MAX) + 1;
    const refused = [
      page({ content: watched(most) }),
      page({ metaData: { l: watched(most) } }),
      qna({ alternatives: watched(most) }),
    ];
    for (const input of refused) expect(violationsOf(input)).toHaveLength(1);
    expect(looks).toBe(0);
  });

  it("that is neither long nor deep may still be a ring: it is refused as too deep", () => {
    const metaData: Record<string, unknown> = {};
    metaData.self = metaData;
    expect(violationsOf(page({ metaData }))).toMatchObject([{ field: "metaData", type: "json" }]);
  });
});
