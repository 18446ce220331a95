import { reasonOf } from "../model/errors.ts";
import type { VectorSpace } from "../model/records.ts";
import type { StaticEmbedder } from "./embedder.ts";
import { requireLength, requireNumbers } from "./vector-checks.ts";

/**
 * A static embedder whose promise never to throw is not relied on: it is others' code, and runs while documents are indexed and questions are
 * answered. A text that it gives no vector, or none that is one, is found by its words.
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

  /** @param onFailed told of the first failure */
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

  knows(text: string): boolean {
    try {
      return this.#staticEmbedder.knows?.(text) ?? true;
    } catch (error) {
      this.#tell(error);
      return false;
    }
  }

  /** A vector of length one; undefined if there is none. Never throws. */
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

  #tell(error: unknown): void {
    if (!this.#hasFailed) this.#onFailed(reasonOf(error));
    this.#hasFailed = true;
  }
}
