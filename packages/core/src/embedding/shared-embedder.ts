import { VECTOR_DIMENSIONS_MAX } from "../limits.ts";
import type { Logger } from "../log-event.ts";
import type { Embedder, EmbedderOffer } from "./embedder.ts";

/** A question's vector, and whose it is. */
export interface EmbeddedQuestion {
  readonly embedder: Embedder;
  readonly vector: Float32Array;
}

/**
 * One embedder for all bots that have chosen it: opened when the first of them needs it. What it cannot do is said once, and
 * its bots find by words meanwhile.
 */
export class SharedEmbedder {
  readonly name: string;
  readonly #offer: EmbedderOffer;
  readonly #logger: Logger;
  #opening: Promise<Embedder | undefined> | undefined;
  /** As soon as it is open. */
  #embedder: Embedder | undefined;
  #unavailable: string | undefined;
  /** Whether the last question got no vector. */
  #failing = false;

  constructor(name: string, offer: EmbedderOffer, logger: Logger) {
    this.name = name;
    this.#offer = offer;
    this.#logger = logger;
  }

  /** Why it could not be opened; undefined if it could, or nobody needed it. */
  get unavailable(): string | undefined {
    return this.#unavailable;
  }

  /** The open embedder; undefined where it is not to be had, until the next start. Never rejects. */
  get(): Promise<Embedder | undefined> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Undefined if there is none in good time: the question is then answered by its words. Never rejects. */
  async embedQuestion(text: string): Promise<EmbeddedQuestion | undefined> {
    // Nothing is awaited before the embedder has the question.
    const embedder = this.#embedder ?? (await this.get());
    if (embedder === undefined) return undefined;
    try {
      const vector = await embedder.embedQuery(text, AbortSignal.timeout(embedder.cost.questionMsMax));
      requireLength(vector, embedder.dimensions);
      if (this.#failing) this.#say("info", "questionsEmbedded", "Questions are understood again.");
      this.#failing = false;
      return { embedder, vector };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (!this.#failing) this.#say("warn", "questionsByWords", `Questions are answered by their words alone. ${why}`);
      this.#failing = true;
      return undefined;
    }
  }

  /** Closes what was opened. */
  async close(): Promise<void> {
    await (await this.#opening)?.close();
  }

  async #open(): Promise<Embedder | undefined> {
    try {
      const embedder = await this.#offer.open();
      requireUsable(embedder);
      this.#embedder = embedder;
      return embedder;
    } catch (error) {
      this.#unavailable = error instanceof Error ? error.message : String(error);
      this.#say("warn", "embedderUnavailable", `Its bots find by words. ${this.#unavailable}`);
      return undefined;
    }
  }

  #say(level: "info" | "warn", event: string, message: string): void {
    this.#logger({ level, event, message: `Embedder ${this.name}: ${message}` });
  }
}

/** @throws RangeError for a vector of another length */
export function requireLength(vector: Float32Array | undefined, dimensions: number): void {
  if (vector?.length === dimensions) return;
  throw new RangeError(`It gave a vector of ${vector?.length ?? 0} numbers where it promised ${dimensions}.`);
}

/** @throws RangeError if what it says of itself can't be */
function requireUsable({ dimensions, weight, cost }: Embedder): void {
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > VECTOR_DIMENSIONS_MAX) {
    throw new RangeError(
      `It says that its vectors have ${dimensions} dimensions; 1 to ${VECTOR_DIMENSIONS_MAX} can be used.`,
    );
  }
  if (!(weight >= 0 && weight <= 1)) throw new RangeError(`Its weight must be from 0 to 1, not ${weight}.`);
  if (!Number.isInteger(cost.textsPerCall) || cost.textsPerCall < 1) {
    throw new RangeError(`It must take at least one text a call, not ${cost.textsPerCall}.`);
  }
}
