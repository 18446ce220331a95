import type { BotMemory } from "../accounting/bot-memory.ts";
import { INDEX_QUEUE_LENGTH_MAX } from "../domain/options.ts";
import type { BotInfo, LanguageChange, SearchableDocument } from "../domain/types.ts";
import type { OpenBotFigures } from "../domain/work.ts";
import { OtherLanguage } from "../query/change-language.ts";
import { compact, isMostlyGone, renumberPassages } from "../query/compaction.ts";
import { cutInSteps } from "../query/embedded-texts.ts";
import type { SearchIndex } from "../query/search-index.ts";
import { atMostEvery } from "../runtime/at-most-every.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log-event.ts";
import { isDoneWithin, type Steps, Turns } from "../runtime/steps.ts";
import { succeeds } from "../runtime/succeeds.ts";
import type { IndexChange } from "../state/apply.ts";
import { newestVersion, newestVersionNumber, searchableIds } from "../state/newest-version.ts";
import type { BotState } from "../state/state.ts";
import type { Analyzer } from "../text/analyzer.ts";
import type { BotVectors } from "./bot-vectors.ts";
import { IndexQueue } from "./index-queue.ts";
import { indexNeed } from "./memory-estimate.ts";
import { WrittenLanguage, type WrittenLanguageParts } from "./written-language.ts";

export interface IndexingParts extends Pick<WrittenLanguageParts, "written" | "background"> {
  readonly info: () => Pick<BotInfo, "id" | "language">;
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly vectors: BotVectors;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The bot's memory. Default: there always is enough. */
  readonly memory?: Pick<BotMemory, "takeNow" | "follow"> | undefined;
  /** Told when what searches go by was read anew: in another language, or at the start, since what was kept is of another language or version. */
  readonly onReadAnew: () => void;
}

/** After so long without memory for the next document it is looked for again, in milliseconds. */
const MEMORY_PAUSE_MS = 1_000;

/** A stall is told at most once in so long, in milliseconds. */
const STALL_TOLD_MS = 60_000;

/** Fewer documents are read sooner than they are written. */
const READ_ANEW_MIN = 64;

/** A change of language that goes on until it is made, or another is asked for. */
interface Change {
  readonly analyzer: Analyzer;
  /** The words that are being read for it, once that has begun. */
  other: OtherLanguage | undefined;
}

/** Has the index follow the state: what was written waits in the queue, what was deleted is gone at once. */
export class Indexing {
  readonly #parts: IndexingParts;
  readonly queue: IndexQueue;
  readonly written: WrittenLanguage;
  #isCompacting = false;
  /** The change of language that is under way: the last that was asked for. */
  #change: Change | undefined;
  #changing: Promise<void> = Promise.resolve();
  /** So many passages were there when a document found no room last. */
  #fullAt = Number.POSITIVE_INFINITY;

  constructor(parts: IndexingParts) {
    this.#parts = parts;
    const { memory, sleep, state, index } = parts;
    this.written = new WrittenLanguage(parts);
    this.queue = new IndexQueue({
      index: (id) => this.#indexInSteps(id),
      turns: new Turns(parts.clock, undefined, parts.index.still),
      logger: parts.logger,
      lengthMax: INDEX_QUEUE_LENGTH_MAX,
      onStalled: atMostEvery(parts.clock, STALL_TOLD_MS, (message) => {
        parts.logger({ level: "warn", event: "indexingStalled", message, botId: parts.info().id });
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

  /** Whether the words are being read in another language. */
  get isChangingLanguage(): boolean {
    return this.#change !== undefined;
  }

  /** About how much memory the words take that are being read in another language, in bytes. */
  get languageChangeBytes(): number {
    return this.#change?.other?.bytes ?? 0;
  }

  /** How far its words are read in another language; undefined while they are not. */
  get languageChange(): LanguageChange | undefined {
    if (!this.isChangingLanguage) return undefined;
    const documents = this.#parts.index.documents.count;
    return { documents, documentsRead: Math.min(this.#change?.other?.documentCount ?? 0, documents) };
  }

  /** Resolves when the index has the language that it was given last, or could not be given it before the next start. */
  whenLanguageChanged(): Promise<void> {
    return this.#changing;
  }

  /**
   * The index reads its words in another language: in the background, beside what is written. Searches go on with the words of before until all are
   * there. Whoever changes it again meanwhile has the first change given up.
   */
  changeLanguage(analyzer: Analyzer): void {
    if (this.#change?.analyzer.id === analyzer.id) return;
    const change: Change = { analyzer, other: undefined };
    this.#change = change;
    this.#changing = Promise.all([this.#changing, this.#make(change)]).then(() => undefined);
  }

  async #make(change: Change): Promise<void> {
    const { index, clock, logger } = this.#parts;
    const isWanted = (): boolean => this.#change === change && !this.queue.isClosed;
    const release = await this.#memoryForLanguage(isWanted);
    try {
      // No earlier change can still finish, so the index keeps its language.
      if (index.analyzer.id === change.analyzer.id) return;
      const other = new OtherLanguage(index, change.analyzer);
      change.other = other;
      await new Turns(clock).take(other.follow(), isWanted);
      // What came meanwhile is read between two documents: then nothing is on its way in.
      if (isWanted()) await this.queue.between(() => this.#takeOver(other, isWanted));
    } catch (error) {
      const message = "The words could not be read in another language: they are found as before until the next start.";
      logger({ level: "error", event: "languageNotChanged", message, error });
    } finally {
      if (this.#change === change) this.#change = undefined;
      release?.();
    }
  }

  /** Waits until there is memory for the words in another language beside those of now. Returns what gives it back; undefined where the change is not wanted any more. */
  async #memoryForLanguage(isWanted: () => boolean): Promise<(() => void) | undefined> {
    const { index, memory, sleep } = this.#parts;
    if (memory === undefined) return undefined;
    while (isWanted()) {
      const { bytes } = index.lexical;
      const release = memory.takeNow({ heapBytes: bytes, growing: bytes });
      if (release !== undefined) return release;
      await sleep(MEMORY_PAUSE_MS);
    }
    return undefined;
  }

  *#takeOver(other: OtherLanguage, isWanted: () => boolean): Steps<void> {
    if (yield* other.takeOver(isWanted)) this.#parts.onReadAnew();
  }

  /** Resolves when the index has all that the state has, of which nothing is written meanwhile, or when there is no memory for more: the rest is indexed later. */
  async catchUp(turns: Turns): Promise<void> {
    const { kept, missing } = await turns.take(this.#queueMissing());
    // What is in the snapshot and not in the state any more was left out.
    this.#compactIfDue();
    const isWhole = await succeeds(this.queue.whenIdle());
    // Every start to come would read it all again.
    if (isWhole && kept === 0 && missing >= READ_ANEW_MIN) this.#parts.onReadAnew();
  }

  /** How many documents are searchable as they were kept, and how many have to be read. */
  *#queueMissing(): Steps<{ readonly kept: number; readonly missing: number }> {
    const { state, index } = this.#parts;
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

  /** Those of the bot's figures that are of what is indexed. */
  get figures(): Pick<OpenBotFigures, "indexQueue" | "indexFailures" | "writtenIn"> {
    const { length: indexQueue, failures: indexFailures } = this.queue;
    return { indexQueue, indexFailures, ...this.written.figures };
  }

  /** Finds the language of the newest documents, once nothing else is being read: a caller that asks for progress does not wait for it. */
  async look(): Promise<void> {
    if (!this.isChangingLanguage && this.queue.length === 0) await this.written.look();
  }

  /** What still waits is indexed at the next start. */
  close(): Promise<void> {
    this.written.close();
    return this.queue.close();
  }

  /** A record has become state. */
  onApplied(change: IndexChange): void {
    const { index, vectors } = this.#parts;
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
    // A search may keep the index still: what is put off for it goes by what the state has by then.
    index.still.change(`${kind} ${id}`, () => {
      if (kind === "remove") {
        this.#tidy(index.leave(id));
        vectors.onLeft(id);
      } else if (kind === "amend") this.#amend(id);
      else this.#takeVectors(id);
    });
  }

  /** Whatever becomes of them in memory, they are durable: who wrote them must not do it again. */
  #takeVectors(id: string): void {
    try {
      this.#parts.vectors.onVectors(id);
    } catch (error) {
      const message = `Document ${id} has vectors that cannot be searched: it is found by words.`;
      this.#parts.logger({ level: "error", event: "vectorsNotUsed", message, error });
    }
  }

  /** Metadata is seen by the next search; but a version that still waits is only ever seen whole. */
  #amend(id: string): void {
    const { state, index } = this.#parts;
    const newest = newestVersion(state, id);
    if (newest !== undefined && index.versionOf(id) === newest.version) index.amend(newest.document);
  }

  /** Resolves when nothing is in the index any more that was deleted or replaced before the call. */
  async leaveGone(): Promise<void> {
    const { index, clock } = this.#parts;
    await index.still.whenFree();
    const isIdle = await succeeds(this.queue.whenIdle());
    await new Turns(clock, undefined, index.still).take(this.#leaveReplaced(isIdle));
  }

  /** Takes out, in steps, what has another version by now that could not be indexed, or cannot be for want of memory, and so does not take its place. */
  *#leaveReplaced(isIdle: boolean): Steps<void> {
    const { state, index } = this.#parts;
    for (const { document, version } of [...index.documents]) {
      const { id } = document;
      const isIn = index.versionOf(id) === version;
      const isComing = isIdle && this.queue.has(id);
      if (isIn && newestVersionNumber(state, id) !== version && !isComing) this.#tidy(index.leave(id));
      yield;
    }
  }

  /** Whether a document that is new would find no room: none has been made since one found none. */
  get isFull(): boolean {
    return this.#parts.index.lexical.passageCount >= this.#fullAt;
  }

  /** A single document that is too large for an index of which less than half is taken says nothing about others. */
  #noteFull(): void {
    const { lexical } = this.#parts.index;
    if (!lexical.hasRoomWithoutGone(lexical.passageCount)) this.#fullAt = lexical.passageCount;
  }

  *#indexInSteps(id: string): Steps<void> {
    const { state, index, vectors } = this.#parts;
    const newest = newestVersion(state, id);
    if (newest === undefined) return;
    const { version } = newest;
    const cut = yield* cutInSteps(newest.document);
    const current = (): SearchableDocument | undefined => {
      const now = newestVersion(state, id);
      return now === undefined || now.version === version ? now?.document : newest.document;
    };
    // Passages that are gone take room until they are reclaimed.
    if (!index.hasRoomFor(cut)) {
      if (index.hasRoomWithoutGone(cut)) yield* renumberPassages(index);
      else this.#noteFull();
    }
    const replaced = yield* index.replaceInSteps(newest.document, { version, cut, current, encode: vectors.encode });
    this.#parts.memory?.follow();
    if (replaced === undefined) return;
    this.#tidy(replaced.left);
    // Between two documents, and beside what still waits.
    if (this.written.isDue) void this.written.look();
    const left = vectors.onIndexed(id, cut, replaced.firstVectors);
    if (left !== undefined) this.queue.addChore(left);
  }

  /** Of little that is left nothing is put off. */
  #tidy(left: Steps<void>): void {
    if (!isDoneWithin(TIDYING_MS, left, this.#parts.clock)) this.queue.addChore(this.#tidied(left));
    this.#compactIfDue();
  }

  /** What is gone is counted to the last term only when all is done. */
  *#tidied(left: Steps<void>): Steps<void> {
    yield* left;
    this.#compactIfDue();
  }

  /** Memory follows what is there: between two documents, for what is on its way in has its numbers already. */
  #compactIfDue(): void {
    if (this.#isCompacting || !isMostlyGone(this.#parts.index)) return;
    this.#isCompacting = true;
    this.queue.addChore(this.#compact());
  }

  *#compact(): Steps<void> {
    const { index, logger } = this.#parts;
    try {
      yield* compact(index);
    } catch (error) {
      const message = "The index could not be made smaller: it goes on as it is.";
      logger({ level: "warn", event: "compactionFailed", message, error });
    } finally {
      this.#isCompacting = false;
    }
  }
}

/** What a document leaves behind is done away with at once for so long. */
const TIDYING_MS = 2;
