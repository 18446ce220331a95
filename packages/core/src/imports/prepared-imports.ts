import { contentHashInSlices } from "../log/content-hash.ts";
import { isLarge } from "../log/document-size.ts";
import { encodeRecordInSlices } from "../log/record-codec.ts";
import type { BotRecord } from "../model/records.ts";
import type { DocumentOrigin } from "../model/sources.ts";
import type { StoredDocument } from "../model/types.ts";
import type { Sliced, TimeSlices } from "../scheduling/time-slices.ts";

/** What takes time about a large document, made before anything is decided. */
export interface PreparedImport {
  readonly contentHash: string;
  /** The record's bytes; undefined if it takes too many, or is not wanted. */
  readonly payload: Uint8Array | undefined;
}

export interface ImportToPrepare {
  readonly document: StoredDocument;
  readonly origin: DocumentOrigin | undefined;
  readonly recordBytesMax: number;
  /** Whether a document with this hash is there already: no text needs to be written. */
  readonly isSame: (contentHash: string) => boolean;
}

/** Makes large documents ready in turns. What is about the same document comes after it, in the order of the calls. */
export class PreparedImports {
  readonly #turns: TimeSlices;
  /** By id: settles after whoever waited for the last one has gone on. */
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(turns: TimeSlices) {
    this.#turns = turns;
  }

  /** What a write of this id has to wait for; undefined for nothing. Never rejects. */
  of(id: string): Promise<unknown> | undefined {
    return this.#last.get(id);
  }

  /** Undefined for a document that is not large and has nothing to wait for, be it another write of it or `also`, which never rejects. */
  prepare(parts: ImportToPrepare, also: Promise<void> | undefined): Promise<PreparedImport | undefined> | undefined {
    const { document } = parts;
    const id = document.resourceDocId;
    const before = this.#last.get(id);
    if (before === undefined && also === undefined && !isLarge(document)) return undefined;
    const prepared = (async () => {
      await before;
      await also;
      return isLarge(document) ? this.#turns.take(slicesOf(parts)) : undefined;
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

function* slicesOf({ document, origin, recordBytesMax, isSame }: ImportToPrepare): Sliced<PreparedImport> {
  const contentHash = yield* contentHashInSlices(document);
  if (isSame(contentHash)) return { contentHash, payload: undefined };
  const payload = yield* encodeRecordInSlices(recordBytesMax, importRecord(document, contentHash, origin));
  return { contentHash, payload };
}

/** What the log says of an import. */
export function importRecord(
  document: StoredDocument,
  contentHash: string,
  origin: DocumentOrigin | undefined,
): BotRecord {
  if (origin === undefined) return { kind: "documentPut", document, contentHash };
  return { kind: "documentBrought", document, contentHash, origin };
}
