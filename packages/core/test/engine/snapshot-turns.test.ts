import { describe, expect, it, vi } from "vitest";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { compact } from "../../src/index/compaction.ts";
import { cutDocument, EMBEDDED_TEXTS_VERSION } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { firstVectorsSection, type SavedVectors, savedVectors } from "../../src/index/snapshot/first-vectors.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { emptyState } from "../../src/log/state.ts";
import { stateSections } from "../../src/log/state-sections.ts";
import { VECTORS_SECTION } from "../../src/model/derived-sections.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import type { SnapshotSection } from "../../src/storage/store.ts";

const DIMENSIONS = 16;
const SPACE = { id: "fake", version: "1", dimensions: DIMENSIONS };
const SECTIONS = 5_000;
/** Vectors that may be copied between two yields. */
const COPIED_MAX = 1_024;
const SLICE_BYTES = 4_096;
const FRAGMENT_BYTES = 65_536;

/** Tells the parts of a document apart. */
const codesOf = (window: number): Int8Array => new Int8Array(DIMENSIONS).fill((window % 100) + 1);

/** An index in which two documents have as many sections, each with the vector of its number. */
function filled(sections: number): SearchIndex {
  const index = new SearchIndex(new LanguageAnalyzer("multi"));
  index.windowVectors.use(SPACE, new PassageVectors(DIMENSIONS), "by");
  const md = "# Section\n\nThing.\n\n".repeat(sections);
  for (const [i, id] of ["before", "large"].entries()) {
    const document = { id, type: "PDF", status: "active", metaData: {}, titles: [], content: [{ md }] } as const;
    let window = 0;
    const encode = (): Int8Array => codesOf(window++);
    const cut = cutDocument(document);
    finished(index.replaceInSlices(document, { version: i + 1, cut, current: () => document, encode }));
  }
  return index;
}

async function written({ chunks }: SnapshotSection): Promise<Buffer[]> {
  const fragments: Buffer[] = [];
  for await (const chunk of chunks) fragments.push(Buffer.from(chunk));
  return fragments;
}

/** What a snapshot has of the large document if this happens while its vectors are copied. */
async function savedWhile(change: (index: SearchIndex) => void): Promise<SavedVectors | undefined> {
  const index = filled(SECTIONS);
  const copied = vi.spyOn(PassageVectors.prototype, "rowOf");
  const rest = async (): Promise<void> => {
    if (copied.mock.calls.length < SECTIONS + 2 * COPIED_MAX) return;
    copied.mockRestore();
    change(index);
  };
  const section = firstVectorsSection(index, { bytes: SLICE_BYTES, lane: rest });
  const bytes = Buffer.concat(await written(section));
  return finished(savedVectors({ name: section.name, version: section.version, bytes })).get("large");
}

describe("a snapshot of a document of thousands of parts", () => {
  it("lets others pass after some vectors of a static embedder, each with no more than some bytes", async () => {
    const index = filled(SECTIONS);
    const copied = vi.spyOn(PassageVectors.prototype, "rowOf");
    const between: number[] = [];
    const rest = async (): Promise<void> => {
      between.push(copied.mock.calls.length);
      copied.mockClear();
    };
    const section = firstVectorsSection(index, { bytes: SLICE_BYTES, lane: rest });
    const fragments = await written(section);
    copied.mockRestore();
    expect(between.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(2 * (SECTIONS - COPIED_MAX));
    expect(Math.max(...between)).toBeLessThanOrEqual(COPIED_MAX);
    expect(Math.max(...fragments.map(({ length }) => length))).toBeLessThanOrEqual(FRAGMENT_BYTES + SLICE_BYTES);
    const saved = finished(
      savedVectors({ name: section.name, version: section.version, bytes: Buffer.concat(fragments) }),
    );
    for (const id of ["before", "large"]) {
      expect(saved.get(id)).toMatchObject({ first: 0, by: "by" });
      expect(saved.get(id)?.codes).toEqual(Int8Array.from(allCodes(0)));
    }
  });

  it("lets others pass after some bytes of an embedder's vectors", async () => {
    const state = emptyState();
    const codes = new Int8Array(1_000_000).map((_, i) => i);
    state.vectors.set("large", { version: 1, space: SPACE, texts: EMBEDDED_TEXTS_VERSION, codes });
    const rest = async (): Promise<void> => undefined;
    const section = stateSections(state, { bytes: SLICE_BYTES, lane: rest }).find(
      ({ name }) => name === VECTORS_SECTION,
    );
    const fragments = await written(section ?? expect.fail("no section"));
    expect(Math.max(...fragments.map(({ length }) => length))).toBeLessThanOrEqual(FRAGMENT_BYTES + SLICE_BYTES);
    expect(Buffer.compare(Buffer.concat(fragments).subarray(-codes.length), Buffer.from(codes.buffer))).toBe(0);
  });

  it("has the static embedder's vectors of a document whose parts get other numbers meanwhile", async () => {
    const saved = await savedWhile((index) => {
      index.remove("before");
      finished(compact(index));
    });
    expect(saved?.codes).toEqual(Int8Array.from(allCodes(0)));
  });

  it("leaves the vectors out that an embedder makes meanwhile", async () => {
    const own = new Int8Array(50 * DIMENSIONS).fill(-1);
    const saved = await savedWhile((index) => index.windowVectors.set("large", own));
    expect(saved?.first).toBe(50);
    expect(saved?.codes).toEqual(Int8Array.from(allCodes(50)));
  });

  it("leaves a document out that goes meanwhile", async () => {
    expect(await savedWhile((index) => index.remove("large"))).toBeUndefined();
  });
});

function* allCodes(first: number): Generator<number> {
  for (let window = first; window < SECTIONS; window++) yield* codesOf(window);
}
