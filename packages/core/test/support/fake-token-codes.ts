import { createHash } from "node:crypto";
import type { AskedTokens, QuestionTokens, TokenCalibration } from "../../src/embedding/token-codes.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import type { TokenCodesPlace } from "../../src/index/token-codes/code-directory.ts";
import type { StoredBlock } from "../../src/storage/block-store.ts";

/** Of a token. */
export const SIGN_BYTES = 16;
export const CALIBRATION: TokenCalibration = { low: 0.1, high: 0.9, weight: 0.5 };

/** An encoder reads a text so far. */
const TOKENS_READ = 512;
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, TOKENS_READ);

/** A token a word: the same word has the same token codes. */
export function tokenCodesOfWords(text: string): Uint8Array {
  return Buffer.concat(wordsOf(text).map((word) => createHash("sha256").update(word).digest().subarray(0, SIGN_BYTES)));
}

export function tokensOfWords(text: string): QuestionTokens {
  const fragments = wordsOf(text);
  return {
    tokenCodes: tokenCodesOfWords(text),
    weights: new Float32Array(fragments.length).fill(1),
    wordPieces: fragments,
  };
}

export function askedTokens(text: string, calibration = CALIBRATION): AskedTokens {
  return { space: { version: "words", bytes: SIGN_BYTES }, calibration, of: tokensOfWords(text) };
}

/** The token codes of an index's documents as they would be kept: all of them, but for those of `missing`; `held` tells which parts are in memory. */
export class FakeKeptTokenCodes {
  readonly isOpen = true;
  readonly #blocks = new Map<string, StoredBlock>();
  readonly #tokenCodes = new Map<StoredBlock, Uint8Array[]>();
  readonly #isHeld: (id: string, window: number) => boolean;
  /** Parts that were read, how often something was, and how often something was asked for. */
  windowsRead = 0;
  readings = 0;
  asked = 0;

  constructor(
    index: SearchIndex,
    missing: ReadonlySet<string> = new Set(),
    isHeld = (_: string, __: number) => true,
    encode = tokenCodesOfWords,
  ) {
    this.#isHeld = isHeld;
    for (const { document, version } of index.documents) {
      if (missing.has(document.id)) continue;
      const tokenCodes = [...embeddedTexts(cutDocument(document))].map((text) => encode(text));
      const block = { id: document.id, version, first: 0, partBytes: tokenCodes.map(({ length }) => length) };
      this.#blocks.set(document.id, block);
      this.#tokenCodes.set(block, tokenCodes);
    }
  }

  /** As if its block had turned out to be damaged. */
  lose(id: string): void {
    const block = this.#blocks.get(id);
    if (block !== undefined) this.#tokenCodes.delete(block);
    this.#blocks.delete(id);
  }

  placesOf(id: string, version: number, from: number, to: number): readonly TokenCodesPlace[] | undefined {
    this.asked++;
    const block = this.#blocks.get(id);
    if (block?.version !== version || to > block.partBytes.length) return undefined;
    return Array.from({ length: to - from }, (_, i) => ({ block, window: from + i }));
  }

  held({ block, window }: TokenCodesPlace): Uint8Array | undefined {
    return this.#isHeld(block.id, window) ? this.#tokenCodes.get(block)?.[window] : undefined;
  }

  async read(places: readonly TokenCodesPlace[]): Promise<ReadonlyMap<TokenCodesPlace, Uint8Array>> {
    this.readings++;
    const read = new Map<TokenCodesPlace, Uint8Array>();
    for (const place of places) {
      const tokenCodes = this.#tokenCodes.get(place.block)?.[place.window];
      if (tokenCodes === undefined) continue;
      this.windowsRead++;
      read.set(place, tokenCodes);
    }
    return read;
  }
}
