import type { ImportedType } from "../model/options.ts";
import type { StoredDocument } from "../model/types.ts";
import { documentHeapBytes, documentTextUnits, originHeapBytes } from "./heap-of-documents.ts";
import { KeyShapes } from "./key-shapes.ts";
import { SizedTable } from "./sized-table.ts";
import type { StoredOrigin } from "./source-table.ts";

/** An imported document with the sequence number of the record that brought its content. */
export interface VersionedDocument {
  readonly document: StoredDocument;
  /** Hash of the document as it was imported, before any change of its status. */
  readonly contentHash: string;
  /** The source that it was imported from; see `ImportOptions.source`. */
  readonly origin?: StoredOrigin;
  readonly version: number;
  /** Time of the last change of content or status, by the wall clock, milliseconds since the epoch. Absent if an earlier version wrote the content. */
  readonly updatedAtMs?: number;
  /** Bytes that count against the bot's `importBytes`. Computed, not stored. */
  readonly bytes: number;
}

/** The imported documents of a bot by id, with running sums of their bytes, text units and types. */
export class DocumentTable extends SizedTable<VersionedDocument> {
  #heapBytes = 0;
  #textUnits = 0;
  #byType = noneOfEachType();
  #shapes = new KeyShapes();

  /** Estimated bytes of all documents on the JavaScript heap, without the data that the index makes of their texts. O(1). */
  get heapBytes(): number {
    return this.#heapBytes + this.#shapes.bytes;
  }

  /** UTF-16 units of the texts that the index reads. O(1). */
  get textUnits(): number {
    return this.#textUnits;
  }

  /** The number of documents of each type. O(1). */
  get byType(): Readonly<Record<ImportedType, number>> {
    return { ...this.#byType };
  }

  override set(id: string, document: VersionedDocument): this {
    const before = this.get(id);
    this.#heapBytes += originHeapBytes(document.origin) - originHeapBytes(before?.origin);
    if (before !== undefined) this.#byType[before.document.type] -= 1;
    this.#byType[document.document.type] += 1;
    // A change of the status or the origin leaves the content as it is.
    if (before?.contentHash !== document.contentHash) {
      if (before !== undefined) this.#count(before.document, -1);
      this.#count(document.document, 1);
    }
    return super.set(id, document);
  }

  override delete(id: string): boolean {
    const before = this.get(id);
    if (before === undefined) return false;
    this.#heapBytes -= originHeapBytes(before.origin);
    this.#byType[before.document.type] -= 1;
    this.#count(before.document, -1);
    return super.delete(id);
  }

  override clear(): void {
    [this.#heapBytes, this.#textUnits] = [0, 0];
    this.#byType = noneOfEachType();
    this.#shapes = new KeyShapes();
    super.clear();
  }

  #count(document: StoredDocument, sign: 1 | -1): void {
    const countKeys = (keys: readonly string[]): number => {
      this.#shapes.count(keys, sign);
      return 0;
    };
    this.#heapBytes += sign * documentHeapBytes(document, countKeys);
    this.#textUnits += sign * documentTextUnits(document);
  }
}

function noneOfEachType(): Record<ImportedType, number> {
  return { WEBPAGE: 0, PDF: 0, DOCUMENT: 0, TABLE: 0, QNA: 0 };
}
