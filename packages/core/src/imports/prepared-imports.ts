import { contentHashInSlices } from "../log/content-hash.ts";
import { isLarge } from "../log/document-size.ts";
import { encodeRecordInSlices } from "../log/record-codec.ts";
import type { BotRecord } from "../model/records.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import type { StoredDocument } from "../model/types.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";

/** Hash and record of a large document, made before the write is decided. */
export interface PreparedImport {
  readonly contentHash: string;
  /** The record; undefined if the same content is there already. */
  readonly record: BotRecord | undefined;
  /** The encoded record; undefined if it is too long, or if there is none. */
  readonly payload: Uint8Array | undefined;
}

/** An import, as {@link PreparedImports} is given it. */
export interface ImportToPrepare {
  readonly document: StoredDocument;
  readonly origin: DocumentOrigin | undefined;
  readonly recordBytesMax: number;
  /** The wall clock, whole milliseconds. */
  readonly nowMs: () => number;
  /** Whether the document is there already with this hash. Then no text needs to be written. */
  readonly isSame: (contentHash: string) => boolean;
}

/** Prepares imports of large documents in time slices. Later writes of the same document wait for them, in the order of the calls. */
export class PreparedImports {
  readonly #slices: TimeSlices;
  /** The last preparation of each document, by id. It settles after the caller of that preparation has continued. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(slices: TimeSlices) {
    this.#slices = slices;
  }

  /** The promise that a write of this id must wait for; undefined if there is none. Never rejects. */
  of(id: string): Promise<unknown> | undefined {
    return this.#last.get(id);
  }

  /**
   * Prepares an import, after earlier imports of the same document and after `also`, which never rejects.
   * Undefined for a document that is not large and has nothing to wait for.
   */
  prepare(parts: ImportToPrepare, also: Promise<void> | undefined): Promise<PreparedImport | undefined> | undefined {
    const { document } = parts;
    const id = document.resourceDocId;
    const before = this.#last.get(id);
    if (before === undefined && also === undefined && !isLarge(document)) return undefined;
    const prepared = (async () => {
      await before;
      await also;
      return isLarge(document) ? this.#slices.run(slicesOf(parts)) : undefined;
    })();
    const last = prepared.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(id, last);
    void last.then(() => {
      if (this.#last.get(id) === last) this.#last.delete(id);
    });
    return prepared;
  }
}

function* slicesOf(parts: ImportToPrepare): Sliced<PreparedImport> {
  const { document, origin, recordBytesMax, nowMs, isSame } = parts;
  const contentHash = yield* contentHashInSlices(document);
  if (isSame(contentHash)) return { contentHash, record: undefined, payload: undefined };
  const record = importRecord(document, contentHash, origin, nowMs());
  return { contentHash, record, payload: yield* encodeRecordInSlices(recordBytesMax, record) };
}

/** The log record of an import. */
export function importRecord(
  document: StoredDocument,
  contentHash: string,
  origin: DocumentOrigin | undefined,
  updatedAtMs: number,
): BotRecord {
  if (origin === undefined) return { kind: "documentPut", document, contentHash, updatedAtMs };
  return { kind: "documentBrought", document, contentHash, origin, updatedAtMs };
}
