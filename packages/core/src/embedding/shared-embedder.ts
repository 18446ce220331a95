import { VECTOR_DIMENSIONS_MAX } from "../limits.ts";
import type { Logger } from "../log-event.ts";
import type { VectorSpace } from "../records.ts";
import type { Embedder, EmbedderOffer, StudentEncoder } from "./embedder.ts";

/** A question's vector, and what its cosines are worth. */
export interface EmbeddedQuestion {
  /** Its space, with the weight for passages that the embedder itself has made vectors of. */
  readonly embedder: VectorSpace & Pick<Embedder, "weight" | "calibrate">;
  readonly vector: Float32Array;
  /** The weight for passages that have only the student's vectors; by default the same. */
  readonly firstWeight?: number;
  /** The student's vector of a short text, in the same space: tells apart what has one vector together. */
  readonly embedShort?: (text: string) => Float32Array;
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
  #openingStudent: Promise<StudentEncoder | undefined> | undefined;
  #student: StudentEncoder | undefined;
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

  /** Whether there is more than a student. */
  get hasEmbedder(): boolean {
    return this.#offer.open !== undefined;
  }

  /** The open embedder; undefined where it is not to be had, until the next start. Never rejects. */
  get(): Promise<Embedder | undefined> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Its student; undefined where it has none, or none that can be opened. Never rejects. */
  student(): Promise<StudentEncoder | undefined> {
    this.#openingStudent ??= this.#openStudent();
    return this.#openingStudent;
  }

  /** The question's vector by the student, in this thread; undefined if there is none that is open. */
  embedByStudent(text: string): EmbeddedQuestion | undefined {
    const student = this.#student;
    if (student === undefined) return undefined;
    const { space, weight, mixedWeight } = student;
    const calibrate = (cosine: number): number => student.calibrate(cosine);
    const embedShort = (short: string): Float32Array => student.embed(short);
    const embedder = { ...space, weight: mixedWeight, calibrate };
    return { embedder, vector: student.embed(text), firstWeight: weight, embedShort };
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
      const student = this.#student;
      if (student === undefined) return { embedder, vector };
      const embedShort = (short: string): Float32Array => student.embed(short);
      return { embedder, vector, firstWeight: student.mixedWeight, embedShort };
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

  async #openStudent(): Promise<StudentEncoder | undefined> {
    try {
      this.#student = await this.#offer.student?.();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#say("warn", "studentUnavailable", `Passages are found by words until their vectors come. ${why}`);
    }
    return this.#student;
  }

  async #open(): Promise<Embedder | undefined> {
    if (this.#offer.open === undefined) return undefined;
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
