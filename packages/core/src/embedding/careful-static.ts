import type { EmbedShort } from "../model/embed-short.ts";
import { reasonOf } from "../model/errors.ts";
import type { VectorSpace } from "../model/records.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { requireLength, requireNumbers } from "./vector-checks.ts";

/**
 * Wraps a static embedder and catches its errors. The port promises never to throw, but the static embedder is foreign code that runs while
 * documents are indexed and questions are answered. A text that gets no valid vector is found by BM25 alone.
 */
export class CarefulStaticEmbedder implements Omit<StaticEmbedder, "embed" | "knows"> {
  readonly id: string;
  readonly version: string;
  readonly space: VectorSpace;
  readonly weight: number;
  readonly mixedWeight: number;
  readonly #staticEmbedder: StaticEmbedder;
  readonly #onFailed: (reason: string) => void;
  #hasFailed = false;

  /** @param onFailed called with the reason of the first failure */
  constructor(staticEmbedder: StaticEmbedder, onFailed: (reason: string) => void) {
    this.id = staticEmbedder.id;
    this.version = staticEmbedder.version;
    this.space = staticEmbedder.space;
    this.weight = staticEmbedder.weight;
    this.mixedWeight = staticEmbedder.mixedWeight;
    this.#staticEmbedder = staticEmbedder;
    this.#onFailed = onFailed;
  }

  calibrate(cosine: number): number {
    return this.#staticEmbedder.calibrate(cosine);
  }

  smallTalk(question: Float32Array): number {
    try {
      return this.#staticEmbedder.smallTalk?.(question) ?? 0;
    } catch (error) {
      this.#tell(error);
      return 0;
    }
  }

  knows(text: string): boolean {
    try {
      return this.#staticEmbedder.knows?.(text) ?? true;
    } catch (error) {
      this.#tell(error);
      return false;
    }
  }

  /** A vector of length one; undefined if the static embedder fails. Never throws. */
  embed(text: string): Float32Array | undefined {
    try {
      const vector = this.#staticEmbedder.embed(text);
      requireLength(vector, this.space.dimensions);
      requireNumbers(vector);
      return vector;
    } catch (error) {
      this.#tell(error);
      return undefined;
    }
  }

  /** {@link embed}, bound: the same function as long as the static embedder lives. Kept vectors are told by it. */
  readonly embedShort: EmbedShort = (text) => this.embed(text);

  #tell(error: unknown): void {
    if (!this.#hasFailed) this.#onFailed(reasonOf(error));
    this.#hasFailed = true;
  }
}
