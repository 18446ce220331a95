import { EMBEDDER_FAILED, type Embedder } from "../../embedding/embedder.ts";
import { requireEntries } from "../../embedding/token-checks.ts";
import { requireLength, requireNumbers } from "../../embedding/vector-checks.ts";
import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import { encodeVector } from "../../index/vectors/codes.ts";
import { reasonOf } from "../../model/errors.ts";
import { EMBEDDING_REFUSALS_MAX, EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "../../model/options.ts";
import type { BotRecord } from "../../model/records.ts";
import { unlessAborted } from "../../platform/abort.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/log-event.ts";
import { TimeSlices } from "../../scheduling/time-slices.ts";
import { EmbeddingJobs, type IndexedVersion, type Job } from "./embedding-jobs.ts";
import type { MadeTokenCodes, TokenCodesJob } from "./token-codes-job.ts";

export type VectorsRecord = Extract<BotRecord, { readonly kind: "vectors" }>;

export interface VectorUpgradeDeps {
  /** Opens the embedder; undefined if it is unavailable. */
  readonly embedder: () => Promise<Embedder | undefined>;
  readonly newest: (id: string) => IndexedVersion | undefined;
  /** Keeps the token codes; undefined if none are kept. */
  readonly tokenCodes: Pick<TokenCodesJob, "isOpen" | "gap" | "keep"> | undefined;
  /** Appends vectors to the log. Resolves when they are durable and searches use them. */
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with true when documents lack vectors, and with false when none does any more. */
  readonly onUnfinished: (unfinished: boolean) => void;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly botId: string;
  /** False: only works while a caller waits with {@link VectorUpgrade.whenIdle}. */
  readonly background: boolean;
}

/** Vectors on their way to the log. */
interface Unwritten {
  readonly record: VectorsRecord;
  readonly codes: Uint8Array;
}

/** The embedder's output for some windows. */
interface Made {
  readonly vectors: readonly Unwritten[];
  readonly tokenCodes: readonly MadeTokenCodes[];
}

const NOTHING_MADE: Made = { vectors: [], tokenCodes: [] };

/**
 * Makes the missing vectors of all indexed documents by the embedder, in the background, and writes them to the log. Also makes token codes, if the
 * embedder supports them and they are kept. Retries after a failure, with a longer pause each time, and continues after a restart.
 */
export class VectorUpgrade {
  readonly #deps: VectorUpgradeDeps;
  readonly #jobs: EmbeddingJobs;
  readonly #closed = new AbortController();
  /** Output that the log did not accept: the write is repeated, and the embedder is not called twice. */
  #unwritten: Made = NOTHING_MADE;
  #running: Promise<void> | undefined;
  #failures = 0;
  #failuresInARow = 0;
  #lastFailure: string | undefined;
  readonly #given = new Set<string>();
  /** Whether it pauses after a failure. */
  #isResting = false;
  #hasStopped = false;
  /** Called when a pause begins. */
  #onRest: (() => void)[] = [];
  #blocked: string | undefined;
  /** Called when it is {@link blocked}. */
  #onBlocked: (() => void)[] = [];
  /** Ends the pause. */
  #wake = new AbortController();

  constructor(deps: VectorUpgradeDeps) {
    this.#deps = deps;
    const { newest, tokenCodes, clock } = deps;
    this.#jobs = new EmbeddingJobs({
      newest,
      tokenCodes,
      slices: new TimeSlices(clock),
      isOpen: () => !this.#closed.signal.aborted,
      // A document that was given up is unfinished: it is tried again after the next start.
      onAllVectors: () => {
        if (this.#given.size === 0) deps.onUnfinished(false);
      },
    });
  }

  /** The number of documents that lack vectors and will get them. */
  get length(): number {
    return this.#jobs.vectorsMissing;
  }
  /** The number of documents that lack only token codes, and will get them. */
  get tokenCodesMissing(): number {
    return this.#jobs.tokenCodesMissing;
  }
  /** The number of documents whose token codes could not be made or kept. */
  get tokenCodesGivenUp(): number {
    return this.#jobs.tokenCodesGivenUp;
  }
  /** The number of failed calls of the embedder. */
  get failures(): number {
    return this.#failures;
  }
  /** Why the last call failed; undefined once a later call has succeeded. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }
  /** The number of documents that the embedder refused again and again: they are tried again after the next start. */
  get givenUp(): number {
    return this.#given.size;
  }

  /** Whether the last run ended with work left because of the bot itself, as when its capacity is exhausted. */
  get hasStopped(): boolean {
    return this.#hasStopped && !this.#jobs.isEmpty;
  }

  /**
   * Why nothing is made before a setting is changed or the bot is opened again; undefined if the failure may pass, and if nothing waits.
   * A model server is still asked at intervals: the setting may be changed there.
   */
  get blocked(): string | undefined {
    return this.#jobs.isEmpty ? undefined : this.#blocked;
  }

  /** Adds a document that may lack vectors. */
  add(id: string): void {
    if (this.#closed.signal.aborted) return;
    if (this.#jobs.vectorsMissing === 0) this.#deps.onUnfinished(true);
    this.#jobs.add(id);
    this.#given.delete(id);
    if (this.#deps.background) this.#start();
  }

  /** Adds a document that may lack token codes, which it gets when no vectors are missing. */
  addForTokenCodes(id: string): void {
    if (this.#closed.signal.aborted) return;
    this.#jobs.addForTokenCodes(id);
    if (this.#deps.background && !this.#jobs.isEmpty) this.#start();
  }

  /** Removes a deleted document. */
  remove(id: string): void {
    this.#given.delete(id);
    this.#jobs.remove(id);
  }

  /** Resolves when nothing waits any more, the embedder is unavailable, or it is {@link blocked}. Work that was blocked is tried once more. */
  async whenIdle(): Promise<void> {
    if (this.#closed.signal.aborted || this.#jobs.isEmpty) return;
    if (this.#isResting && this.#blocked !== undefined) this.#wake.abort();
    this.#start();
    await Promise.race([this.#running, new Promise<void>((resolve) => this.#onBlocked.push(resolve))]);
  }

  /** Whether it makes vectors now, and does not pause. */
  get isWorking(): boolean {
    return this.#running !== undefined && !this.#isResting;
  }

  /** The same as {@link whenIdle}, but also resolves when the embedder fails and a pause begins. */
  async whenIdleOrResting(): Promise<void> {
    if (this.#closed.signal.aborted || this.#jobs.isEmpty) return;
    this.#start();
    if (this.#isResting) return;
    await Promise.race([this.#running, new Promise<void>((resolve) => this.#onRest.push(resolve))]);
  }

  /** Stops; missing vectors are made after the next start. */
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
      // Opening an embedder may take long: closing does not wait for it.
      const embedder = await unlessAborted(this.#deps.embedder(), this.#closed.signal);
      while (embedder !== undefined && !this.#jobs.isEmpty && !this.#closed.signal.aborted) await this.#step(embedder);
    } catch (error) {
      if (!this.#closed.signal.aborted) {
        this.#hasStopped = true;
        this.#blocked = withMend(error);
        const again = codeOf(error) === "READ_ONLY" ? "after the next start" : "when the next document comes";
        this.#say("error", "embeddingStopped", `Vectors are made again ${again}. ${error}`);
      }
    }
    this.#onRest = [];
    this.#onBlocked = [];
    // Here and not when the promise settles: a document that is added right after this starts the next run.
    this.#running = undefined;
  }

  async #step(embedder: Embedder): Promise<void> {
    // Output for a version that is no longer the newest is dropped.
    const { vectors, tokenCodes } = this.#unwritten;
    const isNewest = ({ id, version }: { readonly id: string; readonly version: number }): boolean =>
      this.#deps.newest(id)?.version === version;
    this.#unwritten = {
      vectors: vectors.filter(({ record }) => isNewest(record)),
      tokenCodes: tokenCodes.filter(isNewest),
    };
    const jobs = this.#unwritten.vectors.length > 0 ? [] : await this.#jobs.next(embedder);
    if (this.#unwritten.vectors.length === 0 && jobs.length === 0) {
      this.#unwritten = NOTHING_MADE;
      return;
    }
    try {
      if (jobs.length > 0) this.#unwritten = await this.#embed(embedder, jobs);
      const made = this.#unwritten;
      await allSettled(made.vectors.map(({ record, codes }) => this.#deps.append(record, codes)));
      this.#unwritten = NOTHING_MADE;
      await this.#keepTokenCodes(made.tokenCodes);
      if (this.#failuresInARow > 0) this.#say("info", "embeddingGoesOn", "Passages are embedded again.");
      this.#failuresInARow = 0;
      this.#lastFailure = undefined;
      this.#blocked = undefined;
      this.#jobs.made(jobs);
    } catch (error) {
      if (this.#closed.signal.aborted) return;
      this.#failures += 1;
      this.#lastFailure = reasonOf(error);
      if (OF_THE_BOT.has(codeOf(error))) throw error;
      if (codeOf(error) === EMBEDDER_FAILED) this.#afterRefusal(jobs);
      else await this.#afterFailure(isLasting(error) ? withMend(error) : undefined);
    }
  }

  /** Keeps token codes after their vectors are durable: after a crash in between, the token codes are made again. */
  async #keepTokenCodes(made: readonly MadeTokenCodes[]): Promise<void> {
    const unkept = (await this.#deps.tokenCodes?.keep(made)) ?? [];
    for (const id of unkept) this.#jobs.giveUpTokenCodes(id, "unkept");
    if (unkept.length === 0 && made.length > 0) this.#jobs.takeUpUnkept();
  }

  async #embed(embedder: Embedder, jobs: readonly Job[]): Promise<Made> {
    const texts = jobs.flatMap((job) => job.texts);
    const { vectors, tokenCodes } = await this.#encode(embedder, texts);
    const { id, version, dimensions } = embedder;
    // All codes are made before the first write: an error must leave no write behind that nobody awaits.
    const codes = codesOf(vectors, dimensions);
    const space = { id, version, dimensions };
    const made = { vectors: [] as Unwritten[], tokenCodes: [] as MadeTokenCodes[] };
    let taken = 0;
    for (const { id, version, first, texts, lacksVectors } of jobs) {
      const [from, to] = [taken, taken + texts.length];
      taken = to;
      if (tokenCodes !== undefined)
        made.tokenCodes.push({ id, version, first, tokenCodes: tokenCodes.slice(from, to) });
      if (!lacksVectors) continue;
      const of = { kind: "vectors", id, version, first, count: texts.length } as const;
      const record: VectorsRecord = { ...of, space, texts: EMBEDDED_TEXTS_VERSION, encoding: "int8" };
      made.vectors.push({ record, codes: codes.slice(from * dimensions, to * dimensions) });
    }
    return made;
  }

  /** The vectors of texts, and their token codes if they are kept. */
  async #encode(
    embedder: Embedder,
    texts: readonly string[],
  ): Promise<{ readonly vectors: readonly Float32Array[]; readonly tokenCodes?: readonly Uint8Array[] }> {
    const { signal } = this.#closed;
    const { tokens } = embedder;
    if (tokens !== undefined && this.#deps.tokenCodes?.isOpen === true) {
      const encoded = await unlessAborted(tokens.embedPassages(texts, signal), signal);
      requireEntries(encoded, texts.length, tokens.space);
      return { vectors: encoded.vectors, tokenCodes: encoded.tokens.map(({ tokenCodes }) => tokenCodes) };
    }
    const vectors = await unlessAborted(embedder.embedPassages(texts, signal), signal);
    if (vectors.length !== texts.length)
      throw new RangeError(`It gave ${vectors.length} vectors for ${texts.length} texts.`);
    return { vectors };
  }

  /** Pauses after a failure of the embedder itself, longer each time. Callers that wait for vectors do not wait for a lasting failure. */
  async #afterFailure(blocked: string | undefined): Promise<void> {
    const delayMs = Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** this.#failuresInARow);
    this.#failuresInARow += 1;
    const { vectorsMissing, tokenCodesMissing } = this.#jobs;
    const waiting =
      vectorsMissing > 0
        ? `${vectorsMissing} documents wait for vectors`
        : `${tokenCodesMissing} documents wait for the token codes`;
    const message = `${waiting}; the next try is in ${delayMs / 1_000} s. ${this.#lastFailure}`;
    this.#say("warn", "embeddingFailed", message);
    this.#isResting = true;
    this.#blocked = blocked;
    for (const rests of this.#onRest.splice(0)) rests();
    if (blocked !== undefined) for (const tell of this.#onBlocked.splice(0)) tell();
    this.#wake = new AbortController();
    await this.#deps.sleep(delayMs, AbortSignal.any([this.#closed.signal, this.#wake.signal]));
    this.#isResting = false;
  }

  /** Handles refused texts: their documents go to the end. A document that is then refused alone {@link EMBEDDING_REFUSALS_MAX} times is given up. */
  #afterRefusal(jobs: readonly Job[]): void {
    for (const { id, lacksVectors } of this.#jobs.refused(jobs, EMBEDDING_REFUSALS_MAX)) {
      if (!lacksVectors) {
        this.#jobs.giveUpTokenCodes(id, "refused");
        const without = "is found without reranking until the next start";
        this.#say("warn", "tokenCodesGivenUp", `Document ${id} ${without}. ${this.#lastFailure}`);
        continue;
      }
      this.#given.add(id);
      this.#jobs.giveUp(id);
      this.#say(
        "error",
        "embeddingGivenUp",
        `Document ${id} is found by words until the next start. ${this.#lastFailure}`,
      );
    }
  }

  #say(level: "info" | "warn" | "error", event: string, message: string): void {
    this.#deps.logger({ level, event, message, botId: this.#deps.botId });
  }
}

/**
 * Errors of the bot itself, which stop the work. A full bot takes nothing until something is deleted: the next document tries again. A read-only bot
 * takes nothing before a restart.
 */
const OF_THE_BOT: ReadonlySet<unknown> = new Set(["BOT_FULL", "READ_ONLY"]);

/** Whether the same call would fail again: the embedder says so, or its output breaks its contract. */
function isLasting(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && "lasts" in error && error.lasts === true);
}

/** Why something failed, and how to mend it if the error says so. */
function withMend(error: unknown): string {
  const why = reasonOf(error);
  const mend = error instanceof Error && "mend" in error && typeof error.mend === "string" ? error.mend : undefined;
  return mend === undefined ? why : `${why.replace(/\.$/, "")}. To mend it: ${mend}`;
}

/** The quantized codes of the vectors. @throws RangeError for a vector of another length, EmbedderError for one that is not all numbers */
function codesOf(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const codes = new Uint8Array(vectors.length * dimensions);
  for (const [i, vector] of vectors.entries()) {
    requireLength(vector, dimensions);
    requireNumbers(vector);
    codes.set(encodeVector(vector), i * dimensions);
  }
  return codes;
}

/** As `Promise.all`, but waits for all promises, so that none is left running. */
async function allSettled(promises: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
