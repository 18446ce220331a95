import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EncodedQuestion, QuestionVectors } from "../../src/embedding/question-vectors.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { tokensOfWords } from "../support/fake-token-codes.ts";

const MAKER = { id: "fake", version: "1" };
const BYTES_MAX = 2_000;

/** Every second one with tokens. */
function encodedAs(number: number): EncodedQuestion {
  const vector = Float32Array.of(number);
  return number % 2 === 0 ? { vector } : { vector, tokens: tokensOfWords("some words ".repeat(number % 7)) };
}

describe("vectors of questions", () => {
  it("are those that were made last, in bounded memory, whatever is asked", () => {
    const texts = fc.string({ maxLength: 1_200 });
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom("a", "b", "c"), texts), { maxLength: 60 }), (asked) => {
        const vectors = new QuestionVectors(BYTES_MAX);
        const made = new Map<string, EncodedQuestion>();
        for (const text of asked) {
          const found = vectors.find(text, MAKER);
          if (found === undefined) {
            const encoded = encodedAs(made.size);
            made.set(text, encoded);
            vectors.keep(text, encoded, MAKER);
          } else expect(found).toBe(made.get(text));
          expect(vectors.figures.bytes).toBeLessThanOrEqual(BYTES_MAX);
        }
        const { found, made: count } = vectors.figures;
        expect(found + count).toBe(asked.length);
      }),
    );
  });

  it("are kept longest of those that are asked for again", () => {
    const vectors = new QuestionVectors(BYTES_MAX);
    vectors.keep("often", encodedAs(1), MAKER);
    for (let i = 0; i < 100; i++) {
      vectors.keep(`once ${i}`, encodedAs(2), MAKER);
      expect(vectors.find("often", MAKER)).toBeDefined();
      expect(vectors.figures.bytes).toBeLessThanOrEqual(BYTES_MAX);
    }
    expect(vectors.find("once 0", MAKER)).toBeUndefined();
    expect(vectors.find("once 99", MAKER)).toBeDefined();
  });

  it("are another's once the embedder says that its vectors are others", () => {
    const vectors = new QuestionVectors();
    vectors.keep("when?", encodedAs(1), MAKER);
    expect(vectors.find("when?", { ...MAKER, version: "2" })).toBeUndefined();
    vectors.keep("where?", encodedAs(2), { ...MAKER, version: "2" });
    expect(vectors.find("when?", MAKER)).toBeUndefined();
  });
});

it("an embedder reads a question once, and one that it could not read again", async () => {
  const embedder = new FakeEmbedder();
  const read: string[] = [];
  const embedQuery = embedder.embedQuery.bind(embedder);
  let fails = true;
  embedder.embedQuery = async (text, signal) => {
    read.push(text);
    if (fails) throw new Error("not now");
    return await embedQuery(text, signal);
  };
  const shared = new SharedEmbedder(
    "fake",
    { languages: [], open: async () => embedder },
    () => undefined,
    async () => undefined,
  );
  await shared.get();
  expect(await shared.embedQuestion("when?")).toBeUndefined();
  fails = false;
  const first = await shared.embedQuestion("when?");
  const again = await shared.embedQuestion("when?");
  expect(first?.vector).toBeDefined();
  expect(again?.vector).toEqual(first?.vector);
  expect(read).toEqual(["when?", "when?"]);
  expect(shared.questionFigures).toMatchObject({ found: 1, made: 1 });
  await shared.close();
});

it("an embedder reads a question once that many ask at the same time, and all of them get what the first one gets", async () => {
  const embedder = new FakeEmbedder();
  const reads: { text: string; answer: (error?: Error) => void }[] = [];
  embedder.embedQuery = (text) => {
    return new Promise((resolve, reject) => {
      const vector = new Float32Array(embedder.dimensions).fill(1);
      reads.push({ text, answer: (error) => (error === undefined ? resolve(vector) : reject(error)) });
    });
  };
  const shared = new SharedEmbedder(
    "fake",
    { languages: [], open: async () => embedder },
    () => undefined,
    async () => undefined,
  );
  await shared.get();
  const ask = () => Promise.all(["when?", "where?", "when?"].map((text) => shared.embedQuestion(text)));
  const failing = ask();
  expect(reads.map(({ text }) => text)).toEqual(["when?", "where?"]);
  for (const { answer } of reads.splice(0)) answer(new Error("not now"));
  expect(await failing).toEqual([undefined, undefined, undefined]);
  const reading = ask();
  expect(reads.map(({ text }) => text)).toEqual(["when?", "where?"]);
  for (const { answer } of reads.splice(0)) answer();
  const [first, , third] = await reading;
  expect(first?.vector).toBeDefined();
  expect(third?.vector).toBe(first?.vector);
  expect(shared.questionFigures).toMatchObject({ found: 2, made: 2 });
  await shared.close();
});
