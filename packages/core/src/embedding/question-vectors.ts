import { QUESTION_VECTORS_BYTES_MAX } from "../model/limits.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import { LruMap } from "../platform/lru-map.ts";
import type { QuestionTokens, QuestionWithTokens } from "./token-codes.ts";

/** A question's vector and tokens by an embedder. */
export interface EncodedQuestion {
  readonly vector: Float32Array;
  /** The question's token codes, if the embedder gives them. */
  readonly tokens?: QuestionTokens;
  /** See {@link QuestionWithTokens.isUnknown}. */
  readonly isUnknown?: boolean;
}

/** Approximate bytes of an entry besides its text and vector; and of a token besides its token codes. */
const ENTRY_BYTES = 200;
const TOKEN_BYTES = 48;

/**
 * A cache of question vectors and tokens, by the exact text of the question. An embedder gives the same text the same vector, so no answer depends
 * on the cache. The cache is bounded in bytes, and drops the least recently used entries first. It holds the entries of one embedder version at a time.
 */
export class QuestionVectors {
  /** Entries by text, bounded in bytes. */
  readonly #vectors: LruMap<string, EncodedQuestion>;
  /** Entries that are being made, by embedder and text. */
  readonly #staged = new Map<string, Promise<EncodedQuestion>>();
  /** The embedder that made the entries. */
  #maker = "";
  #found = 0;
  #made = 0;

  constructor(bytesMax: number = QUESTION_VECTORS_BYTES_MAX) {
    this.#vectors = new LruMap(bytesMax);
  }

  get figures(): QuestionVectorFigures {
    return { found: this.#found, made: this.#made, bytes: this.#vectors.size };
  }

  /** The entry of a question by this embedder; undefined if there is none. Callers must not change it. */
  find(text: string, maker: Maker): EncodedQuestion | undefined {
    if (nameOf(maker) !== this.#maker) return undefined;
    const encoded = this.#vectors.get(text);
    if (encoded !== undefined) this.#found++;
    return encoded;
  }

  /**
   * Makes an entry that {@link find} did not find, and keeps it. Concurrent callers with the same question share one call of `make` and its result
   * or error. So a question that many ask at once is read once.
   */
  make(text: string, maker: Maker, make: () => Promise<EncodedQuestion>): Promise<EncodedQuestion> {
    const key = JSON.stringify([nameOf(maker), text]);
    const staged = this.#staged.get(key);
    if (staged !== undefined) {
      this.#found++;
      return staged;
    }
    const made = make()
      .then((encoded) => {
        this.keep(text, encoded, maker);
        return encoded;
      })
      .finally(() => this.#staged.delete(key));
    this.#staged.set(key, made);
    return made;
  }

  /** Adds an entry that {@link find} did not find, and drops the oldest ones beyond the bound. An entry larger than the bound is not kept. */
  keep(text: string, encoded: EncodedQuestion, maker: Maker): void {
    this.#made++;
    if (nameOf(maker) !== this.#maker) {
      this.#vectors.clear();
      this.#maker = nameOf(maker);
    }
    this.#vectors.set(text, encoded, bytesOf(text, encoded));
  }
}

interface Maker {
  readonly id: string;
  readonly version: string;
}

function nameOf({ id, version }: Maker): string {
  return JSON.stringify([id, version]);
}

function bytesOf(text: string, { vector, tokens }: EncodedQuestion): number {
  const tokenBytes = tokens === undefined ? 0 : tokens.tokenCodes.length + tokens.weights.length * TOKEN_BYTES;
  return 2 * text.length + vector.byteLength + tokenBytes + ENTRY_BYTES;
}
