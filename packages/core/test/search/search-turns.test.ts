import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { compact } from "../../src/index/compaction.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import type { SearchableDocument } from "../../src/model/types.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { finished, type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";
import { SEARCH_BUDGET } from "../../src/search/budget.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { parseSearchRequest } from "../../src/search/request.ts";
import { search } from "../../src/search/search.ts";
import { answer } from "../support/answer.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

const analyzer = (await analyzerOf("en")) ?? expect.fail("no English");
const embedder = new FakeEmbedder({ dimensions: 24 });
const encode = (text: string): Int8Array => encodeVector(embedder.vectorOf(text));

/** Each look at the clock is a turn later, and each term, passage and document is a step. */
let now = 0;
const everLater = { wallMs: () => 0, monotonicMs: () => ++now * 100 };
const BUDGET = { ...SEARCH_BUDGET, step: 1 };

const WORDS = ["pear", "plum", "fig", "car", "automobile", "buy", "hound", "fast", "penguin", "harbour"];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 }).map((words) => words.join(" "));
const content = fc.array(text, { minLength: 1, maxLength: 4 }).map((paragraphs) => paragraphs.join("\n\n## Next\n\n"));
const id = fc.constantFrom("a", "b", "c", "d", "e");
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("put" as const), id, md: content, title: text }) },
  fc.record({ kind: fc.constant("remove" as const), id }),
  fc.record({ kind: fc.constant("amend" as const), id }),
  fc.record({ kind: fc.constant("compact" as const) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("nothing" as const) }) },
);
type Change = typeof change extends fc.Arbitrary<infer Drawn> ? Drawn : never;

class Living {
  readonly index = new SearchIndex(analyzer, undefined, BUDGET);
  #version = 0;
  /** What goes on in the background, a step after each turn of a search. */
  readonly #work: Sliced<unknown>[] = [];

  constructor(hasVectors: boolean) {
    if (hasVectors) this.index.windowVectors.use(embedder, new PassageVectors(embedder.dimensions), "fake");
  }

  do(change: Change): void {
    const { index } = this;
    if (change.kind === "put") {
      const document = searchable(change.id, change.md, change.title);
      const version = ++this.#version;
      const replacement = { version, cut: cutDocument(document), current: () => document, encode };
      const steps = index.replaceInSlices(document, replacement);
      // Its entry is what searches may see in the middle of their work; what is left is done later.
      const replaced = finished(steps);
      if (replaced !== undefined) this.#work.push(replaced.left);
    } else if (change.kind === "remove") this.#work.push(index.leave(change.id));
    else if (change.kind === "amend") {
      const known = index.documents.find(change.id)?.document;
      if (known !== undefined) index.amend({ ...known, metaData: { changed: ++this.#version } });
    } else if (change.kind === "compact") finished(compact(index));
    this.#work[0]?.next();
  }

  settle(): void {
    for (const steps of this.#work.splice(0)) finished(steps);
  }
}

function searchable(name: string, md: string, title: string): SearchableDocument {
  return { id: name, type: "DOCUMENT", status: "active", metaData: {}, content: [{ md }], titles: [title] };
}

describe("a search that gives others their turn", () => {
  it("answers by what was there at one moment, whatever comes and goes between its turns", async () => {
    const runs = lawRuns(50);
    let interrupted = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(change, { minLength: 4, maxLength: 10 }),
        fc.array(change, { maxLength: 30, size: "max" }),
        fc.array(text, { minLength: 1, maxLength: 3 }),
        async (hasVectors, before, meanwhile, questions) => {
          const living = new Living(hasVectors);
          const { index } = living;
          for (const each of before) {
            living.do(each);
            living.settle();
          }
          const staged = [...meanwhile];
          const rest = async (): Promise<void> => {
            const next = staged.shift();
            if (next === undefined) return;
            interrupted++;
            living.do(next);
          };
          const queue = new SearchQueue(TimeSlices.ofSearches(everLater, rest));
          const embed = async (question: string) =>
            hasVectors ? { embedder, vector: embedder.vectorOf(question) } : undefined;
          for (const query of questions) {
            const request = parseSearchRequest({ query });
            const found = await search(index, request, { queue, embed, check: () => undefined });
            // It was the last to be done: since its last beginning nothing has changed.
            expect(found).toEqual(answer(index, request, analyzeQuery(query, index.reader), await embed(query)));
          }
          living.settle();
        },
      ),
      { numRuns: runs },
    );
    expect(interrupted).toBeGreaterThan(runs);
  });

  it("reads no more of a bot once it is given up", async () => {
    const index = new SearchIndex(analyzer, undefined, BUDGET);
    for (let i = 0; i < 50; i++) index.replace(searchable(`${i}`, `pear ${WORDS[i % 10]}`, "fig"), i + 1);
    const given = new AbortController();
    let rests = 0;
    const rest = async (): Promise<void> => {
      if (++rests === 6) given.abort(new Error("given up"));
    };
    const queue = new SearchQueue(TimeSlices.ofSearches(everLater, rest));
    const request = parseSearchRequest({ query: "pear fig", options: { topK: 50 } });
    const asking = { queue, embed: async () => undefined, check: () => undefined, signal: given.signal };
    const compared = vi.spyOn(index.lexical, "scoreOf");
    await expect(search(index, request, asking)).rejects.toThrow("given up");
    const passages = compared.mock.calls.length;
    expect(rests).toBe(6);
    expect(passages).toBeLessThan(20);
    // What it had in hand is tidied up: the next one has its own answer.
    const next = await search(index, request, { ...asking, signal: undefined });
    expect(next).toHaveLength(50);
    expect(next).toEqual(answer(index, request, analyzeQuery("pear fig", analyzer)));
  });
});
