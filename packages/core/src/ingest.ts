import type { BotRoom } from "./accounting/bot-room.ts";
import { CharacterReservations } from "./accounting/character-reservations.ts";
import { excessCharacters } from "./accounting/quota.ts";
import type { SlidingWindow } from "./accounting/window.ts";
import type { WindowClock } from "./accounting/window-clock.ts";
import { characterCount } from "./article/characters.ts";
import type { IdMaker } from "./article/identifier.ts";
import { parseArticle, parseArticleChanges } from "./article/shape.ts";
import { changedArticle } from "./article/update.ts";
import { contentHash } from "./document/content-hash.ts";
import { parseDocument } from "./document/shape.ts";
import { LoredexError, QuotaExceededError, RateExceededError, ValidationError } from "./domain/errors.ts";
import { RECORD_BYTES_MAX } from "./domain/limits.ts";
import type { ArticleFields, BotRecord, Charge } from "./domain/records.ts";
import type { DocumentOrigin } from "./domain/sources.ts";
import type { DocumentStatus, ImportOutcome } from "./domain/types.ts";
import type { Clock } from "./runtime/clock.ts";
import { Turns } from "./runtime/steps.ts";
import { apply, type IndexChange } from "./state/apply.ts";
import { isBroughtBy, isOwn, notOwn } from "./state/ownership.ts";
import { type PendingWrite, PendingWrites } from "./state/pending-writes.ts";
import { importRecord, PreparedImports } from "./state/prepared-imports.ts";
import { encodeRecordUpTo } from "./state/record-codec.ts";
import type { BotState, VersionedDocument } from "./state/state.ts";

/** What the write path works with. */
export interface IngestParts {
  readonly state: BotState;
  /** See {@link Store.append}: `onFailed` is called at once, before anything else is decided. */
  readonly append: (payload: Uint8Array, onFailed: () => void) => Promise<number>;
  readonly limits: () => { readonly quotaCharacters: number; readonly rateCharactersPerMinute: number };
  readonly clock: Clock;
  readonly windowClock: WindowClock;
  readonly ids: IdMaker;
  /** Called right after a durable record has become state, before its writer has the answer. */
  readonly onApplied: (change: IndexChange) => void;
  readonly room: BotRoom;
  /** A write was refused for want of room: what was deleted since the last snapshot may make some. */
  readonly onFull: () => void;
  /** The longest record that `append` takes, in bytes. */
  readonly recordBytesMax?: number;
}

/** Records that may make a bot larger. */
const TAKES_ROOM: ReadonlySet<BotRecord["kind"]> = new Set([
  "articlePut",
  "documentPut",
  "documentBrought",
  "documentOrigin",
  "sourceArgument",
  "agentPut",
  "channelPut",
  "vectors",
]);

/** What one write in flight has taken. */
interface Reservation {
  readonly version: PendingWrite;
  /** Called once, when the write is durable and applied or when it has failed. */
  readonly giveBack?: (hasFailed: boolean) => void;
}

/** What there is of a record's bytes. */
interface Encoding {
  /** Its binary part. */
  readonly binary?: Uint8Array;
  /** All of them, if they have been made already. */
  readonly encoded?: Uint8Array | undefined;
}

/** A durable write of an article. */
export interface IngestedArticle {
  readonly article: ArticleFields;
  /** Code points of all articles, right after this write. */
  readonly characterUsed: number;
}

/**
 * The write path: validate → reserve characters → append to the log → apply → answer.
 *
 * From validation to the append nothing is awaited, but for a large document's hash and bytes, which are made in turns before anything
 * is decided: writes of the same document wait for that. So writes are ordered where their characters are reserved, each is
 * decided on the newest version before it (in flight or durable), and no two can overshoot a limit together. Whatever can
 * be refused is refused before anything is reserved, and a failed append gives back exactly what its own write reserved.
 */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #articles = new PendingWrites<ArticleFields>();
  readonly #documents = new PendingWrites<KnownDocument>();
  readonly #prepared: PreparedImports;
  readonly #characters: CharacterReservations;
  /** Admissions of durable writes and of those in flight. */
  readonly #window: SlidingWindow;
  #lastCreatedAtMs: number;
  /** Settles when the changes of sources that were asked for are made; an import is decided when none is in flight. Never rejects. */
  #sourceChange: Promise<unknown> | undefined;
  /** Appends that are not durable yet. */
  readonly #inFlight = new Set<Promise<unknown>>();
  /** What may wait for something else before it is appended. */
  readonly #accepted = new Set<Promise<unknown>>();

  constructor(parts: IngestParts) {
    const { articles } = parts.state;
    this.#parts = parts;
    this.#prepared = new PreparedImports(new Turns(parts.clock));
    this.#characters = new CharacterReservations((id) => articles.get(id)?.fields.characterCount ?? 0);
    this.#window = parts.state.window.copy();
    this.#lastCreatedAtMs = parts.state.lastCreatedAtMs;
  }

  async createArticle(input: unknown): Promise<IngestedArticle> {
    const { state, clock, ids } = this.#parts;
    const draft = parseArticle(input, {
      agent: (name) => state.agents.get(name) === true,
      channel: (name) => state.channels.get(name) === true,
    });
    this.#lastCreatedAtMs = Math.max(this.#lastCreatedAtMs, Math.floor(clock.wallMs()));
    const nowMs = this.#lastCreatedAtMs;
    const characters = characterCount(draft.title) + characterCount(draft.body);
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    return this.#putArticle({ id: ids.next(), ...draft, ...times, characterCount: characters }, undefined);
  }

  async updateArticle(id: string, input: unknown): Promise<IngestedArticle> {
    const old = this.#newestArticle(id);
    const article = changedArticle(old, parseArticleChanges(input), Math.floor(this.#parts.clock.wallMs()));
    if (article !== old) return this.#putArticle(article, old);
    // Nothing changes; but what it says must be on disk before anyone is told.
    await this.#articles.whenDurable(id);
    return { article, characterUsed: this.#parts.state.characterUsed };
  }

  async deleteArticle(id: string): Promise<void> {
    this.#newestArticle(id);
    await this.#commit({ kind: "articleDelete", id }, () => this.#reserve(id, undefined));
  }

  /** @throws ValidationError also for a document that belongs to another source and would be changed */
  importDocument(input: unknown, origin: DocumentOrigin | undefined): Promise<ImportOutcome> {
    return this.#accept(this.#importDocument(input, origin));
  }

  setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    return this.#accept(this.#setDocumentStatus(id, status));
  }

  /** `by`: only if it brought the document. */
  removeDocument(id: string, by?: DocumentOrigin): Promise<void> {
    return this.#accept(this.#removeDocument(id, by));
  }

  async #importDocument(input: unknown, origin: DocumentOrigin | undefined): Promise<ImportOutcome> {
    const { articles, sources } = this.#parts.state;
    const isArticle = (id: string): boolean => this.#articles.newest(id, articles.get(id)?.fields) !== undefined;
    const document = parseDocument(input, isArticle);
    const id = document.resourceDocId;
    const { recordBytesMax = RECORD_BYTES_MAX } = this.#parts;
    const isSame = (hash: string): boolean => this.#newestDocument(id)?.contentHash === hash;
    const preparing = this.#prepared.prepare({ document, origin, recordBytesMax, isSame });
    const prepared = preparing === undefined ? undefined : await preparing;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    // An article may have taken the id meanwhile: it is refused as if it had been there.
    if (isArticle(id)) parseDocument(input, isArticle);
    const known = this.#newestDocument(id);
    const hash = prepared?.contentHash ?? contentHash(document);
    const mayChange = known === undefined || isOwn(known.origin, origin, sources);
    if (!mayChange && known.contentHash !== hash) throw notOwn(id, known.origin);
    // Whoever brings what is there already: it stays whose it is.
    if (known?.contentHash === hash && (!mayChange || isSameOrigin(known.origin, origin))) {
      await this.#documents.whenDurable(id);
      return "unchanged";
    }
    const reserve = (): Reservation => ({
      version: this.#documents.add(id, { contentHash: hash, ...(origin === undefined ? {} : { origin }) }),
    });
    if (known?.contentHash === hash && origin !== undefined) {
      await this.#commit({ kind: "documentOrigin", id, origin }, reserve);
      return "unchanged";
    }
    await this.#commit(importRecord(document, hash, origin), reserve, { encoded: prepared?.payload });
    return known === undefined ? "added" : "replaced";
  }

  async #setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    const before = this.#prepared.of(id);
    if (before !== undefined) await before;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    this.#requireDocument(id);
    await this.#commit({ kind: "documentStatus", id, status });
  }

  async #removeDocument(id: string, by?: DocumentOrigin): Promise<void> {
    const before = this.#prepared.of(id);
    if (before !== undefined) await before;
    while (this.#sourceChange !== undefined) await this.#sourceChange;
    this.#requireDocument(id);
    if (by !== undefined && !isBroughtBy(this.#newestDocument(id)?.origin, by)) throw notFound(id);
    await this.#commit({ kind: "documentDelete", id }, () => ({ version: this.#documents.add(id, undefined) }));
  }

  async register(record: Extract<BotRecord, { readonly name: string }>): Promise<void> {
    await this.#commit(record);
  }

  /** Changes sources, one change after the other: `decide` sees what the one before has made, and may refuse. */
  async changeSources(decide: () => SourceRecord): Promise<void> {
    const before = this.#sourceChange;
    const changed = (async () => {
      await before;
      await this.#commit(decide());
    })();
    const settled: Promise<unknown> = changed
      .catch(() => undefined)
      .then(() => {
        if (this.#sourceChange === settled) this.#sourceChange = undefined;
      });
    this.#sourceChange = settled;
    await this.#accept(changed);
  }

  /** Vectors of a version; nobody is charged for them. */
  async putVectors(record: Extract<BotRecord, { readonly kind: "vectors" }>, codes: Uint8Array): Promise<void> {
    await this.#commit(record, undefined, { binary: codes });
  }

  async #putArticle(article: ArticleFields, old: ArticleFields | undefined): Promise<IngestedArticle> {
    const charge = this.#admit(article, old);
    const record = { kind: "articlePut", article, charge } as const;
    const characterUsed = await this.#commit(record, () => this.#reserve(article.id, article, charge));
    return { article, characterUsed };
  }

  /** @throws QuotaExceededError, then RateExceededError; nothing has been reserved either way */
  #admit({ id, characterCount }: ArticleFields, old: ArticleFields | undefined): Charge {
    const { state, limits, windowClock } = this.#parts;
    const { quotaCharacters, rateCharactersPerMinute } = limits();
    const added = Math.max(0, characterCount - (old?.characterCount ?? 0));
    const used = state.characterUsed + this.#characters.total;
    const excess = excessCharacters(used, added, this.#characters.growth(id, characterCount), quotaCharacters);
    if (excess > 0) throw new QuotaExceededError(excess, used, quotaCharacters);
    const atMs = windowClock.nowMs();
    const waitMs = this.#window.waitMs(added, rateCharactersPerMinute, atMs);
    if (waitMs !== 0) throw new RateExceededError(added, rateCharactersPerMinute, waitMs);
    return { characters: added, atMs };
  }

  /** The version that the next write is decided on, its characters, and what it was charged. */
  #reserve(id: string, article: ArticleFields | undefined, charge?: Charge): Reservation {
    if (charge !== undefined) this.#window.add(charge.characters, charge.atMs);
    const release = this.#characters.reserve(id, article?.characterCount ?? 0);
    const giveBack = (hasFailed: boolean): void => {
      release();
      if (hasFailed && charge !== undefined) this.#window.release(charge.characters, charge.atMs);
    };
    return { version: this.#articles.add(id, article), giveBack };
  }

  /**
   * Appends a record and, once it is durable, applies it. Resolves with the characters used right after it.
   * @throws ValidationError for a record that is too long, LoredexError `BOT_FULL`; nothing has been reserved then
   */
  #commit(record: BotRecord, reserve?: () => Reservation, { binary, encoded }: Encoding = {}): Promise<number> {
    const { state, append, onApplied } = this.#parts;
    const payload = encoded ?? this.#encoded(record, binary);
    this.#requireRoom(record, payload.length);
    const reserved = reserve?.();
    const leaveRoom = this.#parts.room.take(payload.length);
    let isSettled = false;
    const settle = (hasFailed: boolean): void => {
      if (isSettled) return;
      isSettled = true;
      leaveRoom();
      reserved?.version.settle();
      reserved?.giveBack?.(hasFailed);
    };
    const committed = append(payload, () => settle(true)).then(
      (sequence) => {
        const change = apply(state, record, sequence, binary);
        settle(false);
        onApplied(change);
        return state.characterUsed;
      },
      (error: unknown) => {
        settle(true);
        throw error;
      },
    );
    if (reserved !== undefined) reserved.version.committed = committed;
    this.#inFlight.add(committed);
    // Whoever wrote it hears of the error; whoever waits for it later hears of it again.
    const forget = (): boolean => this.#inFlight.delete(committed);
    committed.then(forget, forget);
    return committed;
  }

  /** @throws LoredexError `BOT_FULL`. What takes something away is never refused. */
  #requireRoom(record: BotRecord, bytes: number): void {
    const { room, state, onFull } = this.#parts;
    if (!TAKES_ROOM.has(record.kind)) return;
    try {
      room.requireBytes(bytes);
      const inFlight = this.#inFlight.size;
      const isNewArticle = record.kind === "articlePut" && this.#newest(record.article.id) === undefined;
      const isDocument = record.kind === "documentPut" || record.kind === "documentBrought";
      if (isNewArticle || (isDocument && !this.#isKnown(record.document.resourceDocId)))
        room.requireDocument(state.articles.size + state.documents.size + inFlight);
      const source = sourceNamedBy(record);
      if (source !== undefined && state.sources.get(source) === undefined)
        room.requireSource(state.sources.size + inFlight);
      if (record.kind === "agentPut" && !state.agents.has(record.name))
        room.requireRegistration(state.agents.size + inFlight);
      if (record.kind === "channelPut" && !state.channels.has(record.name))
        room.requireRegistration(state.channels.size + inFlight);
    } catch (error) {
      onFull();
      throw error;
    }
  }

  #encoded(record: BotRecord, binary: Uint8Array | undefined): Uint8Array {
    const { recordBytesMax = RECORD_BYTES_MAX } = this.#parts;
    const payload = encodeRecordUpTo(recordBytesMax, record, binary);
    if (payload !== undefined) return payload;
    const field = record.kind === "articlePut" ? "article" : "document";
    const message = `${field} takes more than the ${recordBytesMax} bytes that one may have as JSON; divide it into several`;
    throw new ValidationError([{ message, field, type: "maxLength" }]);
  }

  /** Resolves when all that is in flight now is state, or has failed. */
  async applied(): Promise<void> {
    await Promise.allSettled(this.#inFlight);
  }

  /** Resolves when nothing is in flight any more. */
  async settled(): Promise<void> {
    while (this.#accepted.size > 0) await Promise.allSettled(this.#accepted);
    await Promise.allSettled(this.#inFlight);
  }

  #accept<Result>(accepted: Promise<Result>): Promise<Result> {
    this.#accepted.add(accepted);
    const forget = (): boolean => this.#accepted.delete(accepted);
    accepted.then(forget, forget);
    return accepted;
  }

  /** Characters admitted in the last 60 seconds. */
  rateUsed(): number {
    return this.#window.used(this.#parts.windowClock.nowMs());
  }

  #newestArticle(id: string): ArticleFields {
    const article = this.#newest(id);
    if (article === undefined) throw new LoredexError("ARTICLE_NOT_FOUND", `There is no article with the id ${id}.`);
    return article;
  }

  #newest(id: string): ArticleFields | undefined {
    return this.#articles.newest(id, this.#parts.state.articles.get(id)?.fields);
  }

  #newestDocument(id: string): KnownDocument | undefined {
    const { documents, sources } = this.#parts.state;
    const durable = documents.get(id);
    if (durable === undefined) return this.#documents.newest(id, undefined);
    const origin = sources.origin(durable.origin);
    const { contentHash } = durable;
    return this.#documents.newest(id, origin === undefined ? { contentHash } : { contentHash, origin });
  }

  #isKnown(id: string): boolean {
    return this.#newestDocument(id) !== undefined;
  }

  #requireDocument(id: string): void {
    if (!this.#isKnown(id)) throw notFound(id);
  }
}

/** What an import is decided on. */
interface KnownDocument extends Pick<VersionedDocument, "contentHash"> {
  readonly origin?: DocumentOrigin;
}

type SourceRecord = Extract<BotRecord, { readonly kind: "sourceArgument" | "sourceMove" | "sourceRemove" }>;

function isSameOrigin(a: DocumentOrigin | undefined, b: DocumentOrigin | undefined): boolean {
  return a?.source === b?.source && a?.argument === b?.argument && a?.path === b?.path && a?.digest === b?.digest;
}

/** The source that a record makes if there is none of this name. */
function sourceNamedBy(record: BotRecord): string | undefined {
  if (record.kind === "sourceArgument") return record.source;
  return record.kind === "documentBrought" || record.kind === "documentOrigin" ? record.origin.source : undefined;
}

function notFound(id: string): LoredexError {
  return new LoredexError("DOCUMENT_NOT_FOUND", `There is no imported document with the id ${id}.`);
}
