import { createHash } from "node:crypto";
import type { AskedTokens, QuestionTokens, TokenCalibration } from "../../src/embedding/token-signs.ts";
import { cutDocument, embeddedTexts } from "../../src/index/embedded-texts.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import type { SignsPlace } from "../../src/index/token-codes/code-directory.ts";
import type { StoredBlock } from "../../src/storage/block-store.ts";

/** Of a token. */
export const SIGN_BYTES = 16;
export const CALIBRATION: TokenCalibration = { low: 0.1, high: 0.9, weight: 0.5 };

/** An encoder reads a text so far. */
const TOKENS_READ = 512;
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, TOKENS_READ);

/** A token a word: the same word has the same signs. */
export function signsOfWords(text: string): Uint8Array {
  return Buffer.concat(wordsOf(text).map((word) => createHash("sha256").update(word).digest().subarray(0, SIGN_BYTES)));
}

export function tokensOfWords(text: string): QuestionTokens {
  const pieces = wordsOf(text);
  return { signs: signsOfWords(text), weights: new Float32Array(pieces.length).fill(1), wordPieces: pieces };
}

export function askedTokens(text: string, calibration = CALIBRATION): AskedTokens {
  return { space: { version: "words", bytes: SIGN_BYTES }, calibration, of: tokensOfWords(text) };
}

/** The signs of an index's documents as they would be kept: all of them, but for those of `missing`; `held` tells which parts are in memory. */
export class FakeKeptSigns {
  readonly isOpen = true;
  readonly #blocks = new Map<string, StoredBlock>();
  readonly #signs = new Map<StoredBlock, Uint8Array[]>();
  readonly #isHeld: (id: string, part: number) => boolean;
  /** Parts that were read, how often something was, and how often something was asked for. */
  partsRead = 0;
  readings = 0;
  asked = 0;

  constructor(index: SearchIndex, missing: ReadonlySet<string> = new Set(), isHeld = (_: string, __: number) => true) {
    this.#isHeld = isHeld;
    for (const { document, version } of index.documents) {
      if (missing.has(document.id)) continue;
      const signs = [...embeddedTexts(cutDocument(document))].map(signsOfWords);
      const block = { id: document.id, version, first: 0, partBytes: signs.map(({ length }) => length) };
      this.#blocks.set(document.id, block);
      this.#signs.set(block, signs);
    }
  }

  /** As if its block had turned out to be damaged. */
  lose(id: string): void {
    const block = this.#blocks.get(id);
    if (block !== undefined) this.#signs.delete(block);
    this.#blocks.delete(id);
  }

  placesOf(id: string, version: number, from: number, to: number): readonly SignsPlace[] | undefined {
    this.asked++;
    const block = this.#blocks.get(id);
    if (block?.version !== version || to > block.partBytes.length) return undefined;
    return Array.from({ length: to - from }, (_, i) => ({ block, part: from + i }));
  }

  held({ block, part }: SignsPlace): Uint8Array | undefined {
    return this.#isHeld(block.id, part) ? this.#signs.get(block)?.[part] : undefined;
  }

  async read(places: readonly SignsPlace[]): Promise<ReadonlyMap<SignsPlace, Uint8Array>> {
    this.readings++;
    const read = new Map<SignsPlace, Uint8Array>();
    for (const place of places) {
      const signs = this.#signs.get(place.block)?.[place.part];
      if (signs === undefined) continue;
      this.partsRead++;
      read.set(place, signs);
    }
    return read;
  }
}
