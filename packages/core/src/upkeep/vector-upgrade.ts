import { reasonOf } from "../domain/errors.ts";
import { EMBEDDING_REFUSALS_MAX, EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "../domain/options.ts";
import { type BotRecord, sameSpace, type VectorSpace } from "../domain/records.ts";
import type { SearchableDocument } from "../domain/types.ts";
import { unlessAborted } from "../embedding/abort.ts";
import type { Embedder } from "../embedding/embedder.ts";
import { EMBEDDER_FAILED } from "../embedding/embedder.ts";
import { requireLength, requireNumbers } from "../embedding/vector-checks.ts";
import { EMBEDDED_TEXTS_VERSION, textsInSteps } from "../query/embedded-texts.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log-event.ts";
import { Turns } from "../runtime/steps.ts";
import type { StoredVectors } from "../state/state.ts";
import { encodeVector } from "../vector/codes.ts";

export type VectorsRecord = Extract<BotRecord, { readonly kind: "vectors" }>;

/** A document's newest version, if that is the one that searches see. */
export interface IndexedVersion {
  readonly version: number;
  readonly document: SearchableDocument;
  /** How many texts it has that get a vector each. */
  readonly parts: number;
  /** Its vectors so far, of whatever space. */
  readonly vectors: StoredVectors | undefined;
}

export interface VectorUpgradeParts {
  /** Opens the embedder; undefined where it is not to be had. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly newest: (id: string) => IndexedVersion | undefined;
  /** Resolves when the vectors are durable and searches use them. */
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Told when something waits, and when nothing does any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly botId: string;
  /** False: only works while somebody waits with {@link VectorUpgrade.whenIdle}. */
  readonly background: boolean;
}

/** Some texts of one document, on their way to the embedder. */
interface Job {
  readonly id: string;
  readonly version: number;
  /** Place of the first text among the document's. */
  readonly first: number;
  readonly texts: readonly string[];
}

/** Vectors on their way to the log. */
interface Unwritten {
  readonly record: VectorsRecord;
  readonly codes: Uint8Array;
}

/**
 * The upgrade from found by words to found by meaning: gives every indexed document its vectors, in the background, and
 * writes them to the log. It goes on after a failure, waiting longer each time, and after a restart.
 */
export class VectorUpgrade {
  readonly #parts: VectorUpgradeParts;
  /** Documents that lack vectors, in order. */
  readonly #waiting = new Set<string>();
  /** Documents of a call that was refused for its texts, and how often each was refused alone. */
  readonly #refusals = new Map<string, number>();
  readonly #closed = new AbortController();
  readonly #turns: Turns;
  /** The texts of a long document that comes back for its next ones. */
  #cut: { readonly id: string; readonly version: number; readonly texts: readonly string[] } | undefined;
  /** What the embedder has made and the log did not take: it is tried again, and nobody pays for it twice. */
  #unwritten: readonly Unwritten[] = [];
  #running: Promise<void> | undefined;
  #failures = 0;
  #failuresInARow = 0;
  #lastFailure: string | undefined;
  readonly #given = new Set<string>();
  /** It gives the embedder time after a failure. */
  #isResting = false;
  #hasStopped = false;
  /** Told when it begins to. */
  #onRest: (() => void)[] = [];

  constructor(parts: VectorUpgradeParts) {
    this.#parts = parts;
    this.#turns = new Turns(parts.clock);
  }

  /** Documents that lack vectors and will get them. */
  get length(): number {
    return this.#waiting.size;
  }
  /** Calls of the embedder that failed. */
  get failures(): number {
    return this.#failures;
  }
  /** Why the last one failed; undefined once one has succeeded again. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }
  /** Documents that the embedder refused again and again: tried anew after the next start. */
  get givenUp(): number {
    return this.#given.size;
  }

  /** Whether the last run ended with vectors missing because of the bot itself, as where it has no room for them. */
  get hasStopped(): boolean {
    return this.#hasStopped;
  }

  /** A document whose vectors may be missing: if they are, it gets them. */
  add(id: string): void {
    if (this.#closed.signal.aborted) return;
    if (this.#waiting.size === 0) this.#parts.onUnfinished(true);
    this.#waiting.add(id);
    this.#refusals.delete(id);
    this.#given.delete(id);
    if (this.#parts.background) this.#start();
  }

  remove(id: string): void {
    this.#given.delete(id);
    this.#done(id);
  }

  /** Resolves when nothing waits any more, or the embedder is not to be had. */
  async whenIdle(): Promise<void> {
    if (this.#closed.signal.aborted || this.#waiting.size === 0) return;
    this.#start();
    await this.#running;
  }

  /** Whether it is on its way to the next vectors, and not giving the embedder time. */
  get isWorking(): boolean {
    return this.#running !== undefined && !this.#isResting;
  }

  /** The same as {@link whenIdle}, or when the embedder fails and is given time. */
  async whenIdleOrResting(): Promise<void> {
    if (this.#closed.signal.aborted || this.#waiting.size === 0) return;
    this.#start();
    if (this.#isResting) return;
    await Promise.race([this.#running, new Promise<void>((resolve) => this.#onRest.push(resolve))]);
  }

  /** Stops; what is missing is made after the next start. */
  async close(): Promise<void> {
    this.#closed.abort(new Error("The bot is being closed."));
    await this.#running;
  }

  #start(): void {
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    this.#hasStopped = false;
    try {
      // Opening may take long: closing does not wait for it.
      const embedder = await unlessAborted(this.#parts.embedder(), this.#closed.signal);
      while (embedder !== undefined && this.#waiting.size > 0 && !this.#closed.signal.aborted)
        await this.#step(embedder);
    } catch (error) {
      if (!this.#closed.signal.aborted) {
        this.#hasStopped = true;
        this.#say("error", "embeddingStopped", `Vectors are made again when the next document comes. ${error}`);
      }
    }
    // Here and not when the promise settles: what is added right after this starts the next run.
    this.#running = undefined;
  }

  async #step(embedder: Embedder): Promise<void> {
    // A version that has changed since takes no vectors of the one before.
    this.#unwritten = this.#unwritten.filter(({ record }) => this.#parts.newest(record.id)?.version === record.version);
    const jobs = this.#unwritten.length > 0 ? [] : await this.#nextJobs(embedder);
    if (this.#unwritten.length === 0 && jobs.length === 0) return;
    try {
      if (jobs.length > 0) this.#unwritten = await this.#embed(embedder, jobs);
      await allSettled(this.#unwritten.map(({ record, codes }) => this.#parts.append(record, codes)));
      this.#unwritten = [];
      if (this.#failuresInARow > 0) this.#say("info", "embeddingGoesOn", "Passages are embedded again.");
      this.#failuresInARow = 0;
      this.#lastFailure = undefined;
      for (const { id } of jobs) this.#refusals.delete(id);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.#failures += 1;
      this.#lastFailure = reasonOf(error);
      // It has no room before something is deleted: whoever brings the next document finds out.
      if (codeOf(error) === "BOT_FULL") throw error;
      if (codeOf(error) === EMBEDDER_FAILED) this.#afterRefusal(jobs);
      else await this.#afterFailure();
    }
  }

  /** As many texts as one call should carry, of one document or several. */
  async #nextJobs(embedder: Embedder): Promise<Job[]> {
    const jobs: Job[] = [];
    let room = embedder.cost.textsPerCall;
    for (const id of this.#waiting) {
      // One of those that were refused together is to blame: each is tried alone.
      const alone = this.#refusals.has(id);
      if (alone && jobs.length > 0) break;
      const job = await this.#jobOf(id, embedder, room);
      if (this.#closed.signal.aborted) return [];
      if (job === undefined) {
        this.#done(id);
        // There may be very many that lack nothing any more.
        await this.#turns.restIfOver();
        if (this.#closed.signal.aborted) return [];
        continue;
      }
      jobs.push(job);
      room -= job.texts.length;
      if (alone || room <= 0) break;
    }
    return jobs;
  }

  /** The next texts of a document; undefined if it lacks none. */
  async #jobOf(id: string, embedder: Embedder, room: number): Promise<Job | undefined> {
    const newest = this.#parts.newest(id);
    if (newest === undefined) return undefined;
    const { version, vectors } = newest;
    const first = vectors !== undefined && isUsable(vectors, embedder) ? vectors.codes.length / embedder.dimensions : 0;
    if (first >= newest.parts) return undefined;
    const texts = await this.#textsOf(id, newest);
    return { id, version, first, texts: texts.slice(first, Math.min(first + room, newest.parts)) };
  }

  async #textsOf(id: string, { version, document }: IndexedVersion): Promise<readonly string[]> {
    if (this.#cut?.id === id && this.#cut.version === version) return this.#cut.texts;
    const isOpen = (): boolean => !this.#closed.signal.aborted;
    const texts = (await this.#turns.take(textsInSteps(document), isOpen)) ?? [];
    this.#cut = { id, version, texts };
    return texts;
  }

  async #embed(embedder: Embedder, jobs: readonly Job[]): Promise<Unwritten[]> {
    const texts = jobs.flatMap((job) => job.texts);
    const { signal } = this.#closed;
    const vectors = await unlessAborted(embedder.embedPassages(texts, signal), signal);
    if (vectors.length !== texts.length)
      throw new RangeError(`It gave ${vectors.length} vectors for ${texts.length} texts.`);
    const { id, version, dimensions } = embedder;
    // All of them before the first is written: what throws must leave no write behind that nobody waits for.
    const codes = codesOf(vectors, dimensions);
    const made = { space: { id, version, dimensions }, texts: EMBEDDED_TEXTS_VERSION, encoding: "int8" } as const;
    let taken = 0;
    return jobs.map((job) => {
      const own = codes.slice(taken * dimensions, (taken + job.texts.length) * dimensions);
      taken += job.texts.length;
      const { id, version, first } = job;
      return { record: { kind: "vectors", id, version, first, count: job.texts.length, ...made }, codes: own };
    });
  }

  /** The embedder itself failed: it is given time, more each time. */
  async #afterFailure(): Promise<void> {
    const delayMs = Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** this.#failuresInARow);
    this.#failuresInARow += 1;
    const message = `${this.#waiting.size} documents wait for vectors; the next try is in ${delayMs / 1_000} s. ${this.#lastFailure}`;
    this.#say("warn", "embeddingFailed", message);
    this.#isResting = true;
    for (const rests of this.#onRest.splice(0)) rests();
    await this.#parts.sleep(delayMs, this.#closed.signal);
    this.#isResting = false;
  }

  /** The texts were refused: their documents go to the end, and one that is refused alone again and again is left as it is. */
  #afterRefusal(jobs: readonly Job[]): void {
    for (const { id } of jobs) {
      const refusals = (this.#refusals.get(id) ?? -1) + 1;
      if (refusals >= EMBEDDING_REFUSALS_MAX) {
        this.#given.add(id);
        this.#done(id);
        this.#say(
          "error",
          "embeddingGivenUp",
          `Document ${id} is found by words until the next start. ${this.#lastFailure}`,
        );
      } else if (this.#waiting.delete(id)) {
        this.#waiting.add(id);
        this.#refusals.set(id, refusals);
      }
    }
  }

  #done(id: string): void {
    this.#refusals.delete(id);
    if (!this.#waiting.delete(id) || this.#waiting.size > 0) return;
    this.#cut = undefined;
    // What was given up is unfinished: it is tried again after the next start.
    if (this.#given.size === 0) this.#parts.onUnfinished(false);
  }

  #say(level: "info" | "warn" | "error", event: string, message: string): void {
    this.#parts.logger({ level, event, message, botId: this.#parts.botId });
  }
}

/** Whether vectors of a document are of this space and of the texts as they are made now. */
export function isUsable({ space, texts }: StoredVectors, wanted: VectorSpace): boolean {
  return texts === EMBEDDED_TEXTS_VERSION && sameSpace(space, wanted);
}

/** @throws RangeError for a vector of another length, EmbedderError for one that is not all numbers */
function codesOf(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const codes = new Uint8Array(vectors.length * dimensions);
  for (const [i, vector] of vectors.entries()) {
    requireLength(vector, dimensions);
    requireNumbers(vector);
    codes.set(encodeVector(vector), i * dimensions);
  }
  return codes;
}

/** As `Promise.all`, but leaves nothing on its way that nobody waits for. */
async function allSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
