import { describe, expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { ordinalCountOf } from "../../src/index/indexed-document.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { encodeVector } from "../../src/index/vectors/codes.ts";
import { PassageVectors } from "../../src/index/vectors/passage-vectors.ts";
import { finished } from "../../src/scheduling/time-slices.ts";
import { denseQuery } from "../../src/search/fusion.ts";
import { analyzeQuery, type ParsedQuery, weighQuery } from "../../src/search/parsed-query.ts";
import { retrieve, scoresOf } from "../../src/search/retrieval.ts";
import { clusteredVectors } from "../../testing/told-vectors.ts";

const DIMENSIONS = 16;
const SPACE = { id: "test", version: "1", dimensions: DIMENSIONS };

/** Words of very different frequency: the n-th stands in about one of n + 1 sentences. */
const WORDS = "anchor basket candle dragon engine fabric garden hammer island jungle kettle lantern".split(" ");

/** Documents of several passages with vectors of their own, some of them without any. */
async function filled(seed: number, without: number): Promise<SearchIndex> {
  const analyzer = await analyzerOf("en");
  if (analyzer === undefined) throw new Error("There is no English.");
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(SPACE, new PassageVectors(DIMENSIONS), "test");
  const vectors = clusteredVectors(4_000, DIMENSIONS, seed, 30);
  let [at, next] = [seed, 0];
  const random = (below: number): number => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor(((at >>> 8) / 2 ** 24) * below);
  };
  for (let i = 0; i < 150; i++) {
    const paragraphs = Array.from({ length: 1 + random(12) }, (_, j) => {
      const words = WORDS.filter((_, n) => random(n + 1) === 0);
      return `Paragraph ${i} ${j} ${words.join(" ")} ${"of other words ".repeat(random(30))}`;
    });
    const document = {
      id: `d${String(i).padStart(3, "0")}`,
      type: "DOCUMENT" as const,
      status: "active" as const,
      // Every third title is that of another document too, and tells nothing.
      metaData: { title: `Title ${i % 3 === 0 ? 0 : i}` },
      content: [{ md: paragraphs.join("\n\n") }],
      titles: [`Title ${i % 3 === 0 ? 0 : i}`],
    };
    const encode =
      i % 10 < without ? undefined : () => encodeVector(vectors[next++ % vectors.length] ?? new Float32Array());
    finished(
      index.replaceInSlices(document, { version: 1, cut: cutDocument(document), current: () => document, encode }),
    );
  }
  return index;
}

function asked(index: SearchIndex, text: string, vector: Float32Array, weight: number): ParsedQuery {
  const length = Math.hypot(...vector);
  const embedder = { ...SPACE, weight, calibrate: (cosine: number) => Math.max(0, cosine) };
  const dense = denseQuery(index.windowVectors, { embedder, vector: vector.map((x) => x / length) });
  return finished(weighQuery(analyzeQuery(text, index.analyzer), index, dense));
}

/** By the definition: every passage of every document. */
function best(index: SearchIndex, query: ParsedQuery, count: number): string[] {
  const worth = [...index.documents].map((document) => {
    const ordinals = Array.from({ length: ordinalCountOf(document) }, (_, i) => document.firstOrdinal + i);
    const score = Math.max(...ordinals.map((ordinal) => scoresOf(index, query, ordinal).similarity));
    return { id: document.document.id, score };
  });
  return worth
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, count)
    .map(({ id }) => id);
}

describe("words and meaning together", () => {
  it.each([
    { what: "all passages have vectors", seed: 1, without: 0 },
    { what: "some passages have none", seed: 2, without: 3 },
  ])("find the documents that every passage's fused score makes the best, where $what", async ({ seed, without }) => {
    const index = await filled(seed, without);
    const vectors = clusteredVectors(120, DIMENSIONS, seed, 30);
    for (const [i, vector] of vectors.entries()) {
      const words = WORDS.filter((_, n) => ((i * 2_654_435_761) >>> (n + 3)) % 2 === 1);
      const weight = [0.1, 0.3, 0.5, 0.9][i % 4] ?? 0.3;
      const query = asked(index, words.join(" "), vector, weight);
      if (words.length === 0 || query.dense === undefined) continue;
      const count = [1, 3, 10, 100][(i >> 2) % 4] ?? 10;
      const found = finished(retrieve(index, query, undefined, count));
      expect(
        found.map(({ document }) => document.document.id),
        `${words} ${weight} ${count}`,
      ).toEqual(best(index, query, count));
      for (const { document, bestOrdinal } of found) {
        const { similarity } = scoresOf(index, query, bestOrdinal);
        expect(similarity).toBe(index.scores.scoreOf(document.slot));
      }
    }
  });

  it("look further where the nearest passages are all of a few documents", async () => {
    const analyzer = await analyzerOf("en");
    if (analyzer === undefined) throw new Error("There is no English.");
    const index = new SearchIndex(analyzer);
    index.windowVectors.use(SPACE, new PassageVectors(DIMENSIONS), "test");
    for (let i = 0; i < 14; i++) {
      // All passages of a document are as near to the question, each in a direction of its own; the later documents are further away.
      const [near, far] = [Math.cos(0.2 + i * 0.06), Math.sin(0.2 + i * 0.06)];
      const paragraphs = Array.from(
        { length: 90 },
        (_, j) => `Paragraph ${i} ${j} ${i === 12 ? "lantern" : ""} ${"of other words ".repeat(20)}`,
      );
      const id = `d${String(i).padStart(3, "0")}`;
      const document = {
        id,
        type: "DOCUMENT" as const,
        status: "active" as const,
        metaData: {},
        content: [{ md: paragraphs.join("\n\n") }],
        titles: [],
      };
      let made = 0;
      const encode = () => {
        const vector = new Float32Array(DIMENSIONS);
        vector[0] = near;
        vector[1 + (made++ % (DIMENSIONS - 1))] = far;
        return encodeVector(vector);
      };
      finished(
        index.replaceInSlices(document, { version: 1, cut: cutDocument(document), current: () => document, encode }),
      );
    }
    const vector = new Float32Array(DIMENSIONS).fill(1, 0, 1);
    for (const words of ["lantern", "lantern anchor", "paragraph lantern"]) {
      for (const weight of [0.1, 0.5, 0.9]) {
        for (const count of [1, 5, 10, 14]) {
          const query = asked(index, words, vector, weight);
          const found = finished(retrieve(index, query, undefined, count));
          expect(
            found.map(({ document }) => document.document.id),
            `${words} ${weight} ${count}`,
          ).toEqual(best(index, query, count));
        }
      }
    }
  });

  it("compare all passages of a document at once as they do one by one", async () => {
    const index = await filled(3, 2);
    const { windowVectors } = index;
    const vector = windowVectors.rows?.prepare(
      clusteredVectors(1, DIMENSIONS, 3, 30)[0] ?? new Float32Array(DIMENSIONS),
    );
    if (vector === undefined) throw new Error("There are no vectors.");
    for (const document of index.documents) {
      const { firstOrdinal } = document;
      const end = firstOrdinal + ordinalCountOf(document);
      for (const first of [firstOrdinal, Math.min(end, firstOrdinal + 3)]) {
        const each = Array.from(
          { length: end - first },
          (_, i) => windowVectors.cosineOf(vector, first + i) ?? Number.NaN,
        );
        expect([...windowVectors.cosinesBetween(vector, first, end)]).toEqual(each);
      }
    }
  });
});
