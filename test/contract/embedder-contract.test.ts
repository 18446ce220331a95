import type { Embedder } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { openMultilingual } from "@loredex/multilingual";
import { openOpenAiEmbedder } from "@loredex/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";
import { encoder } from "../../packages/encoder/test/runtime.ts";
import { FakeModelServer } from "../../packages/openai/test/support/fake-model-server.ts";
import { type OptionalPart, optionalPart } from "../support/optional-part.ts";

const server = await FakeModelServer.start();
afterAll(() => server.stop());

/** Every embedder, by the ways to open it; and what it needs that may be missing. */
const EMBEDDERS: readonly (readonly [name: string, open: () => Promise<Embedder>, needs?: OptionalPart])[] = [
  ["the fake of the tests", async () => new FakeEmbedder()],
  ["the fake with tokens", async () => new FakeEmbedder({ tokens: "1" })],
  ["@loredex/minilm", () => openMiniLm({ workers: 1 }), encoder],
  ["@loredex/multilingual", () => openMultilingual({ workers: 1 }), encoder],
  ["@loredex/openai", () => openOpenAiEmbedder({ baseUrl: server.baseUrl, model: "fake" })],
];

const TEXTS = [
  "How do I buy a car?",
  "To purchase an automobile, ask at the desk.",
  "Penguins live on ice.",
  "",
  "\u{1f600}\u0000 \ud800".toWellFormed(),
  "word ".repeat(5_000),
];

function cosine(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** What all of them must do. */
function behaves(open: () => Promise<Embedder>): void {
  let embedder: Embedder;
  beforeAll(async () => {
    embedder = await open();
  });
  afterAll(() => embedder.close());

  it("says what it is", () => {
    expect(embedder.id).toMatch(/^[a-z0-9-]+$/);
    expect(embedder.version).not.toBe("");
    expect(embedder.dimensions).toBeGreaterThan(0);
    expect(embedder.weight).toBeGreaterThanOrEqual(0);
    expect(embedder.weight).toBeLessThanOrEqual(1);
    expect(embedder.cost.textsPerCall).toBeGreaterThanOrEqual(1);
    expect(embedder.cost.questionMsMax).toBeGreaterThan(0);
  });

  it("gives one vector of unit length a text, in order, whatever the text", async () => {
    const vectors = await embedder.embedPassages(TEXTS);
    expect(vectors).toHaveLength(TEXTS.length);
    for (const vector of vectors) {
      expect(vector).toHaveLength(embedder.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
    }
    const backwards = await embedder.embedPassages([...TEXTS].reverse());
    expect(backwards.reverse()).toEqual(vectors);
    expect(await embedder.embedPassages([])).toEqual([]);
  });

  it("gives the same vector for the same question", async () => {
    const [first, second] = [await embedder.embedQuery("a question"), await embedder.embedQuery("a question")];
    expect(first).toEqual(second);
    expect(first).toHaveLength(embedder.dimensions);
  });

  it("has a question closer to the passage that answers it than to another", async () => {
    const question = await embedder.embedQuery(TEXTS[0] ?? "");
    const [, answer, other] = await embedder.embedPassages(TEXTS.slice(0, 3));
    const [near, far] = [answer, other].map((vector) => cosine(question, vector ?? new Float32Array()));
    expect(near).toBeGreaterThan(far ?? 1);
    if (embedder.calibrate === undefined) return;
    expect(embedder.calibrate(near ?? 0)).toBeGreaterThan(embedder.calibrate(far ?? 0));
  });

  it("gives the same vectors with the signs of whole tokens, or has none", async () => {
    const { tokens } = embedder;
    if (tokens === undefined) return;
    const { bytes } = tokens.space;
    const { vectors, tokens: entries } = await tokens.embedPassages(TEXTS);
    expect(vectors).toEqual(await embedder.embedPassages(TEXTS));
    expect(entries).toHaveLength(TEXTS.length);
    for (const { tokenCodes } of entries) expect(tokenCodes.length % bytes).toBe(0);
    expect(entries[0]?.tokenCodes.length).toBeGreaterThan(3 * bytes);
    expect((await tokens.embedPassages(TEXTS)).tokens).toEqual(entries);
    for (const text of TEXTS) {
      const question = await tokens.embedQuery(text);
      expect(question.vector).toEqual(await embedder.embedQuery(text));
      const { tokenCodes, weights, wordPieces: pieces } = question.tokens;
      expect([weights.length, pieces.length]).toEqual([tokenCodes.length / bytes, tokenCodes.length / bytes]);
      for (const weight of weights) expect([weight >= 0, weight <= 1]).toEqual([true, true]);
    }
    const reason = new Error("enough");
    await expect(tokens.embedPassages(["text"], AbortSignal.abort(reason))).rejects.toBe(reason);
  });

  it("calibrates to [0, 1], never falling, or leaves it to the bot", () => {
    if (embedder.calibrate === undefined) return;
    let before = 0;
    for (let at = -1; at <= 1.0001; at += 0.01) {
      const similarity = embedder.calibrate(at);
      expect(similarity).toBeGreaterThanOrEqual(before);
      expect(similarity).toBeLessThanOrEqual(1);
      before = similarity;
    }
  });

  it("takes nothing off the cosines of a question that means something", async () => {
    expect(embedder.bias?.(await embedder.embedQuery(TEXTS[0] ?? "")) ?? 0).toBe(0);
    for (const text of TEXTS) {
      expect(embedder.bias?.(await embedder.embedQuery(text)) ?? 0).toBeGreaterThanOrEqual(0);
    }
  });

  it("rejects with the reason of an abort, before and during", async () => {
    const reason = new Error("enough");
    await expect(embedder.embedPassages(["text"], AbortSignal.abort(reason))).rejects.toBe(reason);
    await expect(embedder.embedQuery("text", AbortSignal.abort(reason))).rejects.toBe(reason);
    const during = new AbortController();
    const call = embedder.embedPassages(
      Array.from({ length: 64 }, (_, i) => `a longer text, number ${i}`),
      during.signal,
    );
    during.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await embedder.embedPassages(["goes on"])).toHaveLength(1);
  });

  it("rejects everything once it is closed, and can be closed twice", async () => {
    const closing = await open();
    const pending = closing.embedPassages(Array.from({ length: 64 }, (_, i) => `text ${i}`));
    const rejected = expect(pending).rejects.toThrow();
    await closing.close();
    await rejected;
    await closing.close();
    await expect(closing.embedPassages(["text"])).rejects.toThrow();
    await expect(closing.embedQuery("text")).rejects.toThrow();
    if (closing.tokens !== undefined) await expect(closing.tokens.embedQuery("text")).rejects.toThrow();
  });
}

for (const [name, open, needs = optionalPart(name, undefined)] of EMBEDDERS)
  describe.skipIf(needs.isMissing)(needs.named(`an embedder: ${name}`), () => behaves(open));
