import { EmbedderError, type EmbedderErrorCode } from "@loredex/core";
import { sleep } from "./abort.ts";
import { requestVectors } from "./request.ts";
import { ServerProblem } from "./server-problem.ts";
import type { Settings } from "./settings.ts";

export type TextKind = "question" | "passage";

/** A short text that no model has a reason to refuse: if it fails too, other texts are not to blame. */
const PROBE = "The train leaves at noon.";

/** Shorter texts are not cut further when the server refuses them. UTF-16 units. */
const CUT_UNITS_MIN = 64;

/** Sent in place of a text that some servers refuse as empty. */
const NOTHING = ".";

/**
 * Requests vectors of unit length from a model server. It finds out what the server accepts: `dimensions` or not, how many texts at once, how long they may be.
 */
export class ModelServer {
  readonly #settings: Settings;
  /** True if `dimensions` is sent: until the server refuses it. */
  #sendsDimensions: boolean;
  #dimensions: number | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#dimensions = settings.dimensions;
    this.#sendsDimensions = settings.dimensions !== undefined;
  }

  /** Returns the length of the vectors: as set, else as the server answers, asked once. */
  async dimensions(signal: AbortSignal): Promise<number> {
    if (this.#dimensions === undefined) {
      const [vector] = await this.#request([PROBE], "passage", ONCE, signal);
      this.#dimensions = vector?.length ?? 0;
    }
    return this.#dimensions;
  }

  /** Returns the question's vector: at most two tries, because a person waits. */
  async question(text: string, signal: AbortSignal): Promise<Float32Array> {
    const policy = { retries: 1, retryMsMin: QUESTION_RETRY_MS };
    return vectorOf(await this.#taken([text], "question", policy, signal));
  }

  /** Returns one vector for each passage, in order. */
  passages(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    return this.#taken(texts, "passage", this.#settings, signal);
  }

  /**
   * Requests vectors for texts. If a working server refuses them, it sends fewer at a time. Of texts that are refused alone it sends only the beginnings: a
   * text that is too long is read as far as the server reads.
   */
  async #taken(
    texts: readonly string[],
    kind: TextKind,
    policy: RetryPolicy,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    try {
      return await this.#request(texts, kind, policy, signal);
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.kind === "away" || error.kind === "setting") throw error;
      const hadDimensions = this.#sendsDimensions;
      await this.#requireWell(signal);
      if (hadDimensions && !this.#sendsDimensions) return this.#taken(texts, kind, policy, signal);
      if (error.kind === "failed") throw aboutTexts(error);
      return this.#inHalves(texts, kind, policy, signal, error);
    }
  }

  async #inHalves(
    texts: readonly string[],
    kind: TextKind,
    policy: RetryPolicy,
    signal: AbortSignal,
    refusal: ServerProblem,
  ): Promise<Float32Array[]> {
    const [text = ""] = texts;
    if (texts.length === 1) {
      if (text.length < CUT_UNITS_MIN) throw aboutTexts(refusal);
      return this.#taken([text.slice(0, text.length >> 1)], kind, policy, signal);
    }
    const middle = texts.length >> 1;
    const first = await this.#taken(texts.slice(0, middle), kind, policy, signal);
    return [...first, ...(await this.#taken(texts.slice(middle), kind, policy, signal))];
  }

  /** Requests a vector for a harmless text: rejects with the problem if there is none. Finds out if `dimensions` is accepted. */
  async #requireWell(signal: AbortSignal): Promise<void> {
    try {
      await this.#request([PROBE], "passage", ONCE, signal);
    } catch (error) {
      if (!(error instanceof ServerProblem) || error.kind !== "refused") throw error;
      if (!this.#sendsDimensions) throw notTheTexts(error);
      this.#sendsDimensions = false;
      try {
        await this.#request([PROBE], "passage", ONCE, signal);
      } catch (without) {
        this.#sendsDimensions = true;
        throw without instanceof ServerProblem && without.kind === "refused" ? notTheTexts(error) : without;
      }
    }
  }

  async #request(
    texts: readonly string[],
    kind: TextKind,
    policy: RetryPolicy,
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    const { queryPrefix, passagePrefix, queryInputType, passageInputType, timeoutMs } = this.#settings;
    const [prefix, inputType] = kind === "question" ? [queryPrefix, queryInputType] : [passagePrefix, passageInputType];
    const asked = {
      texts: texts.map((text) => textAsked(prefix, text)),
      inputType,
      dimensions: this.#sendsDimensions ? this.#dimensions : undefined,
      timeoutMs,
    };
    const vectors = await withRetries(() => requestVectors(this.#settings, asked, signal), policy, signal);
    return vectors.map((vector) => this.#checked(vector));
  }

  #checked(vector: Float64Array): Float32Array {
    const promised = this.#dimensions ?? vector.length;
    if (vector.length !== promised) {
      const message = `The model server gives vectors of ${vector.length} numbers where ${promised} are expected: set the dimensions to what the model gives.`;
      throw new ServerProblem("setting", message);
    }
    const unit = unitVector(vector);
    if (unit === undefined) throw new ServerProblem("failed", "The model server gave a vector of zeros.");
    return unit;
  }
}

const ONCE: RetryPolicy = { retries: 0, retryMsMin: 1 };
const QUESTION_RETRY_MS = 50;

function textAsked(prefix: string, text: string): string {
  const asked = prefix + text.toWellFormed();
  return asked.trim() === "" ? NOTHING : asked;
}

function vectorOf([vector]: readonly Float32Array[]): Float32Array {
  if (vector === undefined) throw new ServerProblem("failed", "The model server gave no vector.");
  return vector;
}

function aboutTexts(problem: ServerProblem): EmbedderError {
  return embedderError("EMBEDDER_FAILED", problem);
}

/** The server refuses every request: no text is to blame. */
function notTheTexts(problem: ServerProblem): ServerProblem {
  return new ServerProblem("setting", `${problem.message} It refuses any text: check model and settings.`, undefined, {
    cause: problem,
  });
}

/** Converts a problem to the error for the caller. */
export function embedderError(code: EmbedderErrorCode, problem: ServerProblem): EmbedderError {
  return new EmbedderError(code, problem.message, {
    cause: problem,
    mend: problem.mend,
    lasts: problem.kind === "setting",
  });
}

/** How a failed request is retried. */
interface RetryPolicy {
  /** Retries after the first try, from 0. */
  readonly retries: number;
  /** The first wait; each further one is twice as long. Milliseconds. */
  readonly retryMsMin: number;
}

/** Maximum wait, as a factor of the first one. */
const GROWTH_MAX = 16;

/** If a server asks for a longer wait, the request fails for now: the caller has its own retries. */
export const RETRY_AFTER_MS_MAX = 60_000;

/**
 * Retries problems that may pass. Each wait is longer than the last, and at least as long as the server asks. The waits are the same every time: nothing here
 * is random.
 */
export async function withRetries<Result>(
  attempt: () => Promise<Result>,
  { retries, retryMsMin }: RetryPolicy,
  signal: AbortSignal,
): Promise<Result> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ServerProblem) || !error.mayPass || tries >= retries) throw error;
      const { retryAfterMs = 0 } = error;
      if (retryAfterMs > RETRY_AFTER_MS_MAX) throw error;
      await sleep(Math.max(retryAfterMs, retryMsMin * Math.min(GROWTH_MAX, 2 ** tries)), signal);
    }
  }
}

/** Scales a vector to unit length; undefined for one of zeros, which has no direction. */
function unitVector(vector: Float64Array): Float32Array | undefined {
  // Scaled first: squares of very small or very large numbers would leave the range.
  const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  if (largest === 0) return undefined;
  let squares = 0;
  for (const component of vector) squares += (component / largest) ** 2;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (component) => component / largest / length);
}
