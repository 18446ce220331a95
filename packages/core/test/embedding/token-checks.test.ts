import { describe, expect, it } from "vitest";
import type { Embedder } from "../../src/embedding/embedder.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { requireEntries } from "../../src/embedding/token-checks.ts";
import type { QuestionTokens, TokenEncoder } from "../../src/embedding/token-codes.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { SIGN_BYTES, tokensOfWords } from "../support/fake-token-codes.ts";

/** There is time enough for everything. */
const never = (_: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));

/** What an embedder whose tokens are changed like this says of a question, and why it does not. */
async function asked(change: (tokens: TokenEncoder) => Partial<TokenEncoder>) {
  const fake = new FakeEmbedder({ tokens: "1" });
  const { tokens } = fake;
  if (tokens === undefined) throw new Error("The fake has no tokens.");
  const embedder: Embedder = Object.assign(fake, { tokens: { ...tokens, ...change(tokens) } });
  const told: string[] = [];
  const logger = ({ message }: { readonly message: string }): void => void told.push(message);
  const shared = new SharedEmbedder("fake", { languages: ["*"], open: async () => embedder }, logger, never);
  const question = await shared.embedQuestion("a penguin on ice");
  await shared.close();
  return { question, told: told.join("\n") };
}

const answering = (tokens: Partial<QuestionTokens>) =>
  asked(() => ({
    embedQuery: async (text) => ({
      vector: new FakeEmbedder().vectorOf(text),
      tokens: { ...tokensOfWords(text), ...tokens },
    }),
  }));

describe("an embedder with tokens", () => {
  it("gives those of a question with its vector, also when it is asked again", async () => {
    const { question } = await asked(() => ({}));
    expect(question?.tokens).toMatchObject({
      space: { version: "1", bytes: SIGN_BYTES },
      of: tokensOfWords("a penguin on ice"),
    });
    const shared = new SharedEmbedder(
      "fake",
      { languages: ["*"], open: async () => new FakeEmbedder({ tokens: "1" }) },
      () => undefined,
      never,
    );
    const [first, second] = [await shared.embedQuestion("penguin"), await shared.embedQuestion("penguin")];
    expect(second?.tokens).toEqual(first?.tokens);
    expect(shared.questionFigures).toMatchObject({ found: 1, made: 1 });
    await shared.close();
  });

  it.each([
    ["version", { space: { version: "", bytes: 16 } }],
    ["bytes", { space: { version: "1", bytes: 0 } }],
    ["bytes", { space: { version: "1", bytes: 1.5 } }],
    ["calibration", { calibration: { low: 0.5, high: 0.5, weight: 1 } }],
    ["calibration", { calibration: { low: 0, high: 1.1, weight: 1 } }],
    ["calibration", { calibration: { low: 0, high: 1, weight: Number.NaN } }],
  ])("is not used with a wrong %s", async (what, change) => {
    const { question, told } = await asked(() => change);
    expect(question).toBeUndefined();
    expect(told).toContain(what);
  });

  it.each([
    ["bytes of token codes", { tokenCodes: new Uint8Array(SIGN_BYTES + 1) }],
    ["tokens", { tokenCodes: new Uint8Array(SIGN_BYTES * 5_000) }],
    ["weights", { weights: new Float32Array(1) }],
    ["word pieces", { wordPieces: [] }],
    ["weight", { weights: Float32Array.of(0, 1, 0, 1.1) }],
    ["weight", { weights: Float32Array.of(0, 1, Number.NaN, 1) }],
  ])("has its question answered by words for wrong %s", async (what, tokens) => {
    const { question, told } = await answering(tokens);
    expect(question).toBeUndefined();
    expect(told).toContain(what);
  });
});

it("passages have a vector and whole tokens each", () => {
  const space = { version: "1", bytes: 2 };
  const vectors = [Float32Array.of(1)];
  const entry = { tokenCodes: new Uint8Array(4) };
  expect(() => requireEntries({ vectors, tokens: [entry] }, 1, space)).not.toThrow();
  expect(() => requireEntries({ vectors, tokens: [{ tokenCodes: new Uint8Array(0) }] }, 1, space)).not.toThrow();
  expect(() => requireEntries({ vectors, tokens: [entry] }, 2, space)).toThrow(/1 vectors for 2 texts/);
  expect(() => requireEntries({ vectors, tokens: [] }, 1, space)).toThrow(/token codes of 0 texts/);
  expect(() => requireEntries({ vectors, tokens: [{ tokenCodes: new Uint8Array(3) }] }, 1, space)).toThrow(/3 bytes/);
});
