import type { EmbedShort } from "../model/embed-short.ts";
import { reasonOf } from "../model/errors.ts";
import { foundBy, type Instead, type Missing } from "../model/missing.ts";
import { EMBEDDER_OPENING_MS_MAX, ONE_QUESTION_MS_MAX } from "../model/options.ts";
import { sameSpace, type VectorSpace } from "../model/records.ts";
import { embeddingRetryMs } from "../model/retry-ms.ts";
import type { QuestionVectorFigures } from "../model/work.ts";
import { unlessAborted, withinMs } from "../platform/abort.ts";
import type { Logger } from "../platform/log-event.ts";
import { CarefulStaticEmbedder } from "./careful-static.ts";
import type { Embedder, EmbedderOffer } from "./embedder.ts";
import { closeUnusable, requireUsable } from "./embedder-checks.ts";
import { EmbedderError } from "./embedder-error.ts";
import { askedTokens, encodeQuestion } from "./encode-question.ts";
import { type EncodedQuestion, QuestionVectors } from "./question-vectors.ts";
import type { AskedTokens } from "./token-codes.ts";
import { missingFor } from "./try-embedder.ts";

/** A question's vector with its space, weights and calibration. */
export interface EmbeddedQuestion {
  /** The space of the vector, with the weight for passages that have the embedder's own vectors. */
  readonly embedder: VectorSpace & Pick<Embedder, "weight" | "calibrate" | "bias" | "smallTalk">;
  readonly vector: Float32Array;
  /** The question's token codes, if the embedder gives them. */
  readonly tokens?: AskedTokens;
  /** The weight for passages that have only the static embedder's vectors. Default: the weight of `embedder`. */
  readonly firstWeight?: number;
  /** The static embedder's vector of a short text, in the same space, if it has one. It tells apart fragments that share one vector. */
  readonly embedShort?: EmbedShort;
  /** The question's vector by the static embedder, in the same space, if it has one. It is nearer to passages with only the static embedder's vectors. */
  readonly byStatic?: () => EmbeddedQuestion | undefined;
}

const STATIC_ALONE = new EmbedderError("EMBEDDER_UNAVAILABLE", "it is not part of this program", {
  mend: "use the Engine of the package loredex, which has it (npm install loredex)",
});

/** Resolves after `ms` milliseconds, or when the signal is aborted. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

/** How long questions wait for their vectors. */
export interface Patience {
  /** Whether a question waits up to {@link ONE_QUESTION_MS_MAX} for its vector, before it is answered by BM25 alone. Default false. */
  readonly isPatient?: boolean;
}

/**
 * An embedder that all bots share that have chosen it. It is opened when the first bot needs it. If that fails, opening is retried with
 * exponential backoff. A failure is logged once. Meanwhile searches use the static embedder, or BM25 alone.
 */
export class SharedEmbedder {
  readonly name: string;
  /** Whether it is a stand-in: another program makes the missing vectors. */
  readonly isStandIn: boolean;
  readonly #isPatient: boolean;
  readonly #offer: EmbedderOffer;
  readonly #logger: Logger;
  readonly #sleep: Sleep;
  /** The first attempt to open it. */
  #opening: Promise<Embedder | undefined> | undefined;
  /** All later attempts. */
  #openingAgain: Promise<void> | undefined;
  readonly #closing = new AbortController();
  /** Ends the wait between two attempts. */
  #nap = new AbortController();
  /** Called when an attempt has ended. */
  #onTried: (() => void)[] = [];
  #openingStatic: Promise<CarefulStaticEmbedder | undefined> | undefined;
  #staticEmbedder: CarefulStaticEmbedder | undefined;
  #hasNoStatic: boolean;
  /** The open embedder; undefined before. */
  #embedder: Embedder | undefined;
  /** The check in progress. */
  #looking: Promise<void> | undefined;
  /** Whether a check has succeeded. Then only opening it can tell more. */
  #isFound = false;
  /** The error of the last attempt to open it; before any attempt, the error of the last check. */
  #problem: unknown;
  /** Whether the last log event on its state said that it is missing. */
  #isTold = false;
  /** Whether the last question failed to get a vector. */
  #failing = false;
  readonly #waiting = new Set<() => void>();
  readonly #asked = new QuestionVectors();

  /** @param standsIn whether the offer is only the static embedder of another program's embedder; missing vectors are left to that program */
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

  /** Why it cannot be used here; undefined if it can, or if it was neither opened nor checked yet. */
  get missing(): Missing | undefined {
    if (this.#problem === undefined) return undefined;
    return missingFor(this.name, this.#problem, this.#instead);
  }

  /** The fallback for finding passages and reading questions. */
  get #instead(): Exclude<Instead, "scan"> {
    return this.#hasNoStatic ? "words" : "static";
  }

  /**
   * Checks whether it can be opened, and returns {@link missing}. So a missing embedder is reported before anything needs it. No check is made if
   * an earlier check succeeded or if it is open. Never rejects, and opens nothing itself. A successful check ends the wait for the next attempt.
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

  /** Retries now to open an embedder that could not be opened: it may have been installed meanwhile. Resolves when the attempt has ended. */
  async tryAgain(): Promise<void> {
    if (this.#openingAgain === undefined || this.#embedder !== undefined || this.#closing.signal.aborted) return;
    const tried = new Promise<void>((resolve) => this.#onTried.push(resolve));
    this.#nap.abort();
    await tried;
  }

  /** Figures of the question cache. */
  get questionFigures(): QuestionVectorFigures {
    return this.#asked.figures;
  }

  /** Whether the offer has an embedder besides the static embedder. */
  get hasEmbedder(): boolean {
    return this.#offer.open !== undefined;
  }

  /** The open embedder; undefined while it cannot be opened. Never rejects, and waits for the first attempt only. */
  get(): Promise<Embedder | undefined> {
    if (this.#embedder !== undefined) return Promise.resolve(this.#embedder);
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Calls `callback` when the embedder is open, also after many attempts, or never. Returns a function that removes the callback. */
  onOpened(callback: () => void): () => void {
    if (this.#embedder !== undefined) queueMicrotask(callback);
    else this.#waiting.add(callback);
    return () => {
      this.#waiting.delete(callback);
    };
  }

  /** The static embedder; undefined if there is none, or if it cannot be opened. Never rejects. */
  staticEmbedder(): Promise<CarefulStaticEmbedder | undefined> {
    this.#openingStatic ??= this.#openStatic();
    return this.#openingStatic;
  }

  /** The open static embedder; undefined if the open embedder's vectors are of another space, as the two could not be compared. */
  get #fittingStatic(): CarefulStaticEmbedder | undefined {
    const [staticEmbedder, embedder] = [this.#staticEmbedder, this.#embedder];
    if (staticEmbedder === undefined || embedder === undefined) return staticEmbedder;
    return sameSpace(staticEmbedder.space, embedder) ? staticEmbedder : undefined;
  }

  /** The question's vector by the static embedder, in this thread; undefined if none is open, or if it does not know the text. */
  embedByStatic(text: string): EmbeddedQuestion | undefined {
    const staticEmbedder = this.#fittingStatic;
    const vector = staticEmbedder?.knows(text) === true ? staticEmbedder.embed(text) : undefined;
    if (staticEmbedder === undefined || vector === undefined) return undefined;
    const { space, weight, mixedWeight } = staticEmbedder;
    const calibrate = (cosine: number): number => staticEmbedder.calibrate(cosine);
    const smallTalk = (question: Float32Array): number => staticEmbedder.smallTalk(question);
    const embedder = { ...space, weight: mixedWeight, calibrate, smallTalk };
    return { embedder, vector, firstWeight: weight, embedShort: staticEmbedder.embedShort };
  }

  /** The question's vector by the embedder; undefined if it does not come in time: the caller then uses {@link embedByStatic} or BM25. Never rejects. */
  async embedQuestion(text: string): Promise<EmbeddedQuestion | undefined> {
    // If the embedder is open, nothing is awaited before it has the question.
    const embedder = this.#embedder ?? (await this.inGoodTime(this.get()));
    if (embedder === undefined) return undefined;
    try {
      const encoded = this.#asked.find(text, embedder) ?? (await this.#readOnce(text, embedder));
      if (encoded.isUnknown === true) return undefined;
      const { vector } = encoded;
      const read = { embedder: withTraits(embedder, vector), vector, ...askedTokens(embedder, encoded) };
      const staticEmbedder = this.#fittingStatic;
      if (staticEmbedder === undefined) return read;
      const again = () => this.embedByStatic(text);
      return {
        ...read,
        firstWeight: staticEmbedder.mixedWeight,
        embedShort: staticEmbedder.embedShort,
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
    // A question is understood if the embedder tells all of it.
    withTraits(embedder, encoded.vector);
    if (this.#failing) this.#say("info", "questionsEmbedded", "Questions are understood again.");
    this.#failing = false;
    return encoded;
  }

  /** Waits for an opening on behalf of a question: its result, or undefined if it takes longer than a question may wait. */
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

  /** Closes the embedder if it was opened, and ends all attempts. */
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
      // Success is logged when it has been opened: a check does not prove that it can be.
      if (this.#opening === undefined) this.#problem = undefined;
    } catch (error) {
      // An attempt to open it that has begun meanwhile knows better.
      if (this.#opening === undefined && !signal.aborted) this.#lack(error);
    }
  }

  /** Checks again after a failed attempt. After a successful check the next attempt begins at once. */
  async #lookAgain(): Promise<void> {
    const { check } = this.#offer;
    if (check === undefined) return;
    try {
      await check(this.#closing.signal);
      this.#nap.abort();
    } catch {
      // It is still missing, as logged before.
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
      const delayMs = embeddingRetryMs(tries);
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

/** The embedder with what it tells of this question's vector. It is asked at once, as a question is then answered without it if it throws. */
function withTraits(embedder: Embedder, vector: Float32Array): EmbeddedQuestion["embedder"] {
  const { id, version, dimensions, weight } = embedder;
  const [bias, smallTalk] = [traitOf(embedder, "bias", vector), traitOf(embedder, "smallTalk", vector)];
  const calibrate = embedder.calibrate?.bind(embedder);
  const traits = { bias: () => bias, smallTalk: () => smallTalk };
  return { id, version, dimensions, weight, ...traits, ...(calibrate === undefined ? {} : { calibrate }) };
}

function traitOf(embedder: Embedder, trait: "bias" | "smallTalk", vector: Float32Array): number {
  const told: unknown = embedder[trait]?.(vector) ?? 0;
  if (typeof told === "number") return told;
  // A promise that nobody awaits would end the process if it rejected.
  if (told instanceof Promise) told.catch(() => undefined);
  throw new TypeError(`${trait} of the embedder must return a number`);
}
