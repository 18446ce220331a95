import { excessCharacters } from "./accounting/quota.ts";
import type { SlidingWindow } from "./accounting/window.ts";
import type { WindowClock } from "./accounting/window-clock.ts";
import { characterCount } from "./article/characters.ts";
import type { IdMaker } from "./article/identifier.ts";
import { parseArticle, parseArticleChanges } from "./article/shape.ts";
import { changedArticle } from "./article/update.ts";
import { contentHash } from "./document/content-hash.ts";
import { parseDocument } from "./document/shape.ts";
import { LoredexError, QuotaExceededError, RateExceededError } from "./domain/errors.ts";
import type { ArticleFields, BotRecord, Charge } from "./domain/records.ts";
import type { DocumentStatus, ImportOutcome } from "./domain/types.ts";
import type { Clock } from "./runtime/clock.ts";
import { apply, type IndexChange } from "./state/apply.ts";
import { PendingWrites } from "./state/pending-writes.ts";
import { encodeRecord } from "./state/record-codec.ts";
import type { BotState, VersionedDocument } from "./state/state.ts";

/** What the write path works with. */
export interface IngestParts {
  readonly state: BotState;
  /** Durable when it resolves, in the order of the calls; if it fails, all later ones in flight fail too. */
  readonly append: (payload: Uint8Array) => Promise<number>;
  readonly limits: () => { readonly quotaCharacters: number; readonly rateCharactersPerMinute: number };
  readonly clock: Clock;
  readonly windowClock: WindowClock;
  readonly ids: IdMaker;
  /** Called right after a durable record has become state, before its writer has the answer. */
  readonly onApplied: (change: IndexChange) => void;
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
 * From validation to the append nothing is awaited. So writes are ordered where their characters are reserved, each is
 * decided on the newest version before it (in flight or durable), and no two can overshoot a limit together.
 */
export class Ingest {
  readonly #parts: IngestParts;
  readonly #articles = new PendingWrites<ArticleFields>();
  readonly #documents = new PendingWrites<Pick<VersionedDocument, "contentHash" | "source">>();
  /** Characters that creates and updates in flight add to the articles, or take away. */
  #growth = 0;
  /** Admissions of durable writes and of those in flight. */
  #window: SlidingWindow;
  #lastCreatedAtMs: number;
  #inFlight: Promise<unknown> = Promise.resolve();
  /** Raised when writes fail: what those in flight had reserved is gone at once, for all of them have failed. */
  #epoch = 0;

  constructor(parts: IngestParts) {
    this.#parts = parts;
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
    if (this.#parts.state.articles.get(id)?.fields !== article) await this.#inFlight;
    return { article, characterUsed: this.#parts.state.characterUsed };
  }

  async deleteArticle(id: string): Promise<void> {
    this.#newestArticle(id);
    await this.#commit({ kind: "articleDelete", id }, this.#articles.add(id, undefined), 0);
  }

  async importDocument(input: unknown, source: string | undefined): Promise<ImportOutcome> {
    const { articles, documents } = this.#parts.state;
    const isArticle = (id: string): boolean => this.#articles.newest(id, articles.get(id)?.fields) !== undefined;
    const document = parseDocument(input, isArticle);
    const id = document.resourceDocId;
    const durable = documents.get(id);
    const known = this.#documents.newest(id, durable);
    const imported = { contentHash: contentHash(document), ...(source === undefined ? {} : { source }) };
    if (known?.contentHash === imported.contentHash && (source === undefined || known.source === source)) {
      if (known !== durable) await this.#inFlight;
      return "unchanged";
    }
    await this.#commit({ kind: "documentPut", document, ...imported }, this.#documents.add(id, imported), 0);
    if (known === undefined) return "added";
    return known.contentHash === imported.contentHash ? "unchanged" : "replaced";
  }

  async setDocumentStatus(id: string, status: DocumentStatus): Promise<void> {
    this.#requireDocument(id);
    await this.#commit({ kind: "documentStatus", id, status }, undefined, 0);
  }

  async removeDocument(id: string): Promise<void> {
    this.#requireDocument(id);
    await this.#commit({ kind: "documentDelete", id }, this.#documents.add(id, undefined), 0);
  }

  async register(record: Extract<BotRecord, { readonly name: string }>): Promise<void> {
    await this.#commit(record, undefined, 0);
  }

  /** Vectors of a version; nobody is charged for them. */
  async putVectors(record: Extract<BotRecord, { readonly kind: "vectors" }>, codes: Uint8Array): Promise<void> {
    await this.#commit(record, undefined, 0, codes);
  }

  async #putArticle(article: ArticleFields, old: ArticleFields | undefined): Promise<IngestedArticle> {
    const growth = article.characterCount - (old?.characterCount ?? 0);
    const charge = this.#reserve(Math.max(0, growth));
    // One that shrinks makes room for the next at once: if it fails, the next fails too.
    this.#growth += growth;
    const pending = this.#articles.add(article.id, article);
    const characterUsed = await this.#commit({ kind: "articlePut", article, charge }, pending, growth);
    return { article, characterUsed };
  }

  /** @throws QuotaExceededError, then RateExceededError; nothing is reserved then */
  #reserve(added: number): Charge {
    const { state, limits, windowClock } = this.#parts;
    const { quotaCharacters, rateCharactersPerMinute } = limits();
    const used = state.characterUsed + this.#growth;
    const excess = excessCharacters(used, added, quotaCharacters);
    if (excess > 0) throw new QuotaExceededError(excess, used, quotaCharacters);
    const atMs = windowClock.nowMs();
    const waitMs = this.#window.waitMs(added, rateCharactersPerMinute, atMs);
    if (waitMs !== 0) throw new RateExceededError(added, rateCharactersPerMinute, waitMs);
    this.#window.add(added, atMs);
    return { characters: added, atMs };
  }

  /** Appends a record and, once it is durable, applies it. Resolves with the characters used right after it. */
  #commit(
    record: BotRecord,
    pending: { settle(): void } | undefined,
    growth: number,
    binary?: Uint8Array,
  ): Promise<number> {
    const { state, append, onApplied } = this.#parts;
    const epoch = this.#epoch;
    const committed = append(encodeRecord(record, binary)).then(
      (sequence) => {
        const change = apply(state, record, sequence, binary);
        if (epoch === this.#epoch) this.#growth -= growth;
        pending?.settle();
        onApplied(change);
        return state.characterUsed;
      },
      (error: unknown) => {
        this.#forgetInFlight(epoch);
        throw error;
      },
    );
    this.#inFlight = committed;
    // Whoever wrote it hears of the error; whoever waits for it later hears of it again.
    committed.catch(() => undefined);
    return committed;
  }

  #forgetInFlight(epoch: number): void {
    if (epoch !== this.#epoch) return;
    this.#epoch += 1;
    this.#articles.clear();
    this.#documents.clear();
    this.#growth = 0;
    this.#window = this.#parts.state.window.copy();
    this.#inFlight = Promise.resolve();
  }

  /** Resolves when nothing is in flight any more. */
  async settled(): Promise<void> {
    await this.#inFlight.catch(() => undefined);
  }

  /** Characters admitted in the last 60 seconds. */
  rateUsed(): number {
    return this.#window.used(this.#parts.windowClock.nowMs());
  }

  #newestArticle(id: string): ArticleFields {
    const article = this.#articles.newest(id, this.#parts.state.articles.get(id)?.fields);
    if (article === undefined) throw new LoredexError("ARTICLE_NOT_FOUND", `There is no article with the id ${id}.`);
    return article;
  }

  #requireDocument(id: string): void {
    const known = this.#documents.newest(id, this.#parts.state.documents.get(id));
    if (known === undefined)
      throw new LoredexError("DOCUMENT_NOT_FOUND", `There is no imported document with the id ${id}.`);
  }
}
