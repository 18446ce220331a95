import type { Analyzer } from "../analysis/analyzer.ts";
import { compact, isMostlyGone, renumberPassages } from "../index/compaction.ts";
import { cutInSlices } from "../index/embedded-texts.ts";
import { OtherLanguage } from "../index/language-change.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { IndexChange } from "../log/index-change.ts";
import { newestVersion, newestVersionNumber, searchableIds } from "../log/newest-version.ts";
import type { BotState } from "../log/state.ts";
import { INDEX_QUEUE_LENGTH_MAX } from "../model/options.ts";
import type { BotInfo, LanguageChange, SearchableDocument } from "../model/types.ts";
import type { OpenBotFigures } from "../model/work.ts";
import { atMostEvery } from "../platform/at-most-every.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { succeeds } from "../platform/succeeds.ts";
import type { BotMemory } from "../quotas/bot-memory.ts";
import { isDoneWithin, type Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import type { BotVectors } from "./embedding/bot-vectors.ts";
import { IndexQueue } from "./index-queue.ts";
import { indexNeed } from "./memory-estimate.ts";
import { WrittenLanguage, type WrittenLanguageDeps } from "./written-language.ts";

export interface IndexerDeps extends Pick<WrittenLanguageDeps, "written" | "background"> {
  readonly info: () => Pick<BotInfo, "id" | "language">;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly vectors: BotVectors;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The bot's memory. Default: unlimited. */
  readonly memory?: Pick<BotMemory, "takeNow" | "follow"> | undefined;
  /** Called when all terms were made again: in another language, or at a start whose snapshot had another language or version. */
  readonly onReindexed: () => void;
}

/** How long the queue waits before it asks for memory again, in milliseconds. */
const MEMORY_PAUSE_MS = 1_000;

/** About the longest time that a search waits for articles of other nodes, in milliseconds. A busy process wakes later. */
const OTHERS_MS_MAX = 1_000;

/** The wait has this many parts. A process that was stopped during it, as by a suspended machine, finds one part expired and not the whole wait. */
const OTHERS_PARTS = 10;

/** A stall is logged at most once in this time, in milliseconds. */
const STALL_TOLD_MS = 60_000;

/** The number of documents from which on a new snapshot is worth writing: fewer are indexed sooner than a snapshot is written. */
const REINDEXED_MIN = 64;

/** A change of language, until it is made or replaced by another. */
interface Change {
  readonly analyzer: Analyzer;
  /** The terms in the new language, once making them has begun. */
  other: OtherLanguage | undefined;
}

/** Keeps the index in step with the state: written documents go through the queue, deleted ones leave the index at once. */
export class Indexer {
  readonly #deps: IndexerDeps;
  readonly queue: IndexQueue;
  readonly written: WrittenLanguage;
  #isCompacting = false;
  /** The highest number that an article of another node got in the queue. */
  #othersUntil = 0;
  /** The current change of language: the last that was requested. */
  #change: Change | undefined;
  #changing: Promise<void> = Promise.resolve();
  /** The number of passages when a document last exceeded the capacity of the index. */
  #fullAt = Number.POSITIVE_INFINITY;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
    const { memory, sleep, state, index } = deps;
    this.written = new WrittenLanguage(deps);
    this.queue = new IndexQueue({
      index: (id) => this.#indexInSlices(id),
      slices: new TimeSlices(deps.clock, { pin: deps.index.pin }),
      logger: deps.logger,
      lengthMax: INDEX_QUEUE_LENGTH_MAX,
      onStalled: atMostEvery(deps.clock, STALL_TOLD_MS, (message) => {
        deps.logger({ level: "warn", event: "indexingStalled", message, botId: deps.info().id });
      }),
      memory: memory && {
        takeFor: (id) => {
          const newest = newestVersion(state, id);
          return memory.takeNow(newest === undefined ? {} : indexNeed(newest.document, index));
        },
        pause: (signal) => sleep(MEMORY_PAUSE_MS, signal),
      },
    });
  }

  /** Notes that an article has come from another node. */
  onOthersArticle(id: string): void {
    this.#othersUntil = Math.max(this.#othersUntil, this.queue.numberOf(id));
  }

  /**
   * Resolves when the articles that have come from other nodes are indexed, but after about {@link OTHERS_MS_MAX} at the latest. Another node may have told
   * its clients that they are active, and then a search here must find them.
   */
  async whenOthersIndexed(): Promise<void> {
    if (this.queue.isIndexed(this.#othersUntil)) return;
    const waited = new AbortController();
    // The queue has its order, so that one number stands for all before it: a search costs the same, however many articles have come.
    const indexed = succeeds(this.queue.whenIndexed(this.#othersUntil));
    await Promise.race([indexed, this.#waitForOthers(waited.signal)]);
    waited.abort();
  }

  /** Resolves after about {@link OTHERS_MS_MAX}, or when the signal aborts. */
  async #waitForOthers(signal: AbortSignal): Promise<void> {
    for (let part = 0; part < OTHERS_PARTS && !signal.aborted; part++)
      await this.#deps.sleep(OTHERS_MS_MAX / OTHERS_PARTS, signal);
  }

  /** Whether terms are being made in another language. */
  get isChangingLanguage(): boolean {
    return this.#change !== undefined;
  }

  /** About how much memory the terms in another language take, in bytes; 0 if there are none. */
  get languageChangeBytes(): number {
    return this.#change?.other?.bytes ?? 0;
  }

  /** The progress of the change of language; undefined if there is none. */
  get languageChange(): LanguageChange | undefined {
    if (!this.isChangingLanguage) return undefined;
    const documents = this.#deps.index.documents.count;
    return { documents, documentsRead: Math.min(this.#change?.other?.documentCount ?? 0, documents) };
  }

  /** Resolves when the index has the language requested last, or cannot get it before the next start. */
  whenLanguageChanged(): Promise<void> {
    return this.#changing;
  }

  /**
   * Makes the terms of all documents in another language, in the background, beside indexing. Searches use the old terms until all new ones are
   * there.
   * Another change replaces this one.
   */
  changeLanguage(analyzer: Analyzer): void {
    if (this.#change?.analyzer.id === analyzer.id) return;
    const change: Change = { analyzer, other: undefined };
    this.#change = change;
    this.#changing = Promise.all([this.#changing, this.#make(change)]).then(() => undefined);
  }

  async #make(change: Change): Promise<void> {
    const { index, clock, logger } = this.#deps;
    const isWanted = (): boolean => this.#change === change && !this.queue.isClosed;
    const release = await this.#memoryForLanguage(isWanted);
    try {
      // No earlier change can still finish, so the index keeps its language.
      if (index.analyzer.id === change.analyzer.id) return;
      const other = new OtherLanguage(index, change.analyzer);
      change.other = other;
      await new TimeSlices(clock).run(other.follow(), isWanted);
      // Later documents are added between two documents of the queue: then no document is staged.
      if (isWanted()) await this.queue.between(() => this.#takeOver(other, isWanted));
    } catch (error) {
      const message = "The words could not be read in another language: they are found as before until the next start.";
      logger({ level: "error", event: "languageNotChanged", message, error });
    } finally {
      if (this.#change === change) this.#change = undefined;
      release?.();
    }
  }

  /**
   * Waits until there is memory for the terms in another language beside the old ones. Returns a function that releases it; undefined if the change
   * is not wanted any more.
   */
  async #memoryForLanguage(isWanted: () => boolean): Promise<(() => void) | undefined> {
    const { index, memory, sleep } = this.#deps;
    if (memory === undefined) return undefined;
    while (isWanted()) {
      const { bytes } = index.lexical;
      const release = memory.takeNow({ heapBytes: bytes, growing: bytes });
      if (release !== undefined) return release;
      await sleep(MEMORY_PAUSE_MS);
    }
    return undefined;
  }

  *#takeOver(other: OtherLanguage, isWanted: () => boolean): Sliced<void> {
    if (yield* other.takeOver(isWanted)) this.#deps.onReindexed();
  }

  /**
   * Resolves when the index is in step with the state, or when there is no memory for more: the rest is indexed later. Nothing may be written
   * meanwhile.
   */
  async catchUp(slices: TimeSlices): Promise<void> {
    const { kept, missing } = await slices.run(this.#queueMissing());
    // Documents of the snapshot that the state has no more were left out.
    this.#compactIfDue();
    const isWhole = await succeeds(this.queue.whenIdle());
    // Without a snapshot, every later start would index everything again.
    if (isWhole && kept === 0 && missing >= REINDEXED_MIN) this.#deps.onReindexed();
  }

  /** Queues the documents that the index lacks. Returns the numbers of documents that are searchable as stored, and of queued documents. */
  *#queueMissing(): Sliced<{ readonly kept: number; readonly missing: number }> {
    const { state, index } = this.#deps;
    let [kept, missing] = [0, 0];
    for (const id of searchableIds(state)) {
      if (index.versionOf(id) === newestVersionNumber(state, id)) kept++;
      else {
        missing++;
        this.queue.add(id);
      }
      yield;
    }
    return { kept, missing };
  }

  /** The bot's figures of indexing. */
  get figures(): Pick<OpenBotFigures, "indexQueue" | "indexFailures" | "writtenIn"> {
    const { length: indexQueue, failures: indexFailures } = this.queue;
    return { indexQueue, indexFailures, ...this.written.figures };
  }

  /** Finds the language of the newest documents, once nothing else is being indexed: a caller that asks for progress does not wait for it. */
  async refreshLanguage(): Promise<void> {
    if (!this.isChangingLanguage && this.queue.length === 0) await this.written.refresh();
  }

  /** Waiting documents are indexed at the next start. */
  close(): Promise<void> {
    this.written.close();
    return this.queue.close();
  }

  /** Applies a record that has become state to the index. */
  onApplied(change: IndexChange): void {
    const { index, vectors } = this.#deps;
    if (change.kind === "none") return;
    const { kind, id } = change;
    if (kind === "index") {
      this.queue.add(id);
      return;
    }
    if (kind === "remove") {
      this.queue.remove(id);
      vectors.onRemoved(id);
    }
    // A search may pin the index. A deferred change uses the state at the time when it runs.
    index.pin.change(`${kind} ${id}`, () => {
      if (kind === "remove") {
        this.#tidy(index.leave(id));
        vectors.onLeft(id);
      } else if (kind === "amend") this.#amend(id);
      else this.#takeVectors(id);
    });
  }

  /** Gives new vectors to the index. They are durable, so the write must not fail. */
  #takeVectors(id: string): void {
    try {
      this.#deps.vectors.onVectors(id);
    } catch (error) {
      const message = `Document ${id} has vectors that cannot be searched: it is found by words.`;
      this.#deps.logger({ level: "error", event: "vectorsNotUsed", message, error });
    }
  }

  /** Changes metadata, which the next search sees. A version that still waits is only ever seen whole. */
  #amend(id: string): void {
    const { state, index } = this.#deps;
    const newest = newestVersion(state, id);
    if (newest !== undefined && index.versionOf(id) === newest.version) index.amend(newest.document);
  }

  /** Resolves when the index holds no version that was deleted or replaced before the call. */
  async leaveGone(): Promise<void> {
    const { index, clock } = this.#deps;
    await index.pin.whenFree();
    const isIdle = await succeeds(this.queue.whenIdle());
    await new TimeSlices(clock, { pin: index.pin }).run(this.#leaveReplaced(isIdle));
  }

  /** Removes versions whose successor could not be indexed, or cannot be for lack of memory, and so does not replace them. Sliced work. */
  *#leaveReplaced(isIdle: boolean): Sliced<void> {
    const { state, index } = this.#deps;
    for (const { document, version } of [...index.documents]) {
      const { id } = document;
      const isIn = index.versionOf(id) === version;
      const isStaging = isIdle && this.queue.has(id);
      if (isIn && newestVersionNumber(state, id) !== version && !isStaging) this.#tidy(index.leave(id));
      yield;
    }
  }

  /** Whether the index has no capacity for a new document: none was freed since a document exceeded it. */
  get isFull(): boolean {
    return this.#deps.index.lexical.passageCount >= this.#fullAt;
  }

  /** Notes that the index is full, unless less than half of it is used: then one document was too large, which says nothing about others. */
  #noteFull(): void {
    const { lexical } = this.#deps.index;
    if (!lexical.hasCapacityWithoutDeleted(lexical.passageCount)) this.#fullAt = lexical.passageCount;
  }

  *#indexInSlices(id: string): Sliced<void> {
    const { state, index, vectors } = this.#deps;
    const newest = newestVersion(state, id);
    if (newest === undefined) return;
    const { version } = newest;
    const cut = yield* cutInSlices(newest.document);
    const current = (): SearchableDocument | undefined => {
      const now = newestVersion(state, id);
      return now === undefined || now.version === version ? now?.document : newest.document;
    };
    // Deleted passages take capacity until they are reclaimed.
    if (!index.hasCapacityFor(cut)) {
      if (index.hasCapacityWithoutDeleted(cut)) yield* renumberPassages(index);
      else this.#noteFull();
    }
    const replaced = yield* index.replaceInSlices(newest.document, { version, cut, current, encode: vectors.encode });
    this.#deps.memory?.follow();
    if (replaced === undefined) return;
    this.#tidy(replaced.left);
    // Runs between two documents, and beside waiting ones.
    if (this.written.isDue) void this.written.refresh();
    const left = vectors.onIndexed(id, cut, replaced.firstVectors);
    if (left !== undefined) this.queue.addChore(left);
  }

  /** Cleans up after a document at once if that takes at most {@link TIDYING_MS}, otherwise as a chore. */
  #tidy(left: Sliced<void>): void {
    if (!isDoneWithin(TIDYING_MS, left, this.#deps.clock)) this.queue.addChore(this.#tidied(left));
    this.#compactIfDue();
  }

  /** Deleted passages are fully counted only when the cleanup is done. */
  *#tidied(left: Sliced<void>): Sliced<void> {
    yield* left;
    this.#compactIfDue();
  }

  /** Compacts the index, if most of it is deleted, as a chore between two documents: a staged document already has its ordinals. */
  #compactIfDue(): void {
    if (this.#isCompacting || !isMostlyGone(this.#deps.index)) return;
    this.#isCompacting = true;
    this.queue.addChore(this.#compact());
  }

  *#compact(): Sliced<void> {
    const { index, logger } = this.#deps;
    try {
      yield* compact(index);
    } catch (error) {
      const message = "The index could not be made smaller: it stays as it is.";
      logger({ level: "warn", event: "compactionFailed", message, error });
    } finally {
      this.#isCompacting = false;
    }
  }
}

/** The most milliseconds that cleanup after a document runs at once. */
const TIDYING_MS = 2;
