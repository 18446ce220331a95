import { QUESTION_VECTORS_BYTES_MAX } from "../model/limits.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import type { QuestionTokens, QuestionWithTokens } from "./token-codes.ts";

/** A question as an embedder has read it. */
export interface EncodedQuestion {
  readonly vector: Float32Array;
  /** Where the embedder gives tokens. */
  readonly tokens?: QuestionTokens;
  /** See {@link QuestionWithTokens.isUnknown}. */
  readonly isUnknown?: boolean;
}

/** About what an entry takes beside its text and its vector, in bytes, and a token of it beside its token codes. */
const ENTRY_BYTES = 200;
const TOKEN_BYTES = 48;

/**
 * The vectors of questions that were asked before, and their tokens, by their exact text: an embedder gives the same text the same vector, so that no answer depends on whether it was
 * kept. Bounded in bytes; what was asked for longest ago goes first.
 */
export class QuestionVectors {
  readonly #bytesMax: number;
  /** In the order in which they were last asked for. */
  readonly #vectors = new Map<string, EncodedQuestion>();
  #bytes = 0;
  /** Those that are being made, with who makes them. */
  readonly #staged = new Map<string, Promise<EncodedQuestion>>();
  /** Who made them. */
  #maker = "";
  #found = 0;
  #made = 0;

  constructor(bytesMax: number = QUESTION_VECTORS_BYTES_MAX) {
    this.#bytesMax = bytesMax;
  }

  get figures(): QuestionVectorFigures {
    return { found: this.#found, made: this.#made, bytes: this.#bytes };
  }

  /** What this embedder made of the question; nobody may change it. */
  find(text: string, maker: Maker): EncodedQuestion | undefined {
    if (nameOf(maker) !== this.#maker) return undefined;
    const encoded = this.#vectors.get(text);
    if (encoded === undefined) return undefined;
    this.#found++;
    this.#vectors.delete(text);
    this.#vectors.set(text, encoded);
    return encoded;
  }

  /**
   * What {@link find} did not find, by `make`, and kept. Who asks for it while it is being made for another waits for the same one,
   * and gets what that one gets, be it an error: a question that many ask at once is read once.
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

  /** Takes what {@link find} did not find. What is larger than all of them together may be is not kept. */
  keep(text: string, encoded: EncodedQuestion, maker: Maker): void {
    this.#made++;
    if (nameOf(maker) !== this.#maker) this.#clearFor(maker);
    this.#drop(text);
    if (bytesOf(text, encoded) > this.#bytesMax) return;
    this.#vectors.set(text, encoded);
    this.#bytes += bytesOf(text, encoded);
    for (const oldest of this.#vectors.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#drop(oldest);
    }
  }

  #clearFor(maker: Maker): void {
    this.#vectors.clear();
    this.#bytes = 0;
    this.#maker = nameOf(maker);
  }

  #drop(text: string): void {
    const encoded = this.#vectors.get(text);
    if (encoded === undefined) return;
    this.#vectors.delete(text);
    this.#bytes -= bytesOf(text, encoded);
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
