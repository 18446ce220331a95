import { setImmediate } from "node:timers/promises";
import { sameSpace, type VectorSpace } from "../domain/records.ts";
import type { Quality, SearchableDocument, VectorStats } from "../domain/types.ts";
import type { Embedder, StudentEncoder } from "../embedding/embedder.ts";
import type { EmbeddedQuestion, SharedEmbedder } from "../embedding/shared-embedder.ts";
import { type CutDocument, EMBEDDED_TEXTS_VERSION, embeddedTexts } from "../query/embedded-texts.ts";
import type { SavedVectors } from "../query/first-vectors.ts";
import type { SearchIndex } from "../query/search-index.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log-event.ts";
import type { BotState } from "../state/state.ts";
import { encodeVector } from "../vector/codes.ts";
import type { HnswLibrary } from "../vector/hnsw-index.ts";
import { PassageVectors } from "../vector/passage-vectors.ts";
import { GraphUpkeep, type GraphUpkeepParts } from "./graph-upkeep.ts";
import { type IndexedVersion, isUsable, type VectorsRecord, VectorUpgrade } from "./vector-upgrade.ts";

/** What the vectors of a bot need of the world. */
export interface VectorSurroundings {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The graph library, or why it is not there: the exact scan serves then. */
  readonly graphs: () => Promise<HnswLibrary | { readonly unavailable: string }>;
  /** Vectors from which on a graph is built. */
  readonly graphVectorsMin: number;
  /** Whether vectors are made without anybody waiting for them. */
  readonly background: boolean;
}

export interface BotVectorsParts extends VectorSurroundings, Pick<GraphUpkeepParts, "cache"> {
  readonly botId: string;
  readonly state: BotState;
  readonly index: SearchIndex;
  /** The student's vectors that the last snapshot had. */
  readonly saved: ReadonlyMap<string, SavedVectors>;
  /** A document as the state has it now. */
  readonly newest: (id: string) => { readonly version: number; readonly document: SearchableDocument } | undefined;
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  readonly onUnfinished: (unfinished: boolean) => void;
}

/** The student works this long before others get their turn. */
const FILL_SLICE_MS = 8;

/**
 * The vectors of one bot: which embedder makes them, where those of the state go in the index, and the upgrade that makes what
 * is missing. The embedder is opened by the first question or the first passage that needs it.
 */
export class BotVectors {
  readonly #parts: Omit<BotVectorsParts, "saved">;
  /** Until the index has got them: they hold a piece of the snapshot in memory. */
  #saved: ReadonlyMap<string, SavedVectors>;
  #embedder: SharedEmbedder | undefined;
  /** Its student, if it makes vectors of the same space. */
  #student: StudentEncoder | undefined;
  #upgrade: VectorUpgrade | undefined;
  #opening: Promise<Embedder | undefined> | undefined;
  /** Whether {@link #opening} has been fulfilled. */
  #isOpen = false;
  readonly #graph: GraphUpkeep;
  /** Why there is no graph library; undefined if there is one, or nobody has asked. */
  #graphUnavailable: string | undefined;
  #isClosed = false;
  /** Waits no longer for an embedder that was not to be had, which would keep all of this in memory. */
  #forgetOpening: () => void = () => undefined;

  constructor({ saved, ...parts }: BotVectorsParts) {
    this.#parts = parts;
    this.#graph = new GraphUpkeep(parts);
    this.#saved = saved;
  }

  /**
   * The bot's embedder from now on; undefined for none. Vectors of another one are made anew, in the background. Where it has a
   * student, everything has a vector when this resolves.
   */
  async use(embedder: SharedEmbedder | undefined): Promise<void> {
    const before = this.#upgrade;
    this.#embedder = embedder;
    this.#student = undefined;
    this.#opening = undefined;
    this.#isOpen = false;
    this.#forgetOpening();
    this.#upgrade = embedder?.hasEmbedder === true ? this.#newUpgrade(embedder) : undefined;
    this.#parts.index.partVectors.use();
    await before?.close();
    const student = await embedder?.student();
    if (this.#embedder !== embedder || this.#isClosed) return;
    if (embedder !== undefined && student !== undefined) await this.#useStudent(embedder, student);
    this.#saved = new Map();
    if (embedder === undefined || this.#upgrade === undefined) this.#parts.onUnfinished(false);
    else if (before === undefined) this.#addMissing(undefined);
    else await embedder.inGoodTime(this.#open(embedder));
  }

  /**
   * The question's vector: by the embedder for the best quality, by its student for the fast one, or where the embedder
   * gives none in time; undefined if the question is to be answered by words. Never rejects. The encoder has the question when this
   * returns, unless it is still to be opened: whoever called can do something else meanwhile.
   */
  embedQuestion(text: string, quality: Quality): Promise<EmbeddedQuestion | undefined> {
    const embedder = this.#embedder;
    const { state, index } = this.#parts;
    const hasVectors = (index.partVectors.rows?.count ?? 0) > 0 || state.vectors.size > 0;
    if (embedder === undefined || !hasVectors) return Promise.resolve(undefined);
    const quick = quality === "fast" || !embedder.hasEmbedder ? embedder.embedByStudent(text) : undefined;
    if (quick !== undefined) return Promise.resolve(quick);
    const best = this.#isOpen
      ? embedder.embedQuestion(text)
      : embedder
          .inGoodTime(this.#open(embedder))
          .then((opened) => (opened === undefined ? undefined : embedder.embedQuestion(text)));
    return best.then((embedded) => embedded ?? embedder.embedByStudent(text));
  }

  /** Searches see this version of the document now, which was cut like this for them. */
  onIndexed(id: string, cut: CutDocument): void {
    this.onVectors(id);
    this.#giveFirst(id, cut);
    if (this.#upgrade !== undefined && this.#lacksVectors(id, undefined)) this.#upgrade.add(id);
  }

  /** The state has more vectors of this document. */
  onVectors(id: string): void {
    const { state, index } = this.#parts;
    const stored = state.vectors.get(id);
    if (stored === undefined || index.versionOf(id) !== stored.version || index.partVectors.space === undefined) return;
    if (!isUsable(stored, index.partVectors.space)) return;
    const lackedGraph = this.#lacksGraph();
    const count = index.partVectors.set(id, stored.codes);
    if (!lackedGraph && this.#lacksGraph()) this.#tellOfScan();
    this.#graph.add(count);
  }

  onRemoved(id: string): void {
    this.#upgrade?.remove(id);
  }

  /** Resolves when every passage has its vector, or will get none before the next start. */
  async whenUpgraded(): Promise<void> {
    if (this.#embedder === undefined) return;
    if (this.#embedder.hasEmbedder) await this.#open(this.#embedder);
    await this.#upgrade?.whenIdle();
    await this.#graph.settled();
  }

  stats(): VectorStats {
    const { state, index } = this.#parts;
    const upgrade = this.#upgrade;
    const { unavailable } = this.#embedder ?? {};
    const { lastFailure } = upgrade ?? {};
    const there = index.partVectors.rows?.count ?? 0;
    // Without an embedder or with a student for one: what is there is all that will be.
    const isAlone = this.#embedder?.hasEmbedder !== true;
    return {
      embedder: this.#embedder?.name ?? "none",
      texts: index.parts.count,
      vectors: isAlone ? there : index.partVectors.rows === undefined ? storedCount(state) : index.partVectors.ownCount,
      studentVectors: isAlone ? 0 : there - index.partVectors.ownCount,
      documentsWaiting: upgrade?.length ?? 0,
      documentsGivenUp: upgrade?.givenUp ?? 0,
      failures: upgrade?.failures ?? 0,
      ...(lastFailure === undefined ? {} : { lastFailure }),
      ...(unavailable === undefined ? {} : { unavailable }),
      graph: this.#lacksGraph() ? "unavailable" : (index.partVectors.rows?.graph ?? "none"),
    };
  }

  /** Stops; what is missing is made after the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#forgetOpening();
    await this.#upgrade?.close();
    await this.#graph.close();
  }

  /** Lets go of the vectors, which the last snapshot still wanted. */
  release(): void {
    this.#parts.index.partVectors.use();
  }

  /** Opens the embedder once, and then gives the index what the state has of its vectors. */
  #open(shared: SharedEmbedder): Promise<Embedder | undefined> {
    this.#opening ??= this.#openAndFill(shared);
    return this.#opening;
  }

  async #openAndFill(shared: SharedEmbedder): Promise<Embedder | undefined> {
    const embedder = await shared.get();
    if (this.#embedder !== shared || this.#isClosed) return undefined;
    if (embedder === undefined) {
      this.#forgetOpening();
      this.#forgetOpening = shared.onOpened(() => void this.#openLate(shared));
      return undefined;
    }
    const { id, version, dimensions } = embedder;
    const space = { id, version, dimensions };
    if (this.#student !== undefined && !sameSpace(this.#student.space, space)) {
      const message = `Its student makes vectors for version ${this.#student.space.version} of it, and not for ${version}: it is not used.`;
      this.#parts.logger({ level: "warn", event: "studentOfAnother", message, botId: this.#parts.botId });
      this.#student = undefined;
      this.#parts.index.partVectors.use();
    }
    if (this.#parts.index.partVectors.space === undefined) await this.#fill(shared, space);
    if (this.#embedder !== shared || this.#isClosed) return undefined;
    this.#addMissing(embedder);
    if (this.#upgrade?.length === 0) this.#parts.onUnfinished(false);
    this.#isOpen = true;
    return embedder;
  }

  async #useStudent(shared: SharedEmbedder, student: StudentEncoder): Promise<void> {
    this.#student = student;
    await this.#fill(shared, student.space);
  }

  /** Gives the index the vectors of this space that the state has; the student makes those that are missing. */
  async #fill(shared: SharedEmbedder, space: VectorSpace): Promise<void> {
    const { index, graphs, graphVectorsMin, clock, state } = this.#parts;
    const library = await graphs();
    if (this.#embedder !== shared || this.#isClosed) return;
    const isThere = !("unavailable" in library);
    const vectors = new PassageVectors(space.dimensions, isThere ? { hnsw: library, graphVectorsMin } : {});
    if (!isThere) this.#graphUnavailable = library.unavailable;
    index.partVectors.use(space, vectors, this.#firstBy());
    this.#graph.hold();
    for (const document of state.vectors.keys()) this.onVectors(document);
    let end = clock.monotonicMs() + FILL_SLICE_MS;
    for (const { document } of [...index.documents]) {
      this.#giveFirst(document.id);
      if (clock.monotonicMs() < end) continue;
      await setImmediate();
      if (index.partVectors.rows !== vectors || this.#isClosed) return;
      end = clock.monotonicMs() + FILL_SLICE_MS;
    }
    await this.#graph.load(vectors);
  }

  /** What has no vector of a document gets the student's. */
  #giveFirst(id: string, cut?: CutDocument): void {
    const { index, newest } = this.#parts;
    const student = this.#student;
    if (student === undefined || !index.partVectors.areMissing(id)) return;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return;
    const saved = this.#savedOf(id, found.version);
    let texts: readonly string[] | undefined;
    const count = index.partVectors.setFirst(id, (part) => {
      const codes = saved?.(part);
      if (codes !== undefined) return codes;
      texts ??= embeddedTexts(found.document, cut);
      return encodeVector(student.embed(texts[part] ?? ""));
    });
    this.#graph.add(count);
  }

  /** The codes of a part that a snapshot had, if this student made them of this version's texts. */
  #savedOf(id: string, version: number): ((part: number) => Int8Array | undefined) | undefined {
    const saved = this.#saved.get(id);
    const { index } = this.#parts;
    const dimensions = index.partVectors.space?.dimensions ?? 0;
    if (saved === undefined || saved.version !== version || saved.by !== this.#firstBy()) return undefined;
    const { first, codes } = saved;
    if (codes.length !== (index.partsOf(id) - first) * dimensions) return undefined;
    return (part) =>
      part < first ? undefined : codes.subarray((part - first) * dimensions, (part - first + 1) * dimensions);
  }

  /** Names the student and the texts that it reads; undefined if there is none. */
  #firstBy(): string | undefined {
    if (this.#student === undefined) return undefined;
    const { id, version, space } = this.#student;
    return JSON.stringify([id, version, space.id, space.version, space.dimensions, EMBEDDED_TEXTS_VERSION]);
  }

  /** The embedder was not to be had, and now it is. */
  async #openLate(shared: SharedEmbedder): Promise<void> {
    if (this.#embedder !== shared || this.#isClosed) return;
    this.#opening = undefined;
    await this.#open(shared);
  }

  #addMissing(embedder: Embedder | undefined): void {
    for (const { document } of this.#parts.index.documents) {
      if (this.#lacksVectors(document.id, embedder)) this.#upgrade?.add(document.id);
    }
  }

  /** Whether vectors are missing; while the embedder is not known, those of any count. */
  #lacksVectors(id: string, embedder: Embedder | undefined): boolean {
    const newest = this.#newestIndexed(id);
    if (newest === undefined || newest.parts === 0) return false;
    const { vectors } = newest;
    if (vectors === undefined || vectors.codes.length < newest.parts * vectors.space.dimensions) return true;
    return embedder === undefined ? vectors.texts !== EMBEDDED_TEXTS_VERSION : !isUsable(vectors, embedder);
  }

  #newestIndexed(id: string): IndexedVersion | undefined {
    const { state, index, newest } = this.#parts;
    const found = newest(id);
    if (found === undefined || index.versionOf(id) !== found.version) return undefined;
    return { ...found, parts: index.partsOf(id), vectors: state.vectors.get(id) };
  }

  #newUpgrade(embedder: SharedEmbedder): VectorUpgrade {
    const { append, sleep, onUnfinished, logger, botId, background } = this.#parts;
    return new VectorUpgrade({
      embedder: () => this.#open(embedder),
      newest: (id) => this.#newestIndexed(id),
      append,
      sleep,
      onUnfinished,
      logger,
      botId,
      background,
    });
  }

  /** Whether a graph would be faster, and cannot be had. */
  #lacksGraph(): boolean {
    const vectors = this.#parts.index.partVectors.rows;
    return this.#graphUnavailable !== undefined && (vectors?.count ?? 0) >= this.#parts.graphVectorsMin;
  }

  #tellOfScan(): void {
    const { logger, botId } = this.#parts;
    const message = `This bot is large enough for a graph, but is searched by exact scan. ${this.#graphUnavailable}`;
    logger({ level: "info", event: "graphUnavailable", message, botId });
  }
}

/** Vectors that the state has for texts as they are made now, of whatever space. */
function storedCount(state: BotState): number {
  let count = 0;
  for (const { codes, space, texts } of state.vectors.values()) {
    if (texts === EMBEDDED_TEXTS_VERSION) count += codes.length / space.dimensions;
  }
  return count;
}
