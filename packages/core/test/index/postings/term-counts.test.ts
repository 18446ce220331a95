import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { analyzerOf } from "../../../src/analysis/languages.ts";
import { Engine } from "../../../src/engine.ts";
import { Documents } from "../../../src/index/documents.ts";
import { ForwardLists } from "../../../src/index/postings/forward-lists.ts";
import { LexicalIndex } from "../../../src/index/postings/lexical-index.ts";
import { ListsReader } from "../../../src/index/postings/list-bytes.ts";
import { TermCounts } from "../../../src/index/postings/term-counts.ts";
import { SearchIndex } from "../../../src/index/search-index.ts";
import type { SearchableDocument } from "../../../src/model/types.ts";
import { finished } from "../../../src/scheduling/time-slices.ts";

const PASSAGES = 20_000;
const SLICE_PASSAGES = 2_048;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Passages of which the terms are read in each step. */
function readsBySlices(steps: Iterator<void>, read: { mock: { calls: unknown[] } }): number[] {
  const reads: number[] = [];
  for (let isDone = false; !isDone; ) {
    const before = read.mock.calls.length;
    isDone = steps.next().done === true;
    reads.push(read.mock.calls.length - before);
  }
  return reads;
}

function large(): { index: LexicalIndex; lengths: number[] } {
  const index = new LexicalIndex();
  const lengths: number[] = [];
  for (let i = 0; i < PASSAGES; i++) lengths.push(index.stage([{ terms: ["a", `b${i % 50}`], weight: 1 }]));
  return { index, lengths };
}

describe("a document of tens of thousands of passages", () => {
  it("comes and goes without one of its terms being read, and is counted in small steps", () => {
    const { index, lengths } = large();
    const read = vi.spyOn(ForwardLists.prototype, "read");
    const owe = vi.spyOn(TermCounts.prototype, "owe");
    for (const change of [() => index.enter(0, lengths), () => index.removeAll(0, PASSAGES)]) {
      read.mockClear();
      change();
      expect(read).not.toHaveBeenCalled();
      const reads = readsBySlices(index.settle(), read);
      expect(Math.max(...reads)).toBeLessThanOrEqual(SLICE_PASSAGES);
      expect(reads.reduce((sum, each) => sum + each, 0)).toBe(PASSAGES);
    }
    expect([index.passageCount, index.termCount]).toEqual([0, 0]);
    expect(owe).toHaveBeenCalledTimes(2);
  });

  it("is counted in small steps by the search that comes first", () => {
    const { index, lengths } = large();
    index.enter(0, lengths);
    index.settle().next();
    index.removeAll(0, PASSAGES - 1);
    const fresh = new LexicalIndex();
    fresh.add([{ terms: ["a", "b0"], weight: 1 }]);
    const read = vi.spyOn(ForwardLists.prototype, "read");
    expect(Math.max(...readsBySlices(index.weighInSlices(["a"]), read))).toBeLessThanOrEqual(SLICE_PASSAGES);
    expect(read).toHaveBeenCalled();
    expect(index.weigh(["a"]).terms[0]?.weight).toBe(fresh.weigh(["a"]).terms[0]?.weight);
  });

  it("is captured right after it has come or gone without one of its terms being read, and counted in the capture in small steps", () => {
    const { index, lengths } = large();
    index.enter(0, lengths);
    index.settle().next();
    for (const terms of [51, 0]) {
      const read = vi.spyOn(ListsReader.prototype, "read");
      const capture = index.capture();
      expect(read).not.toHaveBeenCalled();
      const reads = readsBySlices(capture.prepare(), read);
      expect(Math.max(...reads)).toBeLessThanOrEqual(SLICE_PASSAGES);
      expect(reads.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(PASSAGES / 2);
      expect([...capture.vocabulary()]).toHaveLength(terms);
      index.removeAll(0, PASSAGES);
    }
  });

  it("leaves the index of a bot at once", async () => {
    const index = new SearchIndex((await analyzerOf("en")) ?? expect.fail("no English"));
    const md = Array.from({ length: 3_000 }, (_, i) => `# Part ${i}\n\nWord${i} stands here.`).join("\n\n");
    const fields = { id: "large", type: "DOCUMENT", status: "active", metaData: {}, titles: ["Parts"] } as const;
    const document: SearchableDocument = { ...fields, content: [{ md }] };
    index.replace(document, 1);
    expect(index.lexical.passageCount).toBeGreaterThan(SLICE_PASSAGES);
    expect(index.lexical.termCount).toBeGreaterThan(3_000);
    const read = vi.spyOn(ForwardLists.prototype, "read");
    const left = index.leave(document.id);
    expect(index.lexical.passageCount).toBe(0);
    expect(read).not.toHaveBeenCalled();
    expect(Math.max(...readsBySlices(left, read))).toBeLessThanOrEqual(SLICE_PASSAGES);
    expect(index.lexical.termCount).toBe(0);
  });
});

describe("a passage that comes or goes alone", () => {
  it("is counted at once, also where it is copied", () => {
    const [index, copy] = [new LexicalIndex(), new LexicalIndex()];
    const ordinal = index.add([{ terms: ["a", "b"], weight: 1 }]);
    expect(index.termCount).toBe(2);
    copy.copyOf(index, ordinal, new Uint32Array(2));
    expect(copy.termCount).toBe(2);
    index.remove(ordinal);
    expect(index.termCount).toBe(0);
  });

  it("is found by all of its terms as soon as it is there", () => {
    const { index, lengths } = large();
    index.enter(0, lengths);
    expect(finished(index.passagesWithAll(["b7", "a"], PASSAGES)).size).toBe(PASSAGES / 50);
  });
});

describe("what a document leaves", () => {
  it("is put away beside other work where it takes long", async () => {
    let ms = 0;
    const clock = { wallMs: () => 1, monotonicMs: () => (ms += 100) };
    const engine = await Engine.open({ embedders: {}, clock });
    await engine.createBot({ name: "b" });
    const bot = await engine.bot("b");
    const md = Array.from({ length: 5_000 }, (_, i) => `# Part ${i}\n\nWord${i} stands here.`).join("\n\n");
    await bot.importDocument({ resourceDocId: "large", type: "PDF", content: [{ md }] });
    await bot.whenSearchable();
    const freed = vi.spyOn(Documents.prototype, "freeSlot");
    await bot.removeDocument("large");
    await expect.poll(() => freed.mock.calls.length).toBe(1);
    await engine.close();
  });
});

describe("law: an index weighs as a fresh one of the passages that are there", () => {
  const term = fc.constantFrom("a", "b", "c", "d", "e");
  const document = fc.array(fc.array(term, { maxLength: 6 }), { maxLength: 5 });
  const change = fc.record({ document, goes: fc.boolean(), steps: fc.nat(2) });

  it("whatever has been counted of what came and went", () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
        const index = new LexicalIndex();
        const fresh = new LexicalIndex();
        for (const { document, goes, steps } of changes) {
          const first = index.nextOrdinal;
          const lengths = document.map((terms) => index.stage([{ terms, weight: 1 }]));
          index.enter(first, lengths);
          const settling = index.settle();
          for (let i = 0; i < steps; i++) settling.next();
          if (goes) index.removeAll(first, first + lengths.length);
          else for (const terms of document) fresh.add([{ terms, weight: 1 }]);
        }
        const weights = (of: LexicalIndex) => of.weigh(["a", "b", "c", "d", "e"]).terms.map((t) => [t.text, t.weight]);
        const captured = index.export();
        expect(weights(index).sort()).toEqual(weights(fresh).sort());
        expect(index.export()).toEqual(captured);
        expect(captured.terms.length).toBe(fresh.export().terms.length);
        expect(index.termCount).toBe(fresh.termCount);
      }),
    );
  });
});
