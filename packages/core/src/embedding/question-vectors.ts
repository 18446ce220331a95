import { QUESTION_VECTORS_BYTES_MAX } from "../domain/limits.ts";
import type { QuestionVectorFigures } from "../domain/work.ts";

/** About what an entry takes beside its text and its vector, in bytes. */
const ENTRY_BYTES = 200;

/**
 * The vectors of questions that were asked before, by their exact text: an embedder gives the same text the same vector, so that no answer depends on whether it was
 * kept. Bounded in bytes; what was asked for longest ago goes first.
 */
export class QuestionVectors {
  readonly #bytesMax: number;
  /** In the order in which they were last asked for. */
  readonly #vectors = new Map<string, Float32Array>();
  #bytes = 0;
  /** Those that are being made, with who makes them. */
  readonly #coming = new Map<string, Promise<Float32Array>>();
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

  /** The vector that this embedder gave the question; nobody may change it. */
  find(text: string, maker: Maker): Float32Array | undefined {
    if (nameOf(maker) !== this.#maker) return undefined;
    const vector = this.#vectors.get(text);
    if (vector === undefined) return undefined;
    this.#found++;
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
    return vector;
  }

  /**
   * The vector that {@link find} did not find, by `make`, and kept. Who asks for it while it is being made for another waits for the same one,
   * and gets what that one gets, be it an error: a question that many ask at once is read once.
   */
  make(text: string, maker: Maker, make: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = JSON.stringify([nameOf(maker), text]);
    const coming = this.#coming.get(key);
    if (coming !== undefined) {
      this.#found++;
      return coming;
    }
    const made = make()
      .then((vector) => {
        this.keep(text, vector, maker);
        return vector;
      })
      .finally(() => this.#coming.delete(key));
    this.#coming.set(key, made);
    return made;
  }

  /** Takes the vector that {@link find} did not find. What is larger than all of them together may be is not kept. */
  keep(text: string, vector: Float32Array, maker: Maker): void {
    this.#made++;
    if (nameOf(maker) !== this.#maker) this.#clearFor(maker);
    this.#drop(text);
    if (bytesOf(text, vector) > this.#bytesMax) return;
    this.#vectors.set(text, vector);
    this.#bytes += bytesOf(text, vector);
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
    const vector = this.#vectors.get(text);
    if (vector === undefined) return;
    this.#vectors.delete(text);
    this.#bytes -= bytesOf(text, vector);
  }
}

interface Maker {
  readonly id: string;
  readonly version: string;
}

function nameOf({ id, version }: Maker): string {
  return JSON.stringify([id, version]);
}

function bytesOf(text: string, vector: Float32Array): number {
  return 2 * text.length + vector.byteLength + ENTRY_BYTES;
}
