import { describe, expect, it } from "vitest";
import { parseDocument } from "../../src/imports/shape.ts";
import { contentHash } from "../../src/log/content-hash.ts";
import { searchableDocument } from "../../src/log/searchable.ts";
import { ValidationError } from "../../src/model/errors.ts";

const none = (): boolean => false;
const page = { resourceDocId: "p", type: "WEBPAGE", content: [{ md: "text" }] };
const qna = { resourceDocId: "q", type: "QNA", question: "Why?", answer: "Because." };

function rulesOf(input: unknown, isArticle: (id: string) => boolean = none): string[] {
  try {
    parseDocument(input, isArticle);
  } catch (error) {
    if (error instanceof ValidationError) return error.violations.map(({ field, type }) => `${field} ${type}`).sort();
    throw error;
  }
  return [];
}

describe("an imported document", () => {
  it("has its defaults", () => {
    expect(parseDocument(page, none)).toEqual({ ...page, status: "active", metaData: {} });
    expect(parseDocument(qna, none)).toEqual({ ...qna, status: "active", metaData: {} });
  });

  it.each([
    [{ ...page, type: "EXTERNAL" }, ["type enum"]],
    [{ ...page, type: "toString" }, ["type enum"]],
    [{ ...page, status: "off" }, ["status enum"]],
    [{ ...page, content: "text" }, ["content array"]],
    [
      { ...page, content: [{ md: 1 }, 2, { md: "x", html: "y" }] },
      ["content.0.md string", "content.1 object", "content.2.html unknownField"],
    ],
    [{ ...page, question: "x" }, ["question unknownField"]],
    [{ ...qna, content: [] }, ["content unknownField"]],
    [{ ...qna, question: "", alternatives: ["ok", 3] }, ["alternatives.1 string", "question minLength"]],
    [{ ...page, metaData: { deep: JSON.parse(`${"[".repeat(80)}${"]".repeat(80)}`) } }, ["metaData json"]],
    [{ ...page, metaData: { a: ["\ud800"] } }, ["metaData string"]],
    [{ ...page, metaData: new Date(0) }, ["metaData object"]],
    [{ ...page, metaData: { at: [new Date(0)] } }, ["metaData json"]],
    [{ ...page, metaData: { a: new Map([["b", 1]]) } }, ["metaData json"]],
    [{ ...page, metaData: { a: Object.create({ toJSON: () => "b" }) } }, ["metaData json"]],
    [{}, ["content required", "resourceDocId required", "type required"]],
    [null, ["document object"]],
  ])("%# is refused by its rules", (input, rules) => {
    expect(rulesOf(input)).toEqual(rules);
  });

  it("is its own: whoever brought it may go on with the object", () => {
    const metaData = JSON.parse('{ "n": 1, "deep": { "list": [{ "n": 1 }] }, "__proto__": { "n": 1 }, "toJSON": 1 }');
    const before = JSON.stringify(metaData);
    const document = parseDocument({ ...page, metaData }, none);
    metaData.n = 2;
    metaData.deep.list[0].n = 2;
    metaData.deep.list.push(3);
    expect(JSON.stringify(document.metaData)).toBe(before);
    expect(Object.getPrototypeOf(document.metaData)).toBe(Object.prototype);
  });

  it("may not take the id of an article", () => {
    expect(rulesOf(page, (id) => id === "p")).toEqual(["resourceDocId articleId"]);
  });

  it("is the same again whatever the order of its fields", () => {
    const a = parseDocument({ ...page, metaData: { x: 1, y: { b: 1, a: 2 } } }, none);
    const b = parseDocument(
      { content: [{ md: "text" }], metaData: { y: { a: 2, b: 1 }, x: 1 }, type: "WEBPAGE", resourceDocId: "p" },
      none,
    );
    expect(contentHash(a)).toBe(contentHash(b));
    expect(contentHash(parseDocument({ ...page, status: "pending" }, none))).not.toBe(
      contentHash(parseDocument(page, none)),
    );
  });

  it("keeps a title that is too short for an article", () => {
    for (const title of ["退款", "FAQ", "A"]) {
      const document = searchableDocument(parseDocument({ ...page, metaData: { title } }, none));
      expect(document.titles).toEqual([title]);
    }
  });

  it("is searched by its title, or a QNA by its question and alternatives", () => {
    const titled = searchableDocument(parseDocument({ ...page, metaData: { title: "T", tags: ["a"] } }, none));
    expect(titled).toMatchObject({ titles: ["T"], metaData: { title: "T", tags: ["a"] } });
    const asked = searchableDocument(
      parseDocument({ ...qna, metaData: { title: "x", k: 1 }, alternatives: ["How come?"] }, none),
    );
    expect(asked).toMatchObject({
      titles: ["Why?", "How come?"],
      metaData: { title: "Why?", k: 1 },
      content: [{ md: "Because." }],
    });
  });
});
