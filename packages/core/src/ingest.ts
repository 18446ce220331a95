import { ArticleWrites, type ArticleWritesDeps } from "./articles/article-writes.ts";
import { importRecord, PreparedImports } from "./imports/prepared-imports.ts";
import { parseDocument } from "./imports/shape.ts";
import { type CommitDeps, Commits, type Reservation } from "./log/commits.ts";
import { contentHash } from "./log/content-hash.ts";
import { documentBytes } from "./log/document-size.ts";
import type { VersionedDocument } from "./log/document-table.ts";
import type { IndexChange } from "./log/index-change.ts";
import { newestVersionNumber } from "./log/newest-version.ts";
import { isBroughtBy, isOwn, notOwn } from "./log/ownership.ts";
import { PendingWrites } from "./log/pending-writes.ts";
import { LoredexError } from "./model/errors.ts";
import { RECORD_BYTES_MAX } from "./model/limits.ts";
import type { BotRecord, RecordOf } from "./model/records.ts";
import type { DocumentOrigin } from "./model/sources.ts";
import type { DocumentStatus, ImportOutcome } from "./model/types.ts";
import { ImportAccounts } from "./quotas/import-accounts.ts";
import { TimeSlices } from "./scheduling/time-slices.ts";

/** The dependencies of the write path. */
export type IngestDeps = CommitDeps & ArticleWritesDeps;

/**
 * The write path: validate → reserve characters and bytes → append to the log → apply → answer.
 *
 * Invariants:
 * - A write is decided on the newest version before it, in flight or durable.
 * - Writes are ordered by their reservations, so no two can overshoot a limit together.
 * - Every refusal comes before the first reservation. A failed append releases exactly its own reservation.
 *
 * From validation to the append, only the hash and bytes of a large document are awaited. They are made in time slices before the decision,
 * and later writes of the same document wait for them. Imports, which no rate limits, also wait while the log is far ahead of the snapshot that is being
 * written.
 */
export class Ingest {
  readonly #deps: IngestDeps;
  readonly #commits: Commits;
  /** The write path of articles, which counts their characters. */
  readonly articles: ArticleWrites;
  readonly #documents = new PendingWrites<KnownDocument>();
  readonly #importAccounts: ImportAccounts;
  readonly #prepared: PreparedImports;
  /** Settles when the requested changes of sources are made. Imports are decided when none is in flight. Never rejects. */
  #sourceChange: Promise<unknown> | undefined;

  constructor(deps: IngestDeps) {
    this.#deps = deps;
    this.#commits = new Commits({ ...deps, onOthers: (record) => this.articles.countOthers(record) });
    this.articles = new ArticleWrites(deps, this.#commits);
    const { documents } = deps.state;
    this.#importAccounts = new ImportAccounts({
      limit: () => deps.limits().importBytes,
      used: () => documents.bytes,
      durable: (id) => documents.get(id)?.bytes ?? 0,
    });
    this.#prepared = new PreparedImports(new TimeSlices(deps.clock));
  }

  /** Imports a document. @throws ValidationError, also if it would change a document of another source; ImportBytesExceededError */
  importDocument(input: unknown, origin: DocumentOrigin | undefined): Promise<ImportOutcome> {
    return this.#commits.accept(this.#importDocument(input, origin));
  }

  /** Sets the status of an imported document. @throws LoredexError `DOCUMENT_NOT_FOUND` */
  setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    return this.#commits.accept(this.#setDocumentStatus(id, status));
  }

  /** Removes a document; with `by`, only if that origin owns it. */
  removeDocument(id: string, by?: DocumentOrigin): Promise<void> {
    return this.#commits.accept(this.#removeDocument(id, by));
  }

  async #importDocument(input: unknown, origin: DocumentOrigin | undefined): Promise<ImportOutcome> {
    const { sources } = this.#deps.state;
    const isArticle = (id: string): boolean => this.articles.newest(id) !== undefined;
    const document = parseDocument(input, isArticle);
    const id = document.resourceDocId;
    const { recordBytesMax = RECORD_BYTES_MAX } = this.#deps;
    const isSame = (hash: string): boolean => this.#newestDocument(id)?.contentHash === hash;
    const parts = { document, origin, recordBytesMax, nowMs: () => this.#nowMs(), isSame };
    const preparing = this.#prepared.prepare(parts, this.#deps.caughtUp?.());
    const prepared = preparing === undefined ? undefined : await preparing;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    // An article may have taken the id meanwhile: the import is refused as if it had been there before.
    if (isArticle(id)) parseDocument(input, isArticle);
    const known = this.#newestDocument(id);
    const hash = prepared?.contentHash ?? contentHash(document);
    const mayChange = known === undefined || isOwn(known.origin, origin, sources);
    if (!mayChange && known.contentHash !== hash) await this.#documents.refuse(id, notOwn(id, known.origin));
    // An identical document stays with its owner.
    if (known?.contentHash === hash && (!mayChange || isSameOrigin(known.origin, origin))) {
      await this.#documents.whenDurable(id);
      return "unchanged";
    }
    const isSameContent = known?.contentHash === hash;
    const bytes = isSameContent ? known.bytes : documentBytes(document);
    const reserve = (): Reservation =>
      this.#reserve(id, { contentHash: hash, bytes, ...(origin === undefined ? {} : { origin }) });
    if (isSameContent && origin !== undefined) {
      await this.#commits.commit({ kind: "documentOrigin", id, origin }, { reserve });
      return "unchanged";
    }
    this.#importAccounts.require(id, bytes, known?.bytes ?? 0);
    const isNew = known === undefined;
    const record = prepared?.record ?? importRecord(document, hash, origin, this.#nowMs());
    await this.#commits.commit(record, { reserve, isNew, encoded: prepared?.payload });
    return isNew ? "added" : "replaced";
  }

  async #setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    const before = this.#prepared.of(id);
    if (before !== undefined) await before;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    if (this.#newestDocument(id) === undefined) await this.#documents.refuse(id, notFound(id));
    await this.#commits.commit({ kind: "documentStatus", id, status, updatedAtMs: this.#nowMs() });
  }

  async #removeDocument(id: string, by?: DocumentOrigin): Promise<void> {
    const before = this.#prepared.of(id);
    if (before !== undefined) await before;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    const known = this.#newestDocument(id);
    if (known === undefined || (by !== undefined && !isBroughtBy(known.origin, by)))
      await this.#documents.refuse(id, notFound(id));
    await this.#commits.commit({ kind: "documentDelete", id }, { reserve: () => this.#reserve(id, undefined) });
  }

  /** Writes a registration of an agent or a channel. */
  async register(record: Extract<BotRecord, { readonly name: string }>): Promise<void> {
    await this.#commits.commit(record);
  }

  /** Writes a vocabulary. */
  async setVocabulary(record: RecordOf<"vocabularySet">): Promise<void> {
    await this.#commits.commit(record);
  }

  /** Changes sources, one change after the other: `decide` sees the result of the change before, and may refuse. */
  async changeSources(decide: () => SourceRecord): Promise<void> {
    const before = this.#sourceChange;
    const changed = (async () => {
      await before;
      await this.#commits.commit(decide());
    })();
    const settled: Promise<unknown> = changed
      .catch(() => undefined)
      .then(() => {
        if (this.#sourceChange === settled) this.#sourceChange = undefined;
      });
    this.#sourceChange = settled;
    await this.#commits.accept(changed);
  }

  /**
   * Writes the vectors of a version, if it is the newest. They are charged to no limit.
   * They never follow the deletion of their version in the log: a purge keeps the log that comes after the deletion.
   */
  async putVectors(record: RecordOf<"vectors">, codes: Uint8Array): Promise<void> {
    const { id, version } = record;
    const pending = [this.articles.pending, this.#documents];
    await Promise.allSettled(pending.map((writes) => writes.whenDurable(id)));
    // If yet another write is in flight and leaves the version, its vectors are made again.
    if (pending.some((writes) => writes.isInFlight(id)) || newestVersionNumber(this.#deps.state, id) !== version)
      return;
    // Another node may have made them.
    if (this.#deps.state.vectors.includes(record)) return;
    await this.#commits.commit(record, { binary: codes });
  }

  /** Applies a record of another node. @throws LoredexError `CORRUPT`, `UNSUPPORTED_FORMAT` */
  applyOthers(sequence: number, payload: Uint8Array): IndexChange {
    return this.#commits.applyOthers(sequence, payload);
  }

  /** Resolves when all writes now in flight are applied, or have failed. */
  applied(): Promise<void> {
    return this.#commits.applied();
  }

  /** Resolves when no write is in flight any more. */
  settled(): Promise<void> {
    return this.#commits.settled();
  }

  /** Reserves the version that the next write is decided on, and its bytes of the limit on imports. */
  #reserve(id: string, version: KnownDocument | undefined): Reservation {
    const giveBack = this.#importAccounts.reserve(id, version?.bytes ?? 0);
    return { version: this.#documents.add(id, version), giveBack };
  }

  #newestDocument(id: string): KnownDocument | undefined {
    const { documents, sources } = this.#deps.state;
    const durable = documents.get(id);
    if (durable === undefined) return this.#documents.newest(id, undefined);
    const origin = sources.origin(durable.origin);
    const { contentHash, bytes } = durable;
    return this.#documents.newest(id, { contentHash, bytes, ...(origin !== undefined && { origin }) });
  }

  #nowMs(): number {
    return Math.floor(this.#deps.clock.wallMs());
  }
}

/** The version of a document that an import is decided on. */
interface KnownDocument extends Pick<VersionedDocument, "contentHash" | "bytes"> {
  readonly origin?: DocumentOrigin;
}

type SourceRecord = RecordOf<"sourceArgument" | "sourceMove" | "sourceRemove">;

function isSameOrigin(a: DocumentOrigin | undefined, b: DocumentOrigin | undefined): boolean {
  return a?.source === b?.source && a?.argument === b?.argument && a?.path === b?.path && a?.digest === b?.digest;
}

function notFound(id: string): LoredexError {
  return new LoredexError("DOCUMENT_NOT_FOUND", `There is no imported document with the id ${id}.`);
}
