import type { SearchIndex } from "../query/search-index.ts";

/** What a bot without a document takes beside its index: its log and all that looks after it. Measured. */
const EMPTY_BOT_BYTES = 32_768;

/** The state holds the texts and their fields once more, and what is on the heap takes more than its contents. Measured. */
const HEAP_FACTOR = 2;

/** It is measured anew when this share of the documents has changed: measuring looks at each of them. */
const CHANGED_SHARE = 1 / 8;

/** About how much memory an open bot takes, at hand after every call. */
export class MemoryEstimate {
  readonly #index: SearchIndex;
  #bytes = 0;
  #changes = Number.POSITIVE_INFINITY;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** Something was written. */
  onChange(): void {
    this.#changes += 1;
  }

  bytes(): number {
    if (this.#changes > this.#index.documents.count * CHANGED_SHARE) {
      const { memoryBytes, vectorBytes } = this.#index.stats();
      this.#bytes = EMPTY_BOT_BYTES + (memoryBytes - vectorBytes) * HEAP_FACTOR + vectorBytes;
      this.#changes = 0;
    }
    return this.#bytes;
  }
}
