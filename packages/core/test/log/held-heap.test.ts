import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArticleTable, versioned } from "../../src/log/article-table.ts";
import { DocumentTable } from "../../src/log/document-table.ts";
import { KeyShapes, ownKeysBytes } from "../../src/log/key-shapes.ts";
import type { ArticleFields } from "../../src/model/records.ts";
import type { JsonObject, StoredDocument } from "../../src/model/types.ts";

const id = fc.constantFrom("a", "b", "c");
const text = fc.string({ unit: "grapheme", maxLength: 30 });

describe("what a state holds on the heap", () => {
  it("is what its articles take that are there, whatever was there before", () => {
    const fields = fc.record({
      id,
      title: text,
      body: text,
      metadata: fc.dictionary(
        fc.constantFrom("k", "l", "1000", "__proto__"),
        fc.oneof(text, fc.double(), fc.boolean()),
      ),
      source: text,
      activeOn: fc.array(fc.record({ agent: text, channel: text }, { requiredKeys: ["channel"] }), { maxLength: 3 }),
    });
    const change = fc.oneof(fields, id);
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const table = new ArticleTable();
        for (const change of changes) {
          if (typeof change === "string") table.delete(change);
          else table.set(change.id, versioned(articleOf(change), 1));
        }
        const fresh = new ArticleTable();
        for (const [key, article] of table) fresh.set(key, article);
        expect([table.heapBytes, table.textUnits]).toEqual([fresh.heapBytes, fresh.textUnits]);
        // Has an index of the key from now on.
        table.fewWithMetadata("k", "x", () => true);
        for (const key of [...table.keys()]) table.delete(key);
        expect([table.heapBytes, table.textUnits]).toEqual([0, 0]);
      }),
    );
  });

  it("is what its documents take that are there, whatever was there before", () => {
    const change = fc.record({
      id,
      content: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
      isQna: fc.boolean(),
      metaData: fc.dictionary(fc.constantFrom("k", "l"), fc.jsonValue()),
      path: fc.option(text, { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), (changes) => {
        const table = new DocumentTable();
        for (const { id, content, isQna, metaData, path } of changes) {
          if (content === undefined) {
            table.delete(id);
            continue;
          }
          const document = documentOf(id, content, isQna, metaData as JsonObject);
          const origin = path === undefined ? {} : { origin: { source: 1, path } };
          table.set(id, { document, contentHash: JSON.stringify(document), version: 1, bytes: 1, ...origin });
        }
        const fresh = new DocumentTable();
        for (const [key, document] of table) fresh.set(key, document);
        expect([table.heapBytes, table.textUnits]).toEqual([fresh.heapBytes, fresh.textUnits]);
        const types = [...table.values()].map(({ document }) => document.type);
        const [pdf, qna] = [
          types.filter((type) => type === "PDF").length,
          types.filter((type) => type === "QNA").length,
        ];
        expect(table.byType).toEqual({ WEBPAGE: 0, PDF: pdf, DOCUMENT: 0, TABLE: 0, QNA: qna });
        for (const key of [...table.keys()]) table.delete(key);
        expect([table.heapBytes, table.textUnits]).toEqual([0, 0]);
        expect(table.byType).toEqual({ WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0 });
      }),
    );
  });
});

describe("what keys take", () => {
  it("is counted once for all objects with the same keys in the same order", () => {
    const shapes = new KeyShapes();
    for (let i = 0; i < 3; i++) shapes.count(["a", "b"], 1);
    expect(shapes.bytes).toBe(ownKeysBytes(["a", "b"]));
    shapes.count(["b", "a"], 1);
    expect(shapes.bytes).toBe(2 * ownKeysBytes(["a", "b"]));
    // Joined by whatever a key may hold, they would be the same.
    shapes.count(['a","b'], 1);
    expect(shapes.bytes).toBeGreaterThan(2 * ownKeysBytes(["a", "b"]));
  });

  it("is each object's own where there are too many different ones, and all of it is counted off", () => {
    const shapes = new KeyShapes();
    for (let i = 0; i < 2_000; i++) shapes.count([`key ${i}`], 1);
    const before = shapes.bytes;
    shapes.count(["key 0"], 1);
    expect(shapes.bytes).toBe(before);
    shapes.count(["key 1999"], 1);
    expect(shapes.bytes).toBeGreaterThan(before);
    for (let i = 0; i < 2_000; i++) shapes.count([`key ${i}`], -1);
    shapes.count(["key 0"], -1);
    shapes.count(["key 1999"], -1);
    expect(shapes.bytes).toBe(0);
  });
});

function articleOf(given: Pick<ArticleFields, "id" | "title" | "body" | "metadata" | "source" | "activeOn">) {
  return { ...given, createdAtMs: 1, updatedAtMs: 1, characterCount: 1 };
}

function documentOf(id: string, texts: readonly string[], isQna: boolean, metaData: JsonObject): StoredDocument {
  const common = { resourceDocId: id, status: "active", metaData } as const;
  if (isQna) return { ...common, type: "QNA", question: "q", answer: texts[0] ?? "", alternatives: texts };
  return { ...common, type: "PDF", content: texts.map((md) => ({ md })) };
}
