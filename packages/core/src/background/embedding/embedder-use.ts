import type { Embedder } from "../../embedding/embedder.ts";
import type { EmbeddedQuestion, SharedEmbedder } from "../../embedding/shared-embedder.ts";
import type { CutDocument } from "../../index/embedded-texts.ts";
import { sameSpace } from "../../model/records.ts";
import type { Quality } from "../../model/types.ts";
import { onAbort, unlessAborted } from "../../platform/abort.ts";
import { type Sliced, TimeSlices } from "../../scheduling/time-slices.ts";
import { lacksVectors } from "./missing-vectors.ts";
import type { TokenCodesJob } from "./token-codes-job.ts";
import { VectorUpgrade, type VectorUpgradeDeps } from "./vector-upgrade.ts";
import { StaticVectors, type StaticVectorsDeps, type VectorsInIndex } from "./vectors-in-index.ts";

export interface EmbedderUseDeps
  extends Omit<VectorUpgradeDeps, "embedder" | "newest" | "tokenCodes">,
    StaticVectorsDeps {
  /** Undefined if no token codes are made or kept. */
  readonly tokenCodes: TokenCodesJob | undefined;
  readonly inIndex: VectorsInIndex;
}

/**
 * A bot's use of one embedder, until the bot gets another one or is closed. The embedder is opened by the
 * first question or passage that needs it. After its end a use does nothing more, whatever it still waited for.
 */
export class EmbedderUse {
  readonly shared: SharedEmbedder;
  /** Makes the missing vectors; undefined with a static embedder alone. */
  readonly upgrade: VectorUpgrade | undefined;
  readonly #deps: EmbedderUseDeps;
  readonly #ready: Promise<unknown>;
  readonly #end = new AbortController();
  /** Makes first vectors, of the same space. */
  #staticEmbedder: StaticVectors | undefined;
  #opening: Promise<Embedder | undefined> | undefined;
  /** The embedder, once it is open and the index has its stored vectors. As a rule its token codes are open, too. */
  #opened: Embedder | undefined;

  /** @param ready resolves when no vectors of another embedder are on their way to the log; the stored vectors are read then */
  constructor(shared: SharedEmbedder, deps: EmbedderUseDeps, ready: Promise<unknown>) {
    this.shared = shared;
    this.#deps = deps;
    this.#ready = ready;
    const ofUpgrade = { ...deps, embedder: () => this.open(), newest: deps.indexed };
    this.upgrade = shared.hasEmbedder ? new VectorUpgrade(ofUpgrade) : undefined;
  }

  /**
   * Gives every embedding window a vector, if there is a static embedder, and queues missing vectors of the embedder.
   * @param replaces whether there may be vectors of another embedder, which are made again in the background
   */
  async begin(replaces: boolean): Promise<void> {
    const { inIndex, onUnfinished } = this.#deps;
    await this.#ready;
    const staticEmbedder = await this.shared.staticEmbedder();
    if (this.#hasEnded) return;
    if (staticEmbedder !== undefined) {
      const vectors = new StaticVectors(staticEmbedder, this.#deps);
      this.#staticEmbedder = vectors;
      // The embedder is not open yet: it may need the background similarity.
      await inIndex.fill(vectors.space, vectors, this.shared.hasEmbedder, this.#end.signal);
      if (this.#hasEnded) return;
    }
    if (this.upgrade === undefined) {
      if (!this.shared.isStandIn) onUnfinished(false);
    } else if (replaces) await this.shared.inGoodTime(this.#openIfPossible());
    else await this.#addMissing();
    // An empty bot lacks nothing, whatever its embedder is.
    if (this.#deps.index.documents.count === 0 && !this.#hasEnded) onUnfinished(false);
  }

  /** Resolves when the embedder is open, cannot be opened now, or was replaced. Opens nothing with a static embedder alone. */
  async whenOpened(): Promise<void> {
    if (!this.shared.hasEmbedder) return;
    await unlessAborted(this.#openIfPossible(), this.#end.signal).catch(() => undefined);
  }

  /** Opens the embedder once, and then gives its stored vectors to the index. Undefined if it is unavailable. */
  open(): Promise<Embedder | undefined> {
    this.#opening ??= this.#openAndFill().catch((error: unknown) => {
      // Logged once, even if nobody waits for it.
      const { logger, botId } = this.#deps;
      const message =
        "The vectors of the bot's embedder could not be taken over: they are not used, and no more are made, before the bot is opened again.";
      logger({ level: "error", event: "vectorsNotUsed", message, botId, error });
      throw error;
    });
    return this.#opening;
  }

  /** Undefined also if the stored vectors could not be taken over: that was logged. */
  #openIfPossible(): Promise<Embedder | undefined> {
    return this.open().catch(() => undefined);
  }

  /** The question's vector, as {@link BotVectors.embedQuestion} promises it. */
  embedQuestion(text: string, quality: Quality): Promise<EmbeddedQuestion | undefined> {
    const { shared } = this;
    const quick = quality === "fast" || !shared.hasEmbedder ? shared.embedByStatic(text) : undefined;
    if (quick !== undefined) return Promise.resolve(quick);
    const best =
      this.#opened !== undefined
        ? shared.embedQuestion(text)
        : shared
            .inGoodTime(this.#openIfPossible())
            .then((opened) => ((opened ?? this.#opened) === undefined ? undefined : shared.embedQuestion(text)));
    return best.then((embedded) => embedded ?? shared.embedByStatic(text));
  }

  /** Notes that searches see another version of a document now, cut like this. Returns the remaining work. */
  onIndexed(id: string, cut: CutDocument): Sliced<void> | undefined {
    const { shared, upgrade } = this;
    if ((upgrade !== undefined || shared.isStandIn) && lacksVectors(this.#deps.indexed(id))) {
      if (upgrade !== undefined) upgrade.add(id);
      // An engine that has the embedder takes it up.
      else this.#deps.onUnfinished(true);
    } else this.addForTokenCodes(id);
    return this.#staticEmbedder?.give(id, cut);
  }

  /** Queues a document that has its vectors, if it lacks token codes. */
  addForTokenCodes(id: string): void {
    const { tokenCodes, indexed } = this.#deps;
    const newest = tokenCodes && indexed(id);
    if (newest && tokenCodes.gap(id, newest.version, newest.windows)) this.upgrade?.add(id, "lacksTokenCodes");
  }

  /** Makes the vector of a text by the static embedder; undefined if there is none. */
  get encode(): ((text: string) => Int8Array | undefined) | undefined {
    return this.#hasEnded ? undefined : this.#staticEmbedder?.encode;
  }

  /** Resolves when every embedding window has its vector, or will get none for now. */
  async whenUpgraded(): Promise<void> {
    if (this.upgrade === undefined) return;
    if ((await this.open()) === undefined) {
      // A caller waits: the next try is made now, before it is due.
      await this.shared.inGoodTime(this.shared.tryAgain());
      await this.open();
    }
    await this.upgrade.whenIdle();
  }

  /** Makes missing vectors. Resolves with true if no more can be made, or with false if the embedder is not available yet. */
  async workOff(): Promise<boolean> {
    if (this.upgrade === undefined) return true;
    if ((await this.shared.inGoodTime(this.open())) === undefined) return false;
    await this.upgrade.whenIdleOrResting();
    return this.upgrade.documents.vectorsMissing === 0 || this.upgrade.hasStopped;
  }

  /** Ends the use. Resolves when none of its work is running any more. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.upgrade?.close();
  }

  get #hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  async #openAndFill(): Promise<Embedder | undefined> {
    const { index, inIndex, onUnfinished } = this.#deps;
    const embedder = await this.shared.get();
    await this.#ready;
    if (this.#hasEnded) return undefined;
    if (embedder === undefined) return this.#openLater();
    const { id, version, dimensions } = embedder;
    const space = { id, version, dimensions };
    if (this.#staticEmbedder !== undefined && !sameSpace(this.#staticEmbedder.space, space))
      this.#dropStatic(this.#staticEmbedder, version);
    if (index.windowVectors.space === undefined) {
      await inIndex.fill(space, this.#staticEmbedder, embedder.calibrate === undefined, this.#end.signal);
      if (this.#hasEnded) return undefined;
    }
    // A purge of a large bot takes long; questions need not wait for it.
    if (this.#deps.tokenCodes?.isPurging === true) this.#opened = embedder;
    await this.#deps.tokenCodes?.open(embedder);
    if (this.#hasEnded) return undefined;
    await this.#addMissing(embedder);
    if (this.#hasEnded) return undefined;
    if (this.upgrade?.documents.vectorsMissing === 0) onUnfinished(false);
    this.#opened = embedder;
    return embedder;
  }

  /** Opens the embedder as soon as it becomes available. A use that has ended stops waiting: otherwise all of it would stay in memory. */
  #openLater(): undefined {
    const forget = this.shared.onOpened(() => {
      if (this.#hasEnded) return;
      this.#opening = undefined;
      void this.#openIfPossible();
    });
    onAbort(this.#end.signal, forget);
  }

  #dropStatic({ space }: StaticVectors, version: string): void {
    const { index, logger, botId } = this.#deps;
    const message = `Its static embedder makes vectors for version ${space.version} of it, and not for ${version}: it is not used.`;
    logger({ level: "warn", event: "staticOfAnother", message, botId });
    this.#staticEmbedder = undefined;
    index.windowVectors.use();
  }

  async #addMissing(embedder?: Embedder): Promise<void> {
    await new TimeSlices(this.#deps.clock).run(this.#addEach(embedder), () => !this.#hasEnded);
  }

  *#addEach(embedder: Embedder | undefined): Sliced<void> {
    const { index, indexed } = this.#deps;
    for (const { document } of index.documents) {
      if (lacksVectors(indexed(document.id), embedder)) this.upgrade?.add(document.id);
      else this.addForTokenCodes(document.id);
      yield;
    }
  }
}
