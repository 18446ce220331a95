import { describe, expect, it } from "vitest";
import { EmbeddingJobs } from "../../../src/background/embedding/embedding-jobs.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../../src/index/embedded-texts.ts";
import type { WindowRange } from "../../../src/index/token-codes/code-directory.ts";
import { FakeEmbedder } from "../../support/fake-embedder.ts";
import { TestClock } from "../../support/test-clock.ts";

const embedder = new FakeEmbedder({ tokens: "1", textsPerCall: 4 });
const { signal } = new AbortController();
const MOST = 3;

/** Jobs of documents of two texts; `read` have their vectors, and all lack the token codes of `gaps`. */
function jobsOf(read: ReadonlySet<string>, gaps: ReadonlyMap<string, WindowRange>, notes: boolean[] = []) {
  const { id, version, dimensions } = embedder;
  const jobs = new EmbeddingJobs({
    newest: (of) => ({
      version: 1,
      document: {
        id: of,
        type: "DOCUMENT",
        status: "active",
        metaData: {},
        content: [{ md: `A car ${of}.` }],
        titles: [`All of ${of}`],
      },
      windows: 2,
      vectors: read.has(of)
        ? {
            version: 1,
            space: { id, version, dimensions },
            codes: new Int8Array(2 * dimensions),
            texts: EMBEDDED_TEXTS_VERSION,
          }
        : undefined,
    }),
    tokenCodes: { gap: (of) => gaps.get(of) },
    clock: new TestClock(),
    onUnfinished: (unfinished) => notes.push(unfinished),
  });
  const next = async () =>
    (await jobs.next(embedder, signal)).map(
      (job) => `${job.id} ${job.first}+${job.texts.length}${job.lacksVectors ? "" : " token codes"}`,
    );
  return { jobs, next };
}

const ALL = { from: 0, to: 2 };

describe("the next texts for an embedder", () => {
  it("are those of a gap alone, and end with it", async () => {
    const { jobs, next } = jobsOf(
      new Set(["a", "b"]),
      new Map([
        ["a", { from: 1, to: 2 }],
        ["b", { from: 0, to: 1 }],
      ]),
    );
    for (const id of ["a", "b"]) jobs.move(id, "lacksTokenCodes");
    expect(await next()).toEqual(["a 1+1 token codes", "b 0+1 token codes"]);
  });

  it("are of documents that lack vectors before those that lack token codes, and of each once", async () => {
    const { jobs, next } = jobsOf(
      new Set(["codes"]),
      new Map([
        ["codes", ALL],
        ["vectors", ALL],
      ]),
    );
    jobs.move("codes", "lacksTokenCodes");
    jobs.move("vectors", "added");
    jobs.move("vectors", "lacksTokenCodes");
    expect([jobs.vectorsMissing, jobs.tokenCodesMissing]).toEqual([1, 1]);
    expect(await next()).toEqual(["vectors 0+2"]);
    jobs.move("vectors", "removed");
    expect(await next()).toEqual(["codes 0+2 token codes"]);
  });

  it.each([true, false])(
    "are tried alone once they were refused together, and refused three times alone (vectors: %s)",
    async (lacksVectors) => {
      const ids = ["a", "b", "c"];
      const gaps = new Map(ids.map((id) => [id, { from: 0, to: 1 }]));
      const { jobs } = jobsOf(new Set(lacksVectors ? [] : ids), gaps);
      for (const id of ids) jobs.move(id, lacksVectors ? "added" : "lacksTokenCodes");
      const together = await jobs.next(embedder, signal);
      expect(together.length).toBeGreaterThan(1);
      expect(jobs.refused(together, MOST)).toEqual([]);
      // The others of them come before they are tried again.
      const order: string[] = [];
      for (let i = 0; i < 20; i++) {
        const alone = await jobs.next(embedder, signal);
        const [job] = alone;
        if (job === undefined) break;
        order.push(alone.map(({ id }) => id).join("+"));
        for (const { id } of jobs.refused(alone, MOST)) jobs.move(id, "givenUp");
      }
      expect(jobs.isEmpty).toBe(true);
      for (const { id } of together) expect(order.filter((each) => each === id)).toHaveLength(MOST);
      expect(order.at(-1)).not.toBe(order.at(-2));
    },
  );

  it("are those of documents whose token codes could not be kept, as soon as others can be, and not of those that were refused", async () => {
    const { jobs, next } = jobsOf(
      new Set(["a", "b"]),
      new Map([
        ["a", ALL],
        ["b", ALL],
      ]),
    );
    for (const id of ["a", "b"]) jobs.move(id, "lacksTokenCodes");
    jobs.move("a", "givenUp");
    jobs.move("b", "unkept");
    expect([jobs.tokenCodesGivenUp, jobs.tokenCodesMissing]).toEqual([2, 0]);
    jobs.takeUpUnkept();
    expect([jobs.tokenCodesGivenUp, jobs.tokenCodesMissing]).toEqual([1, 1]);
    expect(await next()).toEqual(["b 0+2 token codes"]);
  });

  it("are not those of documents whose token codes were given up, until these change", async () => {
    const { jobs, next } = jobsOf(new Set(["a"]), new Map([["a", ALL]]));
    jobs.move("a", "lacksTokenCodes");
    jobs.move("a", "givenUp");
    jobs.move("a", "lacksTokenCodes");
    expect(await next()).toEqual([]);
    jobs.move("a", "added");
    // Its vectors are there after all.
    expect(await next()).toEqual(["a 0+2 token codes"]);
  });

  it.each([true, false])(
    "are given up after three refusals alone, the first included (vectors: %s)",
    async (lacksVectors) => {
      const { jobs } = jobsOf(new Set(lacksVectors ? [] : ["a"]), new Map([["a", ALL]]));
      jobs.move("a", lacksVectors ? "added" : "lacksTokenCodes");
      const refusals = [];
      for (let i = 0; i < MOST; i++) refusals.push(jobs.refused(await jobs.next(embedder, signal), MOST).length);
      expect(refusals).toEqual([0, 0, 1]);
    },
  );
});

describe("the figures of documents", () => {
  it("count a document whose token codes wait or are given up once", () => {
    const { jobs } = jobsOf(new Set(), new Map());
    const figures = () => [jobs.vectorsMissing, jobs.tokenCodesMissing, jobs.vectorsGivenUp, jobs.tokenCodesGivenUp];
    jobs.move("a", "added");
    jobs.move("a", "unkept");
    expect(figures()).toEqual([1, 0, 0, 0]);
    jobs.move("a", "made");
    expect(figures()).toEqual([0, 0, 0, 1]);
    jobs.move("b", "added");
    jobs.move("b", "givenUp");
    expect(figures()).toEqual([0, 0, 1, 2]);
  });

  it("say that nothing is unfinished when the last document that was given up is deleted", () => {
    const notes: boolean[] = [];
    const { jobs } = jobsOf(new Set(), new Map(), notes);
    for (const id of ["a", "b"]) jobs.move(id, "added");
    for (const id of ["a", "b"]) jobs.move(id, "givenUp");
    jobs.move("a", "removed");
    expect(notes).toEqual([true]);
    jobs.move("b", "removed");
    expect(notes).toEqual([true, false]);
  });
});
