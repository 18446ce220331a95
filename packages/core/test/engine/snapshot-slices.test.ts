import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { contentsOf } from "../../src/background/snapshotter.ts";
import { compact, isMostlyGone } from "../../src/index/compaction.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { indexFromSections } from "../../src/index/snapshot/load-index.ts";
import { apply } from "../../src/log/apply.ts";
import { newestVersion, newestVersionNumber } from "../../src/log/newest-version.ts";
import { type BotState, emptyState } from "../../src/log/state.ts";
import { stateFromSections } from "../../src/log/state-sections.ts";
import type { BotRecord } from "../../src/model/records.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import type { FirstSnapshot, LoadedSection, LoadedSnapshot } from "../../src/storage/store.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");

/** A record, and whether the index has followed by the time of the next one. */
interface Write {
  readonly record: BotRecord;
  readonly binary?: Uint8Array;
  readonly isIndexed: boolean;
}

/** A bot without log: what `Bot` does with a durable record. */
class Life {
  readonly state: BotState = emptyState();
  readonly index = new SearchIndex(analyzer);
  readonly #waiting = new Set<string>();

  write({ record, binary, isIndexed }: Write): void {
    const change = apply(this.state, record, this.state.sequence + 1, binary);
    if (change.kind === "index") this.#waiting.add(change.id);
    if (change.kind === "remove") {
      this.#waiting.delete(change.id);
      this.index.remove(change.id);
    }
    if (change.kind === "amend") {
      const newest = newestVersion(this.state, change.id);
      if (newest !== undefined && this.index.versionOf(change.id) === newest.version) this.index.amend(newest.document);
    }
    if (!isIndexed) return;
    for (const id of this.#waiting) {
      const newest = newestVersion(this.state, id);
      if (newest !== undefined) this.index.replace(newest.document, newest.version);
    }
    this.#waiting.clear();
    if (isMostlyGone(this.index)) finished(compact(this.index));
  }
}

const id = fc.integer({ min: 0, max: 7 }).map((n) => `${n}`.repeat(24));
const word = fc.constantFrom("pear", "plum", "fig", "apple", "quince", "medlar", "sorb", "cherry", "naïve", "漢字");
const text = fc.array(word, { minLength: 1, maxLength: 40 }).map((words) => words.join(" "));
const words = fc.array(text, { minLength: 1, maxLength: 6 }).map((paragraphs) => paragraphs.join("\n\n# Next\n\n"));
/** So many passages that replacing a few of them renumbers all. */
const book = fc
  .nat(1_000)
  .map((n) => Array.from({ length: 700 }, (_, i) => `# Part ${i}\n\nn${n} p${i % 7}`).join("\n\n"));

const article = fc.record({ id, body: fc.oneof({ weight: 20, arbitrary: words }, { weight: 1, arbitrary: book }) });
const record: fc.Arbitrary<{ record: BotRecord; binary?: Uint8Array }> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(article, fc.nat(1_000)).map(([{ id, body }, atMs]) => ({
      record: {
        kind: "articlePut" as const,
        article: {
          id,
          title: "Fruit",
          body,
          metadata: { atMs },
          activeOn: [],
          createdAtMs: 1_000,
          updatedAtMs: 1_000 + atMs,
          characterCount: body.length,
        },
        charge: { characters: 1, atMs },
      },
    })),
  },
  { weight: 2, arbitrary: id.map((id) => ({ record: { kind: "articleDelete" as const, id } })) },
  {
    weight: 3,
    arbitrary: fc.tuple(id, words).map(([n, md]) => ({
      record: {
        kind: "documentPut" as const,
        updatedAtMs: md.length,
        document: {
          resourceDocId: `d${n}`,
          type: "WEBPAGE" as const,
          status: "active" as const,
          metaData: { title: md.slice(0, 9) },
          content: [{ md }],
        },
        contentHash: md,
      },
    })),
  },
  {
    weight: 1,
    arbitrary: id.map((n) => ({
      record: { kind: "documentStatus" as const, id: `d${n}`, status: "pending" as const },
    })),
  },
  { weight: 1, arbitrary: id.map((n) => ({ record: { kind: "documentDelete" as const, id: `d${n}` } })) },
  { weight: 1, arbitrary: id.map((name) => ({ record: { kind: "agentPut" as const, name, active: true } })) },
  { weight: 1, arbitrary: id.map((name) => ({ record: { kind: "agentDelete" as const, name } })) },
  {
    weight: 3,
    arbitrary: fc.tuple(id, fc.integer({ min: 1, max: 60 }), fc.nat(255)).map(([id, version, code]) => ({
      record: {
        kind: "vectors" as const,
        id,
        version,
        space: { id: "fake", version: "1", dimensions: 4 },
        texts: 1,
        encoding: "int8" as const,
        first: 0,
        count: 1,
      },
      binary: new Uint8Array(4).fill(code),
    })),
  },
);
const write: fc.Arbitrary<Write> = fc
  .tuple(record, fc.boolean())
  .map(([written, isIndexed]) => ({ ...written, isIndexed }));

async function loaded({ sequence, sections }: FirstSnapshot): Promise<LoadedSnapshot> {
  const all = new Map<string, LoadedSection>();
  for (const { name, version, chunks } of sections) {
    const fragments: Uint8Array[] = [];
    for await (const chunk of chunks) fragments.push(Buffer.from(chunk));
    all.set(name, { name, version, bytes: Buffer.concat(fragments) });
  }
  return { sequence, sections: all };
}

function lived(writes: readonly Write[]): Life {
  const life = new Life();
  for (const one of writes) life.write(one);
  return life;
}

it("a snapshot is of its record to the last byte, whatever is written at any slice of it", async () => {
  const runs = lawRuns(60);
  let rests = 0;
  let renumbered = 0;
  const writes = fc.array(write, { minLength: 1, maxLength: 40, size: "max" });
  await fc.assert(
    fc.asyncProperty(writes, writes, fc.integer({ min: 16, max: 2_000 }), async (before, meanwhile, bytes) => {
      const undisturbed = lived(before);
      const expected = await loaded(contentsOf(undisturbed.state, undisturbed.index));
      const life = lived(before);
      const { lexical } = life.index;
      const slicing = {
        bytes,
        lane: async () => {
          const next = meanwhile[rests++ % meanwhile.length];
          if (next !== undefined) life.write(next);
        },
      };
      const snapshot = await loaded(contentsOf(life.state, life.index, slicing));
      if (life.index.lexical !== lexical) renumbered += 1;

      expect(snapshot.sequence).toBe(before.length);
      expect([...snapshot.sections.keys()]).toEqual([...expected.sections.keys()]);
      for (const [name, section] of snapshot.sections) {
        const isSame = Buffer.compare(section.bytes, expected.sections.get(name)?.bytes ?? Buffer.alloc(0)) === 0;
        expect(isSame, name).toBe(true);
      }
      const { state, index } = undisturbed;
      const read = finished(stateFromSections(snapshot));
      expect(read).toEqual(state);
      const found = finished(
        indexFromSections(analyzer, snapshot.sections, (id, version) => {
          const newest = newestVersion(read, id);
          return newest?.version === version ? newest.document : undefined;
        }),
      );
      for (const { document, version } of index.documents) {
        const isNewest = newestVersionNumber(state, document.id) === version;
        expect(found.versionOf(document.id)).toBe(isNewest ? version : undefined);
      }
    }),
    { numRuns: runs, seed: 6 },
  );
  expect(rests).toBeGreaterThan(50 * runs);
  expect(renumbered).toBeGreaterThan(runs / 20);
}, 60_000);
