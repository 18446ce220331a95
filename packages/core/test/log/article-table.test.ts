import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { ArticleTable, type VersionedArticle, versioned } from "../../src/log/article-table.ts";
import { MetadataIndex } from "../../src/log/metadata-index.ts";
import { METADATA_KEYS_INDEXED_MAX } from "../../src/model/limits.ts";
import type { ArticleFields } from "../../src/model/records.ts";

type Metadata = ArticleFields["metadata"];

function articleWith(id: string, metadata: Metadata): VersionedArticle {
  const text = { title: "Title", body: "Body", activeOn: [] };
  return versioned({ id, ...text, metadata, createdAtMs: 0, updatedAtMs: 0, characterCount: 9 }, 1);
}

// Some oftener than others, so that one is asked for again before others have taken its place.
const KEYS = ["a", "a", "a", "a", "b", "b", "c", "d", "e", "__proto__"] as const;
const ids = fc.constantFrom("1", "2", "3");
const keys = fc.constantFrom(...KEYS);
/** Numbers and booleans are looked up as they are written. */
const values = fc.constantFrom<string | number | boolean>("7", 7, true, "");
const metadata = fc.dictionary(keys, values, { maxKeys: 3 });
const puts = fc.record({ id: ids, metadata });
const removes = fc.record({ removed: ids });
const lookups = fc.record({ key: keys, text: values.map(String) });
const steps = fc.array(fc.oneof(puts, removes, lookups, fc.record({ read: fc.nat(3) })), {
  maxLength: 60,
  size: "max",
});

const hasIt = ({ fields }: VersionedArticle, key: string, text: string): boolean =>
  Object.hasOwn(fields.metadata, key) && String(fields.metadata[key]) === text;

describe("articles by their metadata", () => {
  it("are those that a look at each finds, whatever was asked and written before", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const table = new ArticleTable();
        for (const step of all) {
          if ("id" in step) table.set(step.id, articleWith(step.id, step.metadata));
          else if ("removed" in step) table.delete(step.removed);
          else if ("key" in step) {
            const { key, text } = step;
            const wanted = [...table.values()].filter((article) => hasIt(article, key, text));
            expect(new Set(table.withMetadata(key, text))).toEqual(new Set(wanted));
          }
          expect(table.bytes).toBe([...table.values()].reduce((sum, { bytes }) => sum + bytes, 0));
        }
        table.clear();
        expect(table.bytes).toBe(0);
      }),
    );
  });

  it("are the same however little of them is read at a time, while they are written", () => {
    fc.assert(
      fc.property(fc.array(puts, { maxLength: 8 }), steps, (first, all) => {
        const articles = new Map<string, VersionedArticle>();
        for (const { id, metadata: known } of first) articles.set(id, articleWith(id, known));
        const index = new MetadataIndex("a", articles);
        for (const step of all) {
          if ("id" in step) {
            const before = articles.get(step.id);
            if (before !== undefined) index.remove(step.id, before.fields.metadata);
            index.add(step.id, step.metadata);
            articles.set(step.id, articleWith(step.id, step.metadata));
          } else if ("removed" in step) {
            const before = articles.get(step.removed);
            if (before !== undefined) index.remove(step.removed, before.fields.metadata);
            articles.delete(step.removed);
          } else if ("read" in step) index.isWhole(step.read);
        }
        index.isWhole(Number.POSITIVE_INFINITY);
        for (const text of ["7", "true", ""]) {
          const wanted = [...articles.values()].filter((article) => hasIt(article, "a", text));
          expect([...index.find(text)].sort()).toEqual(wanted.map(({ fields }) => fields.id).sort());
        }
      }),
    );
  });
});

describe("a lookup by metadata", () => {
  const tableOf = (length: number): ArticleTable => {
    const table = new ArticleTable();
    for (let i = 0; i < length; i++) table.set(`id${i}`, articleWith(`id${i}`, { externalId: `doc-${i}`, n: i }));
    return table;
  };
  const idsOf = (found: Iterable<VersionedArticle>): string[] => [...found].map(({ fields }) => fields.id);

  it("goes through all articles a few times at most, however many there are and however often it is made", () => {
    const table = tableOf(20_000);
    const throughAll = vi.spyOn(table, "values");
    let lost = 0;
    for (let i = 0; i < 20_000; i++) {
      const found = new Set(table.withMetadata("externalId", `doc-${i}`));
      const wanted = table.get(`id${i}`);
      if (wanted === undefined || !found.has(wanted)) lost++;
    }
    expect(lost).toBe(0);
    expect(throughAll.mock.calls.length).toBeLessThanOrEqual(8);
  });

  it("keeps an index for the keys that were asked for last, and for no more", () => {
    const table = tableOf(5_000);
    const throughAll = vi.spyOn(table, "values");
    const isIndexed = (at: number): boolean => {
      throughAll.mockClear();
      idsOf(table.withMetadata(`key${at}`, "x"));
      return throughAll.mock.calls.length === 0;
    };
    const all = Array.from({ length: METADATA_KEYS_INDEXED_MAX + 1 }, (_, at) => at);
    for (const at of all) while (!isIndexed(at)) expect(throughAll).toHaveBeenCalledOnce();
    expect(all.slice(1).map(isIndexed)).toEqual(all.slice(1).map(() => true));
    expect(isIndexed(0)).toBe(false);
    expect(isIndexed(1)).toBe(false);
  });

  it("finds what is written as asked for, and nothing once that is gone", () => {
    const table = tableOf(3);
    expect(idsOf(table.withMetadata("n", "1"))).toEqual(["id1"]);
    table.set("id1", articleWith("id1", { n: 2 }));
    expect(idsOf(table.withMetadata("n", "1"))).toEqual([]);
    expect(idsOf(table.withMetadata("n", "2")).sort()).toEqual(["id1", "id2"]);
    table.clear();
    expect(idsOf(table.withMetadata("n", "2"))).toEqual([]);
  });
});
