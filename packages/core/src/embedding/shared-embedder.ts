import { reasonOf } from "../model/errors.ts";
import { foundBy, type Instead, type Missing } from "../model/missing.ts";
import {
  EMBEDDER_OPENING_MS_MAX,
  EMBEDDING_RETRY_MS_MAX,
  EMBEDDING_RETRY_MS_MIN,
  ONE_QUESTION_MS_MAX,
} from "../model/options.ts";
import { sameSpace, type VectorSpace } from "../model/records.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import { unlessAborted } from "../platform/abort.ts";
import { withinMs } from "../platform/deadline.ts";
import type { Logger } from "../platform/log-event.ts";
import { CarefulStaticEmbedder } from "./careful-static.ts";
import type { Embedder, EmbedderOffer } from "./embedder.ts";
import { closeUnusable, requireUsable } from "./embedder-checks.ts";
import { EmbedderError } from "./embedder-error.ts";
import { askedTokens, encodeQuestion } from "./encode-question.ts";
import { type EncodedQuestion, QuestionVectors } from "./question-vectors.ts";
import type { AskedTokens } from "./token-codes.ts";
import { missingFor } from "./try-embedder.ts";

/** A question's vector, and what its cosines are worth. */
export interface EmbeddedQuestion {
  /** Its space, with the weight for passages that the embedder itself has made vectors of. */
  readonly embedder: VectorSpace & Pick<Embedder, "weight" | "calibrate" | "bias">;
  readonly vector: Float32Array;
  /** The question's tokens, where the embedder gives those. */
  readonly tokens?: AskedTokens;
  /** The weight for passages that have only the static embedder's vectors; by default the same. */
  readonly firstWeight?: number;
  /** The static embedder's vector of a short text, in the same space, if it has one: tells apart what has one vector together. */
  readonly embedShort?: (text: string) => Float32Array | undefined;
  /** The same question by the static embedder, in the same space, if it reads it: nearer to passages that have only the static embedder's vectors. */
  readonly byStatic?: () => EmbeddedQuestion | undefined;
}

const STATIC_ALONE = new EmbedderError("EMBEDDER_UNAVAILABLE", "it is not part of this program", {
  mend: "use the Engine of the package loredex, which has it (npm install loredex)",
});

/** Resolves after that many milliseconds, or when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface Patience {
  /** Whether a question rather waits for its vector, for {@link ONE_QUESTION_MS_MAX}, than be answered by words. Default false. */
  readonly isPatient?: boolean;
}

/**
 * One embedder for all bots that have chosen it: opened when the first of them needs it, and tried again, less and less often, if that
 * fails. What it cannot do is said once, and its bots are found without it meanwhile.
 */
export class SharedEmbedder {
  readonly name: string;
  /** Whether the vectors that are missing are left to be made by another program. */
  readonly isStandIn: boolean;
  readonly #isPatient: boolean;
  readonly #offer: EmbedderOffer;
  readonly #logger: Logger;
  readonly #sleep: Sleep;
  /** The first try. */
  #opening: Promise<Embedder | undefined> | undefined;
  /** All later ones. */
  #openingAgain: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** Ends the time between two tries. */
  #nap = new AbortController();
  /** Told when a try has come to its end. */
  #onTried: (() => void)[] = [];
  #openingStatic: Promise<CarefulStaticEmbedder | undefined> | undefined;
  #staticEmbedder: CarefulStaticEmbedder | undefined;
  #hasNoStatic: boolean;
  /** As soon as it is open. */
  #embedder: Embedder | undefined;
  /** A look that is under way. */
  #looking: Promise<void> | undefined;
  /** Whether a look has found it: what more there is to know, opening it tells. */
  #isFound = false;
  /** What the last try, or the last look before any, has failed for. */
  #problem: unknown;
  /** Whether it has been said that it is missing, and nothing else since. */
  #isTold = false;
  /** Whether the last question got no vector. */
  #failing = false;
  readonly #waiting = new Set<() => void>();
  readonly #asked = new QuestionVectors();

  /** @param standsIn the offer is the static embedder of an embedder that another program has: it does what it can, and finishes nothing */
  constructor(
    name: string,
    offer: EmbedderOffer,
    logger: Logger,
    sleep: Sleep,
    { standsIn = false, isPatient = false }: Patience & { readonly standsIn?: boolean } = {},
  ) {
    this.name = name;
    this.#isPatient = isPatient;
    this.isStandIn = standsIn;
    if (standsIn) this.#problem = STATIC_ALONE;
    this.#offer = offer;
    this.#logger = logger;
    this.#sleep = sleep;
    this.#hasNoStatic = offer.static === undefined;
  }

  /** Why it cannot be used here; undefined if it can, or nobody has needed it or looked. */
  get missing(): Missing | undefined {
    if (this.#problem === undefined) return undefined;
    return missingFor(this.name, this.#problem, this.#instead);
  }

  /** Who finds passages and reads questions where it does not. */
  get #instead(): Exclude<Instead, "scan"> {
    return this.#hasNoStatic ? "words" : "static";
  }

  /**
   * The same after a look whether it can be had, unless it has been found by one, opened or tried: what is missing is said before anything needs it.
   * Never rejects, and opens nothing.
   */
  async look(): Promise<Missing | undefined> {
    if (this.#opening === undefined) {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = undefined;
      });
      await this.#looking;
    } else if (this.#openingAgain !== undefined && this.#embedder === undefined) await this.#lookAgain();
    return this.missing;
  }

  /** Tries again now to open what could not be opened: it may have been installed meanwhile. Resolves when the try has ended. */
  async tryAgain(): Promise<void> {
    if (this.#openingAgain === undefined || this.#embedder !== undefined || this.#closing.signal.aborted) return;
    const tried = new Promise<void>((resolve) => this.#onTried.push(resolve));
    this.#nap.abort();
    await tried;
  }

  /** How many questions had a vector from before. */
  get questionFigures(): QuestionVectorFigures {
    return this.#asked.figures;
  }

  /** Whether there is more than a static embedder. */
  get hasEmbedder(): boolean {
    return this.#offer.open !== undefined;
  }

  /** The open embedder; undefined while it is not to be had. Never rejects, and waits for the first try only. */
  get(): Promise<Embedder | undefined> {
    if (this.#embedder !== undefined) return Promise.resolve(this.#embedder);
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Calls back when it is open, be it after many tries. Returns what takes the callback away again: it may never be called. */
  onOpened(callback: () => void): () => void {
    if (this.#embedder !== undefined) queueMicrotask(callback);
    else this.#waiting.add(callback);
    return () => {
      this.#waiting.delete(callback);
    };
  }

  /** Its static embedder; undefined where it has none, or none that can be opened. Never rejects. */
  staticEmbedder(): Promise<CarefulStaticEmbedder | undefined> {
    this.#openingStatic ??= this.#openStatic();
    return this.#openingStatic;
  }

  /** The static embedder that is open; undefined where the open embedder makes vectors of another space, with which its own say nothing. */
  get #fittingStatic(): CarefulStaticEmbedder | undefined {
    const [staticEmbedder, embedder] = [this.#staticEmbedder, this.#embedder];
    if (staticEmbedder === undefined || embedder === undefined) return staticEmbedder;
    return sameSpace(staticEmbedder.space, embedder) ? staticEmbedder : undefined;
  }

  /** The question's vector by the static embedder, in this thread; undefined if there is none that is open, or it has none. */
  embedByStatic(text: string): EmbeddedQuestion | undefined {
    const staticEmbedder = this.#fittingStatic;
    const vector = staticEmbedder?.knows(text) === true ? staticEmbedder.embed(text) : undefined;
    if (staticEmbedder === undefined || vector === undefined) return undefined;
    const { space, weight, mixedWeight } = staticEmbedder;
    const calibrate = (cosine: number): number => staticEmbedder.calibrate(cosine);
    const embedder = { ...space, weight: mixedWeight, calibrate };
    return { embedder, vector, firstWeight: weight, embedShort: byStatic(staticEmbedder) };
  }

  /** Undefined if there is none in good time: the question is then answered by its words. Never rejects. */
  async embedQuestion(text: string): Promise<EmbeddedQuestion | undefined> {
    // Nothing is awaited before the embedder has the question.
    const embedder = this.#embedder ?? (await this.inGoodTime(this.get()));
    if (embedder === undefined) return undefined;
    try {
      const encoded = this.#asked.find(text, embedder) ?? (await this.#readOnce(text, embedder));
      if (encoded.isUnknown === true) return undefined;
      const { vector } = encoded;
      const tokens = askedTokens(embedder, encoded);
      const staticEmbedder = this.#fittingStatic;
      if (staticEmbedder === undefined) return { embedder, vector, ...tokens };
      const again = () => this.embedByStatic(text);
      return {
        embedder,
        vector,
        ...tokens,
        firstWeight: staticEmbedder.mixedWeight,
        embedShort: byStatic(staticEmbedder),
        byStatic: again,
      };
    } catch (error) {
      if (!this.#failing) {
        const message = `Questions are answered ${foundBy(this.#instead)} until it reads them again. ${reasonOf(error)}`;
        this.#say("warn", "questionsByWords", message);
      }
      this.#failing = true;
      return undefined;
    }
  }

  #readOnce(text: string, embedder: Embedder): Promise<EncodedQuestion> {
    return this.#asked.make(text, embedder, () => this.#read(text, embedder));
  }

  async #read(text: string, embedder: Embedder): Promise<EncodedQuestion> {
    const { questionMsMax } = embedder.cost;
    const msMax = this.#isPatient ? Math.max(questionMsMax, ONE_QUESTION_MS_MAX) : questionMsMax;
    const encoded = await withinMs(msMax, (signal) => unlessAborted(encodeQuestion(embedder, text, signal), signal));
    if (this.#failing) this.#say("info", "questionsEmbedded", "Questions are understood again.");
    this.#failing = false;
    return encoded;
  }

  /** What a question may wait for while the embedder is being opened: its result, or undefined when that takes too long. */
  async inGoodTime<Result>(opening: Promise<Result>): Promise<Result | undefined> {
    const over = new AbortController();
    const openingMs = this.#isPatient ? ONE_QUESTION_MS_MAX : EMBEDDER_OPENING_MS_MAX;
    const late = this.#sleep(openingMs, over.signal).then(() => undefined);
    try {
      return await Promise.race([opening, late]);
    } finally {
      over.abort();
    }
  }

  /** Closes what was opened, and tries no more. */
  async close(): Promise<void> {
    this.#closing.abort(new Error("The engine is being closed."));
    await this.#looking;
    await this.#opening;
    await this.#openingAgain;
    await this.#embedder?.close();
  }

  async #openStatic(): Promise<CarefulStaticEmbedder | undefined> {
    try {
      const staticEmbedder = await this.#offer.static?.();
      if (staticEmbedder !== undefined)
        this.#staticEmbedder = new CarefulStaticEmbedder(staticEmbedder, (reason) => this.#sayStaticFails(reason));
    } catch (error) {
      this.#hasNoStatic = true;
      const message = `The built-in static embedder can't be used: passages are found by words alone until the embedder has read them. ${reasonOf(error)}`;
      this.#say("warn", "staticUnavailable", message);
    }
    return this.#staticEmbedder;
  }

  #sayStaticFails(reason: string): void {
    const message =
      "The built-in static embedder can't read some texts: their documents are found by words alone until the embedder has read them.";
    this.#say("warn", "staticFails", `${message} ${reason}`);
  }

  async #look(): Promise<void> {
    const { signal } = this.#closing;
    const { check } = this.#offer;
    if (this.isStandIn) this.#lack(STATIC_ALONE);
    if (check === undefined || this.#isFound) return;
    try {
      await check(signal);
      this.#isFound = true;
      // That it is there is said when it has been opened: a look does not prove that it can be.
      if (this.#opening === undefined) this.#problem = undefined;
    } catch (error) {
      // Who has begun to open it meanwhile knows better.
      if (this.#opening === undefined && !signal.aborted) this.#lack(error);
    }
  }

  /** What is found now is opened at once, and not when its next try is due. */
  async #lookAgain(): Promise<void> {
    const { check } = this.#offer;
    if (check === undefined) return;
    try {
      await check(this.#closing.signal);
      this.#nap.abort();
    } catch {
      // What was told of it still holds.
    }
  }

  async #open(): Promise<Embedder | undefined> {
    const { open } = this.#offer;
    if (open === undefined) return undefined;
    try {
      return await this.#tryToOpen(open);
    } catch (error) {
      this.#lack(error);
      this.#openingAgain = this.#openAgain(open);
      return undefined;
    }
  }

  #lack(problem: unknown): void {
    this.#problem = problem ?? new Error("it gave no reason");
    const { missing } = this;
    if (missing === undefined || this.#isTold || this.#closing.signal.aborted) return;
    this.#isTold = true;
    this.#logger({ level: "warn", event: "embedderUnavailable", message: missing.story });
  }

  #have(): void {
    this.#problem = undefined;
    if (this.#isTold) this.#say("info", "embedderAvailable", "It is there now, and reads passages and questions.");
    this.#isTold = false;
  }

  async #tryToOpen(open: NonNullable<EmbedderOffer["open"]>): Promise<Embedder> {
    const { signal } = this.#closing;
    signal.throwIfAborted();
    const embedder = await open(signal);
    try {
      requireUsable(embedder);
    } catch (error) {
      await closeUnusable(embedder);
      throw error;
    }
    this.#embedder = embedder;
    this.#have();
    for (const callback of this.#waiting) callback();
    this.#waiting.clear();
    return embedder;
  }

  async #openAgain(open: NonNullable<EmbedderOffer["open"]>): Promise<void> {
    const { signal } = this.#closing;
    for (let tries = 0; this.#embedder === undefined; tries++) {
      this.#nap = new AbortController();
      const delayMs = Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** tries);
      await this.#sleep(delayMs, AbortSignal.any([signal, this.#nap.signal]));
      try {
        if (!signal.aborted) await this.#tryToOpen(open);
      } catch (error) {
        this.#lack(error);
      }
      for (const tell of this.#onTried.splice(0)) tell();
      if (signal.aborted) return;
    }
  }

  #say(level: "info" | "warn", event: string, message: string): void {
    this.#logger({ level, event, message: `Embedder ${this.name}: ${message}` });
  }
}

function byStatic(staticEmbedder: CarefulStaticEmbedder): (short: string) => Float32Array | undefined {
  return (short) => staticEmbedder.embed(short);
}
