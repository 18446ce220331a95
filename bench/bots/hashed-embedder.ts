import { createHash } from "node:crypto";
import { type Embedder, openEnglishStatic, type TokenEncoder } from "@loredex/core";

const SIGN_BYTES = 48;

/** An embedder that takes no time: its vectors are the static embedder's, and its tokens a hash of each word. */
export async function openHashed(): Promise<Embedder> {
  const staticEmbedder = await openEnglishStatic();
  const vectorOf = (text: string): Float32Array => staticEmbedder.embed(text);
  const embedPassages = async (texts: readonly string[]): Promise<Float32Array[]> => texts.map(vectorOf);
  const tokens: TokenEncoder = {
    space: { version: "words", bytes: SIGN_BYTES },
    calibration: { low: 0.23, high: 0.67, weight: 0.5 },
    embedPassages: async (texts) => ({
      vectors: texts.map(vectorOf),
      tokens: texts.map((text) => ({ tokenCodes: tokenCodesOf(wordsOf(text)) })),
    }),
    embedQuery: async (text) => {
      const fragments = wordsOf(text);
      return {
        vector: vectorOf(text),
        tokens: {
          tokenCodes: tokenCodesOf(fragments),
          weights: new Float32Array(fragments.length).fill(1),
          wordPieces: fragments,
        },
      };
    },
  };
  return {
    id: "hashed",
    version: "1",
    dimensions: staticEmbedder.space.dimensions,
    weight: staticEmbedder.weight,
    cost: { textsPerCall: 64, questionMsMax: 60_000 },
    smallTalk: (question) => staticEmbedder.smallTalk?.(question) ?? 0,
    calibrate: (cosine) => staticEmbedder.calibrate(cosine),
    tokens,
    embedPassages,
    embedQuery: async (text) => vectorOf(text),
    close: async () => undefined,
  };
}

/** An encoder's pieces are shorter than words: about four for three of these. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]{1,6}/gu) ?? []).slice(0, 256);
}

const known = new Map<string, Buffer>();

function tokenCodesOf(words: readonly string[]): Uint8Array {
  return Buffer.concat(words.map(tokenCodesOfWord));
}

function tokenCodesOfWord(word: string): Buffer {
  const tokenCodes = known.get(word) ?? createHash("sha512").update(word).digest().subarray(0, SIGN_BYTES);
  known.set(word, tokenCodes);
  return tokenCodes;
}
