import type { Embedder } from "../../embedding/embedder.ts";
import type { EmbeddedQuestion, SharedEmbedder } from "../../embedding/shared-embedder.ts";
import type { CutDocument } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import { sameSpace } from "../../model/records.ts";
import type { Quality } from "../../model/types.ts";
import { onAbort, unlessAborted } from "../../platform/abort.ts";
import type { Clock } from "../../platform/clock.ts";
import { type Sliced, TimeSlices } from "../../scheduling/time-slices.ts";
import type { GraphBuilder } from "../graph-builder.ts";
import type { MissingVectors, NewestDocument } from "./missing-vectors.ts";
import { NOTHING_SAVED, type SavedByDocument, StaticVectors } from "./static-vectors.ts";
import type { TokenCodesJob } from "./token-codes-job.ts";
import { VectorUpgrade, type VectorUpgradeDeps } from "./vector-upgrade.ts";
import type { FirstVectors, VectorsInIndex } from "./vectors-in-index.ts";

export interface EmbedderUseDeps extends Omit<VectorUpgradeDeps, "embedder" | "newest" | "signs"> {
  /** Undefined where none are made or kept. */
  readonly tokenCodes: TokenCodesJob | undefined;
  readonly index: SearchIndex;
  readonly newest: NewestDocument;
  readonly clock: Clock;
  readonly graph: GraphBuilder;
  readonly missing: MissingVectors;
  readonly inIndex: VectorsInIndex;
}

/**
 * A bot's use of one embedder, from the choice of it to the choice of another or to the closing of the bot. The embedder is opened by the
 * first question or the first passage that needs it. Once the use has ended it does nothing any more, whatever it still waited for.
 */
export class EmbedderUse {
  readonly shared: SharedEmbedder;
  /** What makes the missing vectors; undefined where there is a static embedder alone. */
  readonly upgrade: VectorUpgrade | undefined;
  readonly #deps: EmbedderUseDeps;
  readonly #ready: Promise<unknown>;
  readonly #end = new AbortController();
  /** Makes vectors of the same space. */
  #staticEmbedder: StaticVectors | undefined;
  /** Only while the index is filled with the static embedder's: they hold a piece of the snapshot in memory. */
  #saved = NOTHING_SAVED;
  #opening: Promise<Embedder | undefined> | undefined;
  /** As soon as it is open and the index has what the state has of its vectors; as a rule its token codes are open as well. */
  #opened: Embedder | undefined;

  /** @param ready resolves when nothing of another embedder is on its way to the log any more: what the state has is looked at then */
  constructor(shared: SharedEmbedder, deps: EmbedderUseDeps, ready: Promise<unknown>) {
    this.shared = shared;
    this.#deps = deps;
    this.#ready = ready;
    const embedder = (): Promise<Embedder | undefined> => this.open();
    const newest = (id: string) => deps.missing.newestIndexed(id);
    this.upgrade = shared.hasEmbedder ? new VectorUpgrade({ ...deps, embedder, newest }) : undefined;
  }

  /**
   * Where there is a static embedder, everything has a vector when this resolves. Vectors of another embedder are made anew, in the background:
   * `replaces` says that there may be such.
   */
  async begin(saved: SavedByDocument, replaces: boolean): Promise<void> {
    const { index, newest, clock, graph, inIndex, onUnfinished } = this.#deps;
    await this.#ready;
    const staticEmbedder = await this.shared.staticEmbedder();
    if (this.#hasEnded) return;
    if (staticEmbedder !== undefined) {
      this.#staticEmbedder = new StaticVectors(staticEmbedder, { index, newest, clock, graph });
      this.#saved = saved;
      // The embedder is not open yet: it may need the level.
      await inIndex.fill(staticEmbedder.space, this.#first, this.shared.hasEmbedder, this.#end.signal);
      this.#saved = NOTHING_SAVED;
      if (this.#hasEnded) return;
    }
    if (this.upgrade === undefined) {
      if (!this.shared.isStandIn) onUnfinished(false);
    } else if (replaces) await this.shared.inGoodTime(this.#openIfPossible());
    else await this.#addMissing();
  }

  /** Resolves when it is open or cannot be now, or another has taken its place. Nothing is opened where there is a static embedder alone. */
  async whenOpened(): Promise<void> {
    if (!this.shared.hasEmbedder) return;
    const { signal } = this.#end;
    await unlessAborted(this.#openIfPossible(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }

  /** Opens the embedder once, and then gives the index what the state has of its vectors. Undefined where it is not to be had. */
  open(): Promise<Embedder | undefined> {
    this.#opening ??= this.#openAndTell();
    return this.#opening;
  }

  /** Undefined also where what the state has could not be taken over: that has been said. */
  #openIfPossible(): Promise<Embedder | undefined> {
    return this.open().catch(() => undefined);
  }

  /** What goes wrong is said once, whoever waits for it: also where nobody does. */
  async #openAndTell(): Promise<Embedder | undefined> {
    try {
      return await this.#openAndFill();
    } catch (error) {
      const { logger, botId } = this.#deps;
      const message =
        "The vectors of the bot's embedder could not be taken over: they are not used before the next start.";
      logger({ level: "error", event: "vectorsNotUsed", message, botId, error });
      throw error;
    }
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

  /** Searches see another version of a document now, which was cut like this for them. Returns what is left to be done. */
  onIndexed(id: string, cut: CutDocument): Sliced<void> | undefined {
    const { shared, upgrade } = this;
    if ((upgrade !== undefined || shared.isStandIn) && this.#deps.missing.lacks(id)) {
      if (upgrade !== undefined) upgrade.add(id);
      // Whoever has the embedder takes it up.
      else this.#deps.onUnfinished(true);
    } else this.addForTokenCodes(id);
    return this.#staticEmbedder?.give(id, { cut });
  }

  /** A document whose vectors are there, and whose token codes may be missing. */
  addForTokenCodes(id: string): void {
    const { tokenCodes, missing } = this.#deps;
    const newest = tokenCodes === undefined ? undefined : missing.newestIndexed(id);
    if (newest === undefined || tokenCodes?.gap(id, newest.version, newest.windows) === undefined) return;
    this.upgrade?.addForTokenCodes(id);
  }

  /** Makes the vector of a text by the static embedder; undefined where there is none. */
  get encode(): ((text: string) => Int8Array | undefined) | undefined {
    return this.#hasEnded ? undefined : this.#staticEmbedder?.encode;
  }

  /** Resolves when every passage has its vector, or will get none for now. */
  async whenUpgraded(): Promise<void> {
    if (this.upgrade === undefined) return;
    if ((await this.open()) === undefined) {
      // Somebody waits: it is not left until its next try is due.
      await this.shared.inGoodTime(this.shared.tryAgain());
      await this.open();
    }
    await this.upgrade.whenIdle();
  }

  /** Resolves with whether nothing is left that can be made, or with false when it has to wait for the embedder. */
  async workOff(): Promise<boolean> {
    if (this.upgrade === undefined) return true;
    if ((await this.shared.inGoodTime(this.open())) === undefined) return false;
    await this.upgrade.whenIdleOrResting();
    return this.upgrade.length === 0 || this.upgrade.hasStopped;
  }

  /** Resolves when nothing of it is under way any more. */
  async end(): Promise<void> {
    this.#end.abort();
    await this.upgrade?.close();
  }

  get #hasEnded(): boolean {
    return this.#end.signal.aborted;
  }

  /** Who makes vectors of what has none, and which of them need not be made. */
  get #first(): FirstVectors {
    return { staticEmbedder: this.#staticEmbedder, saved: this.#saved };
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
      await inIndex.fill(space, this.#first, embedder.calibrate === undefined, this.#end.signal);
      if (this.#hasEnded) return undefined;
    }
    // A purge of a large bot takes long: questions need not wait for it.
    if (this.#deps.tokenCodes?.isPurging === true) this.#opened = embedder;
    await this.#deps.tokenCodes?.open(embedder);
    if (this.#hasEnded) return undefined;
    await this.#addMissing(embedder);
    if (this.#hasEnded) return undefined;
    if (this.upgrade?.length === 0) onUnfinished(false);
    this.#opened = embedder;
    return embedder;
  }

  /** It was not to be had: it is opened as soon as it is. What has ended waits no longer, which would keep all of it in memory. */
  #openLater(): undefined {
    const forget = this.shared.onOpened(() => {
      if (this.#hasEnded) return;
      this.#opening = this.#openAndTell();
      // Nobody may be waiting for it.
      this.#opening.catch(() => undefined);
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
    const { missing, clock } = this.#deps;
    const steps = missing.each(
      (id) => this.upgrade?.add(id),
      (id) => this.addForTokenCodes(id),
      embedder,
    );
    await new TimeSlices(clock).take(steps, () => !this.#hasEnded);
  }
}
