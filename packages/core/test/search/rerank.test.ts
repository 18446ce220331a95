import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { TokenCodesOfSearch } from "../../src/index/token-codes/codes-of-search.ts";
import type { SearchResult } from "../../src/model/types.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { explain } from "../../src/search/explain/explain.ts";
import { RERANK_DEPTH_MIN, rerankedDocuments } from "../../src/search/rerank/rerank.ts";
import { rerankedScore } from "../../src/search/rerank/reranked-score.ts";
import { type DocumentHits, PASSAGES_QUOTED_MAX } from "../../src/search/retrieval.ts";
import { askedTokens, CALIBRATION, FakeKeptTokenCodes } from "../support/fake-token-codes.ts";
import { ask, askingOf, document, FILLER, indexOf } from "./rerank-kit.ts";

/** Few words, one of them an exact string: equal scores and equal texts are common. */
const WORDS = ["car", "automobile", "buy", "dog", "hound", "fast", "rapid", "ice", "penguin", "key", "e42"];
const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
const documents = fc
  .array(
    fc.record({
      type: fc.constantFrom("DOCUMENT" as const, "QNA" as const),
      titles: fc.array(sentence, { minLength: 1, maxLength: 2 }),
      paragraphs: fc.array(sentence, { minLength: 1, maxLength: 5 }),
      isLong: fc.nat(9).map((chance) => chance === 0),
    }),
    { minLength: 1, maxLength: 32, size: "max" },
  )
  .map((all) =>
    all.map(({ paragraphs, isLong, ...given }, i) =>
      document(
        `d${String(i).padStart(2, "0")}`,
        paragraphs.map((text, j) => `## Part ${j}\n\n${text}${isLong ? `, ${FILLER}` : ""}`).join("\n\n"),
        given,
      ),
    ),
  );

describe("reranking", () => {
  it("puts what holds the question's tokens before what only means the same", async () => {
    const index = indexOf([
      document("a", "A hound and a hound in a car."),
      document("b", "A puppy was in my vehicle today."),
    ]);
    const order = async (tokenCodes?: FakeKeptTokenCodes): Promise<string[]> =>
      (
        await ask(index, "is a puppy in the vehicle of hound", {
          tokenCodes,
          calibration: { ...CALIBRATION, weight: 2 },
        })
      ).map(({ resourceDocId }) => resourceDocId);
    expect(await order()).toEqual(["a", "b"]);
    expect(await order(new FakeKeptTokenCodes(index))).toEqual(["b", "a"]);
  });

  it("quotes the line whose tokens hold the question, whatever the title has", async () => {
    const items = ["penguin ice", "automobile fast rapid", "hound key car", "vehicle buy dog", "ice automobile"];
    const md = items.map((item) => `- ${item}, ${FILLER.slice(0, 120)}`).join("\n");
    for (const titles of [[], ["hound key car"]]) {
      const index = indexOf([document("a", md, { titles }), document("b", "A key.")]);
      for (const [i, item] of items.entries()) {
        const calibration = { ...CALIBRATION, weight: 20 };
        const [best] = (
          await ask(index, `what ${item} is`, { tokenCodes: new FakeKeptTokenCodes(index), calibration })
        ).filter(({ resourceDocId }) => resourceDocId === "a");
        expect(best?.similarTextParts[0]).toMatchObject({ start: i + 1, stop: i + 1 });
      }
    }
  });

  it("gives scores within their bounds, in order, and the same first ones for up to 20 results, and for more", async () => {
    let reordered = 0;
    await fc.assert(
      fc.asyncProperty(documents, sentence, fc.integer({ min: 1, max: 30 }), async (given, query, topK) => {
        const index = indexOf(given);
        const tokenCodes = new FakeKeptTokenCodes(index);
        const all = await ask(index, query, { tokenCodes, topK: 100 });
        const first = topK > RERANK_DEPTH_MIN ? all : await ask(index, query, { tokenCodes, topK: RERANK_DEPTH_MIN });
        expect(await ask(index, query, { tokenCodes, topK })).toEqual(first.slice(0, topK));
        const without = await ask(index, query, { topK: 100 });
        expect(all.map(({ resourceDocId }) => resourceDocId).sort()).toEqual(
          without.map(({ resourceDocId }) => resourceDocId).sort(),
        );
        if (all.some(({ resourceDocId }, i) => resourceDocId !== without[i]?.resourceDocId)) reordered++;
        const equal = new Set(
          without.filter(({ bestMatchScore }) => bestMatchScore === 1).map(({ resourceDocId }) => resourceDocId),
        );
        for (const [i, { resourceDocId, bestMatchScore, similarTextParts }] of all.entries()) {
          expect(bestMatchScore).toBeGreaterThan(0);
          expect(bestMatchScore === 1).toBe(equal.has(resourceDocId));
          expect(bestMatchScore).toBeLessThanOrEqual(all[i - 1]?.bestMatchScore ?? 1);
          expect(bestMatchScore).toBe(similarTextParts[0]?.similarity);
        }
      }),
      { numRuns: lawRuns(400) },
    );
    expect(reordered).toBeGreaterThan(5);
  });

  it("gives a document its score and its quotes, whatever else a filter admits and however many are asked for", async () => {
    let others = 0;
    await fc.assert(
      fc.asyncProperty(documents, sentence, fc.infiniteStream(fc.boolean()), async (given, drawn, admits) => {
        const index = indexOf(given.map((each) => ({ ...each, metaData: { admitted: admits.next().value } })));
        // Some questions equal a title.
        const query = admits.next().value ? drawn : (given[0]?.titles[0] ?? drawn);
        const tokenCodes = new FakeKeptTokenCodes(index);
        const whole = await ask(index, query, { tokenCodes, topK: 100 });
        const known = new Map(whole.map((result) => [result.resourceDocId, result]));
        const filters = { "metaData.admitted": true };
        const first = new Set((await ask(index, query, { topK: RERANK_DEPTH_MIN })).map((each) => each.resourceDocId));
        for (const asked of [{ topK: 5 }, { topK: 5, filters }, { topK: 100, filters }]) {
          const results = await ask(index, query, { tokenCodes, ...asked });
          for (const result of results) expect(result).toEqual(known.get(result.resourceDocId));
          if (results.some(({ resourceDocId }) => !first.has(resourceDocId))) others++;
        }
      }),
      { numRuns: lawRuns(400) },
    );
    expect(others).toBeGreaterThan(5);
  });

  it("compares a document that equals the question, also where it is the only one", async () => {
    const md = `Fast penguin on ice. ${FILLER}\n\nPenguin with a key. ${FILLER}`;
    const both = indexOf([document("a", md, { titles: ["penguin key"] }), document("b", "A key.")]);
    const alone = indexOf([document("a", md, { titles: ["penguin key"] })]);
    const [of, ofAlone] = [new FakeKeptTokenCodes(both), new FakeKeptTokenCodes(alone)];
    const filters = { resourceDocId: "a" };
    const [found] = await ask(both, "penguin key", { tokenCodes: of });
    expect(await ask(both, "penguin key", { tokenCodes: of, filters })).toEqual([found]);
    const [hybrid] = await ask(alone, "penguin key");
    const [reranked] = await ask(alone, "penguin key", { tokenCodes: ofAlone });
    expect(reranked?.bestMatchScore).toBe(1);
    expect(reranked?.similarTextParts[1]?.similarity).not.toBe(hybrid?.similarTextParts[1]?.similarity);
    const { request, asking } = askingOf("penguin key", { tokenCodes: ofAlone });
    const { question } = await explain(alone, request, "a", () => 1, asking);
    expect(question.rerank?.documents).toBe(RERANK_DEPTH_MIN);
  });

  it("explains a filtered document with the score that it would have, also where the filter leaves no other", async () => {
    const index = indexOf(["penguin on ice", "penguin key", "a hound"].map((md, i) => document(`d${i}`, md)));
    const tokenCodes = new FakeKeptTokenCodes(index);
    const [best] = await ask(index, "penguin here", { tokenCodes });
    for (const id of ["d2", "none"]) {
      const { request, asking } = askingOf("penguin here", { tokenCodes, filters: { resourceDocId: id } });
      const explained = await explain(index, request, best?.resourceDocId ?? "", () => 1, asking);
      expect(explained).toMatchObject({ outcome: "filtered", rank: 1, score: best?.bestMatchScore });
    }
  });

  it("is told as missing where a document's hybrid score is behind those that are reranked", async () => {
    const index = indexOf(Array.from({ length: 30 }, (_, i) => document(`d${i}`, `penguin ${"ice ".repeat(i)}`)));
    const tokenCodes = new FakeKeptTokenCodes(index);
    const hybrid = await ask(index, "penguin", { topK: 100 });
    const last = hybrid[25] ?? expect.fail("not found");
    const outcomeOf = async (topK: number) => {
      const { request, asking } = askingOf("penguin", { tokenCodes, topK });
      return await explain(index, request, last.resourceDocId, () => 1, asking);
    };
    expect(await outcomeOf(5)).toMatchObject({ outcome: "notReranked", rank: 26, score: last.bestMatchScore });
    expect(await outcomeOf(30)).toMatchObject({ outcome: "returned", question: { rerank: { documents: 100 } } });
  });

  it("gives the same answer whatever is held in memory, and reads what is not, once", async () => {
    let read = 0;
    await fc.assert(
      fc.asyncProperty(documents, sentence, fc.integer({ min: 0, max: 10 }), async (given, query, tenths) => {
        const index = indexOf(given);
        const held = new FakeKeptTokenCodes(index);
        const some = new FakeKeptTokenCodes(
          index,
          new Set(),
          (id, window) => (Number(id.slice(1)) * 7 + window * 3) % 10 < tenths,
        );
        const expected = await ask(index, query, { tokenCodes: held });
        expect(held.readings).toBe(0);
        expect(await ask(index, query, { tokenCodes: some })).toEqual(expected);
        expect(some.readings).toBeLessThanOrEqual(1);
        expect(some.windowsRead).toBeLessThanOrEqual(RERANK_DEPTH_MIN * (PASSAGES_QUOTED_MAX + 1) * 4);
        read += some.windowsRead;
      }),
      { numRuns: lawRuns(400) },
    );
    expect(read).toBeGreaterThan(10);
  });

  it("compares nothing before all token codes are there", async () => {
    const index = indexOf(["penguin on ice", "penguin key"].map((md, i) => document(`d${i}`, md)));
    const tokenCodes = new TokenCodesOfSearch(new FakeKeptTokenCodes(index, new Set(), (id) => id === "d0"));
    const { of, space, calibration } = askedTokens("penguin here");
    let compared = 0;
    const question = {
      ...of,
      get tokenCodes() {
        compared++;
        return of.tokenCodes;
      },
    };
    const documents = ["d0", "d1"].map((id): DocumentHits => {
      const found = index.documents.find(id) ?? expect.fail("not there");
      const passages = [{ ordinal: found.firstOrdinal, similarity: 0.5, words: 0 }];
      return { document: found, passages, variant: 0, equal: { title: false, fragments: [] } };
    });
    const rerank = () =>
      finished(rerankedDocuments(index, documents, { question, bytes: space.bytes, calibration, tokenCodes }));
    expect([rerank().assumed, compared]).toEqual([undefined, 0]);
    await tokenCodes.read();
    expect([rerank().assumed === undefined, compared]).toEqual([false, 2]);
  });

  it("is not taken where nothing is kept, and leaves documents in their order whose token codes are missing", async () => {
    await fc.assert(
      fc.asyncProperty(documents, sentence, fc.infiniteStream(fc.boolean()), async (given, query, lacks) => {
        // What is assumed of documents counts less for those that lack an exact string.
        fc.pre(!query.includes("e42"));
        const index = indexOf(given);
        const two = await ask(index, query, { topK: 100 });
        const none = new FakeKeptTokenCodes(index, new Set(given.map(({ id }) => id)));
        expect(await ask(index, query, { tokenCodes: none, topK: 100 })).toEqual(two);
        const missing = new Set(given.map(({ id }) => id).filter(() => lacks.next().value === true));
        const three = await ask(index, query, { tokenCodes: new FakeKeptTokenCodes(index, missing), topK: 100 });
        const missed = (results: readonly SearchResult[]): string[] =>
          results.map(({ resourceDocId }) => resourceDocId).filter((id) => missing.has(id));
        // Equal scores may part after a rounding, and meet: compared are documents by what two looks gave them.
        const scores = new Map(two.map(({ resourceDocId, bestMatchScore }) => [resourceDocId, bestMatchScore]));
        expect(missed(three).map((id) => scores.get(id))).toEqual(missed(two).map((id) => scores.get(id)));
      }),
      { numRuns: lawRuns(400) },
    );
  });

  it("is taken of the index as it was when it answered, where that changes while token codes are read", async () => {
    const texts = ["penguin on ice", "penguin key", "ice and a key", "fast penguin"];
    const index = indexOf(texts.map((md, i) => document(`d${i}`, md)));
    const tokenCodes = new FakeKeptTokenCodes(index, new Set(), () => false);
    const read = tokenCodes.read.bind(tokenCodes);
    tokenCodes.read = async (places) => {
      const given = await read(places);
      if (tokenCodes.readings === 1) index.remove("d0");
      return given;
    };
    const results = await ask(index, "penguin on ice", { tokenCodes });
    const ids = results.map(({ resourceDocId }) => resourceDocId);
    expect(ids).not.toContain("d0");
    const after = await ask(index, "penguin on ice", { tokenCodes: new FakeKeptTokenCodes(index) });
    expect(results).toEqual(after);
  });

  it("does without what cannot be read", async () => {
    const index = indexOf(["penguin on ice", "penguin key"].map((md, i) => document(`d${i}`, md)));
    const tokenCodes = new FakeKeptTokenCodes(index, new Set(), () => false);
    tokenCodes.read = async () => new Map();
    expect(await ask(index, "penguin here", { tokenCodes })).toEqual(await ask(index, "penguin here"));
  });

  it("ends when its signal aborts while it reads", async () => {
    const index = indexOf([document("a", "penguin")]);
    const tokenCodes = new FakeKeptTokenCodes(index, new Set(), () => false);
    const ending = new AbortController();
    tokenCodes.read = async () => {
      ending.abort(new Error("enough"));
      return new Promise(() => undefined);
    };
    await expect(ask(index, "penguin there", { tokenCodes, signal: ending.signal })).rejects.toThrow("enough");
  });
});

describe("an explanation", () => {
  it("tells what each piece of the question has matched best, and where", async () => {
    const md = `# Birds\n\nThe penguin on ice. ${FILLER}\n\nThe key on ice. ${FILLER}`;
    const index = indexOf([
      document("a", md),
      document("b", "The penguin is fast."),
      document("c", "The key is fast."),
    ]);
    const { request, asking } = askingOf("penguin with the key", { tokenCodes: new FakeKeptTokenCodes(index) });
    const explained = await explain(index, request, "a", () => 1, asking);
    expect(explained.question.rerank).toMatchObject({ weight: CALIBRATION.weight, documents: RERANK_DEPTH_MIN });
    expect(explained.question.rerank?.wordPieces.map(({ wordPiece }) => wordPiece)).toEqual([
      "penguin",
      "with",
      "the",
      "key",
    ]);
    const looked = explained.passages.filter(({ rerank }) => rerank !== undefined);
    expect(looked.length).toBeGreaterThan(0);
    const matches = looked.flatMap(({ rerank }) => rerank?.matches ?? []);
    const exact = matches.filter(({ closeness }) => closeness === 1);
    expect(exact).toContainEqual({ wordPiece: "penguin", closeness: 1, start: 3, stop: 3 });
    expect(exact).toContainEqual({ wordPiece: "key", closeness: 1, start: 5, stop: 5 });
    expect(Math.max(...looked.map(({ rerank }) => rerank?.similarity ?? 0))).toBe(explained.score);
    const without = await explain(index, request, "a", () => 1, { ...asking, tokenCodes: undefined });
    expect(without.question.rerank).toBeUndefined();
    expect(without.passages.some(({ rerank }) => rerank !== undefined)).toBe(false);
  });

  it("has the numbers of the search by all looks, whichever document is asked about", async () => {
    await fc.assert(
      fc.asyncProperty(documents, sentence, fc.integer({ min: 1, max: 30 }), async (given, query, topK) => {
        const index = indexOf(given);
        const tokenCodes = new FakeKeptTokenCodes(index, new Set(), (_, window) => window === 0);
        const depth = topK <= RERANK_DEPTH_MIN ? RERANK_DEPTH_MIN : 100;
        const all = await ask(index, query, { tokenCodes, topK: depth });
        const hybrid = await ask(index, query, { topK: 100 });
        for (const { id } of given) {
          const { request, asking } = askingOf(query, { tokenCodes, topK });
          const explained = await explain(index, request, id, (known) => index.versionOf(known), asking);
          const at = all.findIndex(({ resourceDocId }) => resourceDocId === id);
          const result = all[at];
          const behind = hybrid.findIndex(({ resourceDocId }) => resourceDocId === id);
          if (behind === -1) expect(explained.rank).toBeUndefined();
          else if (result === undefined) {
            const { bestMatchScore: score, similarTextParts } = hybrid[behind] ?? expect.fail("not there");
            expect(explained).toMatchObject({ outcome: "notReranked", rank: behind + 1, score, similarTextParts });
          } else {
            expect(explained).toMatchObject({
              outcome: at < topK ? "returned" : "afterLast",
              rank: at + 1,
              score: result.bestMatchScore,
              similarTextParts: result.similarTextParts,
            });
          }
          for (const { rerank, similarity } of explained.passages) {
            if (rerank === undefined) continue;
            expect(explained.rank).toBeLessThanOrEqual(depth);
            expect(rerank.similarity).toBe(rerankedScore(similarity, rerank.closeness, CALIBRATION.weight));
          }
        }
      }),
      { numRuns: lawRuns(160) },
    );
  });
});
