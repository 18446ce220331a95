import { Outline } from "../markdown/outline.ts";
import { LruMap } from "../platform/lru-map.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import type { IndexedDocument } from "./indexed-document.ts";

/** Bytes of all outlines of a bot that are remembered: those of some thousand articles. */
const OUTLINES_BYTES_MAX = 1_048_576;
/** Bytes of an outline beside its numbers. */
const OUTLINE_BYTES = 256;

/** The outlines of the documents that were returned with contexts last. The outline of a document is read when the first context needs it. */
export class Outlines {
  readonly #outlines = new LruMap<IndexedDocument, Outline>(OUTLINES_BYTES_MAX);

  /** Memory of all outlines. */
  get bytes(): number {
    return this.#outlines.size;
  }

  *of(document: IndexedDocument, meter: OperationMeter): Sliced<Outline> {
    const known = this.#outlines.get(document);
    if (known !== undefined) return known;
    const outline = yield* Outline.inSlices(document.document.content, meter);
    this.#outlines.set(document, outline, OUTLINE_BYTES + outline.bytes);
    return outline;
  }

  /** Forgets all outlines. */
  clear(): void {
    this.#outlines.clear();
  }

  /** Forgets a document that leaves the index. */
  forget(document: IndexedDocument): void {
    this.#outlines.delete(document);
  }
}
