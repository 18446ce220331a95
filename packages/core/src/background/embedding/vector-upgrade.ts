import { EMBEDDER_FAILED, type Embedder } from "../../embedding/embedder.ts";
import { reasonOf } from "../../model/errors.ts";
import { must } from "../../model/must.ts";
import { EMBEDDING_REFUSALS_MAX } from "../../model/options.ts";
import type { JobTurn } from "../../nodes/job-turn.ts";
import { unlessAborted } from "../../platform/abort.ts";
import type { Logger } from "../../platform/log-event.ts";
import { embedWindows, type Made, type VectorsRecord } from "./embed-windows.ts";
import { EmbeddingJobs, type EmbeddingJobsDeps, type Job } from "./embedding-jobs.ts";
import type { TokenCodesJob } from "./token-codes-job.ts";
import {
  BEGINNING,
  codeOf,
  failureOf,
  type Outcome,
  type StateAt,
  transition,
  type UpgradeEvent,
  type UpgradeState,
  type Working,
} from "./upgrade-states.ts";

export interface VectorUpgradeDeps extends EmbeddingJobsDeps {
  /** Opens the embedder; undefined if it is unavailable. */
  readonly embedder: () => Promise<Embedder | undefined>;
  /** Keeps the token codes; undefined if none are kept. */
  readonly tokenCodes:
    | (Pick<TokenCodesJob, "isOpen" | "gap" | "keep"> & Partial<Pick<TokenCodesJob, "refresh">>)
    | undefined;
  /** Appends vectors to the log, if their version is still the newest. Resolves when they are durable and searches use them. */
  readonly append: (record: VectorsRecord, codes: Uint8Array) => Promise<unknown>;
  /** Resolves after `ms` milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly logger: Logger;
  readonly botId: string;
  /** One node at a time makes vectors. Undefined: this node always may. */
  readonly turn?: JobTurn | undefined;
  /** False: only works while a caller waits with {@link VectorUpgrade.whenIdle}. */
  readonly background: boolean;
}

/** States in which nothing more happens before the next event from outside, or only after the operator has done something. */
const AT_REST: ReadonlySet<UpgradeState["at"]> = new Set(["idle", "stopped", "closed"]);
const AT_REST_OR_BLOCKED: typeof AT_REST = new Set([...AT_REST, "blocked"]);
const NOT_WORKING: typeof AT_REST = new Set([...AT_REST_OR_BLOCKED, "paused"]);

/**
 * Makes the missing vectors of all indexed documents by the embedder, in the background, and writes them to the log. Also makes token codes, if the
 * embedder supports them and they are kept. Retries after a failure, with a longer pause each time, and continues after a restart.
 *
 * It performs the work of the states of {@link UpgradeState}, one at a time.
 */
export class VectorUpgrade {
  readonly #deps: VectorUpgradeDeps;
  readonly #jobs: EmbeddingJobs;
  #state = BEGINNING;
  /** The embedder that the last `opening` opened. */
  #embedder: Embedder | undefined;
  /** Ends the work in progress, whose state was left. */
  #leave = new AbortController();
  /** Resolves when no work is in progress. */
  #running: Promise<void> | undefined;
  readonly #waiting = new Set<{ readonly until: typeof AT_REST; readonly resolve: () => void }>();

  constructor(deps: VectorUpgradeDeps) {
    this.#deps = deps;
    this.#jobs = new EmbeddingJobs(deps);
  }

  /** The numbers of documents that lack something. */
  get documents(): Pick<EmbeddingJobs, `${"vectors" | "tokenCodes"}${"Missing" | "GivenUp"}`> {
    return this.#jobs;
  }
  /** The failures of calls. */
  get past(): UpgradeState["past"] {
    return this.#state.past;
  }

  /** Whether the last run ended with work left because of the bot itself, as when its capacity is exhausted. */
  get hasStopped(): boolean {
    return this.#state.at === "stopped" && !this.#jobs.isEmpty;
  }

  /**
   * Why nothing is made before a setting is changed or the bot is opened again; undefined if the failure may pass, and if nothing waits.
   * A model server is still asked at intervals: the setting may be changed there.
   */
  get blocked(): string | undefined {
    return this.#jobs.isEmpty ? undefined : this.#state.past.blocked;
  }

  /** Whether it makes vectors now, and does not pause. */
  get isWorking(): boolean {
    return !NOT_WORKING.has(this.#state.at);
  }

  /** Adds a document that may lack vectors; or token codes, which it gets when no vectors are missing. */
  add(id: string, event: "added" | "lacksTokenCodes" = "added"): void {
    if (this.#state.at === "closed") return;
    this.#jobs.move(id, event);
    if (this.#deps.background && !this.#jobs.isEmpty) this.#take({ is: "added" });
  }

  /** Removes a deleted document. */
  remove(id: string): void {
    this.#jobs.move(id, "removed");
  }

  /** Resolves when nothing waits any more, the embedder is unavailable, or it is {@link blocked}. Work that was blocked is tried once more. */
  whenIdle(): Promise<void> {
    return this.#until(AT_REST_OR_BLOCKED, "awaited");
  }

  /** The same as {@link whenIdle}, but also resolves when the embedder fails and a pause begins. */
  whenIdleOrResting(): Promise<void> {
    return this.#until(NOT_WORKING, "added");
  }

  /** Stops; missing vectors are made after the next start. */
  async close(): Promise<void> {
    this.#take({ is: "closed" });
    await this.#running;
  }

  async #until(until: typeof AT_REST, is: "added" | "awaited"): Promise<void> {
    if (this.#jobs.isEmpty) return;
    this.#take({ is });
    if (!until.has(this.#state.at)) await new Promise<void>((resolve) => this.#waiting.add({ until, resolve }));
  }

  /** Takes an event from outside. */
  #take(event: UpgradeEvent): void {
    const [before, leave] = [this.#state, this.#leave];
    this.#move(event);
    if (this.#state !== before) leave.abort(new Error("This work is not needed any more."));
    if (!AT_REST.has(this.#state.at)) this.#running ??= this.#run();
  }

  #move(event: UpgradeEvent): void {
    const before = this.#state;
    this.#state = transition(before, event);
    if (this.#state === before) return;
    this.#tell(before, event, this.#state);
    for (const waiting of this.#waiting) {
      if (!waiting.until.has(this.#state.at)) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }

  /** Does the work of one state after the other, until a state has none. */
  async #run(): Promise<void> {
    // The type of `#work` has each function take its own state.
    const all = this.#work as {
      readonly [at in UpgradeState["at"]]?: (state: never, signal: AbortSignal) => Promise<UpgradeEvent>;
    };
    for (let state = this.#state, work = all[state.at]; work !== undefined; state = this.#state, work = all[state.at]) {
      this.#leave = new AbortController();
      const broke = (error: unknown): UpgradeEvent => ({ is: "broke", error });
      const outcome = await work(state as never, this.#leave.signal).catch(broke);
      // A document that was added since `picking` found none is picked next.
      const isOutdated = outcome.is === "nothingWaits" && !this.#jobs.isEmpty;
      if (this.#state === state && !isOutdated) this.#move(outcome);
    }
    // Here and not when the promise settles: a document that is added right after this starts the next run.
    this.#running = undefined;
    void this.#deps.turn?.leave();
  }

  /** Does the work of each state. An error is the event `broke`. The signal aborts when another event has left the state. */
  readonly #work: { readonly [S in Working]: (state: StateAt<S>, signal: AbortSignal) => Promise<Outcome<S>> } = {
    // Opening an embedder may take long: closing does not wait for it.
    opening: async (_, signal) => {
      this.#embedder = await unlessAborted(this.#deps.embedder(), signal);
      return { is: this.#embedder === undefined ? "unavailable" : "opened" };
    },
    picking: async ({ past: { unwritten } }, signal) => {
      const made = unwritten && this.#newestOf(unwritten);
      if (made !== undefined && made.vectors.length > 0) return { is: "unwritten", made };
      const embedder = must(this.#embedder, "the embedder of an upgrade that was opened");
      try {
        const isOver = (): boolean => signal.aborted || this.#jobs.isEmpty;
        const isNew = await this.#deps.turn?.wait((ms) => this.#deps.sleep(ms, signal), isOver);
        // The node that made vectors before may have made what is missing here.
        if (isNew === true) await this.#deps.tokenCodes?.refresh?.();
      } catch (error) {
        return failureOf(error);
      }
      while (!this.#jobs.isEmpty && !signal.aborted) {
        const jobs = await this.#jobs.next(embedder, signal);
        if (jobs.length > 0) return { is: "picked", jobs };
      }
      return { is: "nothingWaits" };
    },
    embedding: async ({ jobs }, signal) => {
      const embedder = must(this.#embedder, "the embedder of an upgrade that was opened");
      try {
        const made = await embedWindows(embedder, jobs, this.#deps.tokenCodes?.isOpen === true, signal);
        this.#jobs.encoded(jobs);
        return { is: "embedded", made };
      } catch (error) {
        return codeOf(error) === EMBEDDER_FAILED ? { is: "refused", jobs, error } : failureOf(error);
      }
    },
    appending: async ({ made: { vectors } }) => {
      try {
        const appended = vectors.map(({ record, codes }) => this.#deps.append(record, codes));
        // Waits for all, so that none is left running.
        await Promise.allSettled(appended);
        await Promise.all(appended);
        return { is: "durable" };
      } catch (error) {
        return failureOf(error);
      }
    },
    keeping: async ({ made: { tokenCodes } }) => {
      const unkept = (await this.#deps.tokenCodes?.keep(tokenCodes)) ?? [];
      for (const id of unkept) this.#jobs.move(id, "unkept");
      if (unkept.length === 0 && tokenCodes.length > 0) this.#jobs.takeUpUnkept();
      return { is: "kept" };
    },
    paused: (state, signal) => this.#rest(state, signal),
    blocked: (state, signal) => this.#rest(state, signal),
  };

  #rest({ pauseMs }: { readonly pauseMs: number }, signal: AbortSignal) {
    return this.#deps.sleep(pauseMs, signal).then(() => ({ is: "rested" }) as const);
  }

  /** Drops output for a version that is no longer the newest. */
  #newestOf({ vectors, tokenCodes }: Made): Made {
    const isNewest = ({ id, version }: { readonly id: string; readonly version: number }): boolean =>
      this.#deps.newest(id)?.version === version;
    return { vectors: vectors.filter(({ record }) => isNewest(record)), tokenCodes: tokenCodes.filter(isNewest) };
  }

  /** Logs what has happened, and gives up documents that were refused too often. */
  #tell(before: UpgradeState, event: UpgradeEvent, { past, ...after }: UpgradeState): void {
    if (event.is === "refused") this.#afterRefusal(event.jobs, reasonOf(event.error));
    else if (event.is === "kept" && before.past.failuresInARow > 0)
      this.#say("info", "embeddingGoesOn", "Passages are embedded again.");
    // An opening that broke was logged by the use of the embedder, and is not tried again.
    else if (event.is === "halted" || (event.is === "broke" && before.at !== "opening")) {
      const again = codeOf(event.error) === "READ_ONLY" ? "after the next start" : "when the next document comes";
      this.#say("error", "embeddingStopped", `Vectors are made again ${again}. ${event.error}`);
    } else if ("pauseMs" in after) {
      const { vectorsMissing, tokenCodesMissing } = this.#jobs;
      const [count, what] = vectorsMissing > 0 ? [vectorsMissing, "vectors"] : [tokenCodesMissing, "the token codes"];
      const next = `the next try is in ${after.pauseMs / 1_000} s. ${past.lastFailure}`;
      this.#say("warn", "embeddingFailed", `${count} documents wait for ${what}; ${next}`);
    }
  }

  /** Puts the documents of refused texts at the end. One that was then refused alone {@link EMBEDDING_REFUSALS_MAX} times is given up. */
  #afterRefusal(jobs: readonly Job[], reason: string): void {
    for (const { id, lacksVectors } of this.#jobs.refused(jobs, EMBEDDING_REFUSALS_MAX)) {
      this.#jobs.move(id, "givenUp");
      const message = `Document ${id} is found ${lacksVectors ? "by words" : "without reranking"} until the next start. ${reason}`;
      if (lacksVectors) this.#say("error", "embeddingGivenUp", message);
      else this.#say("warn", "tokenCodesGivenUp", message);
    }
  }

  #say(level: "info" | "warn" | "error", event: string, message: string): void {
    this.#deps.logger({ level, event, message, botId: this.#deps.botId });
  }
}
