import { randomUUID } from "node:crypto";
import { type Logger, LoredexError } from "@loredex/core";
import { type AdminJob, type FileReport, tooManyJobs } from "@loredex/http";
import { consoleWords } from "./console-words.ts";

/** Jobs that are kept, of all bots together: the last ones. */
export const JOBS_KEPT_MAX = 100;
/** Jobs that run at once. */
export const JOBS_RUNNING_MAX = 2;
/** Jobs that wait for their turn. One more is refused. */
export const JOBS_WAITING_MAX = 20;

/** Tells how far a job is. If it fails, its last report stays. */
export type JobProgress = (progress: {
  readonly done?: number;
  readonly total?: number;
  readonly message?: string;
  readonly report?: readonly FileReport[];
}) => void;

/** The work of a job. Resolves with its report. */
export type JobWork = (told: JobProgress, signal: AbortSignal) => Promise<readonly FileReport[] | string>;

/** A job to begin. */
export interface NewJob {
  readonly kind: AdminJob["kind"];
  readonly work: JobWork;
  /** Called when the job has ended, or could not begin: removes what it was given. */
  readonly cleanUp?: () => Promise<void>;
}

interface KnownJob {
  readonly bot: string;
  job: AdminJob;
}

/**
 * The jobs of this process: work that continues after the answer that began it. At most {@link JOBS_RUNNING_MAX} run, one of a bot; the others wait in their
 * order. The last {@link JOBS_KEPT_MAX} are known, until the process ends.
 */
export class Jobs {
  readonly #jobs = new Map<string, KnownJob>();
  readonly #waiting: { readonly bot: string; readonly run: () => Promise<void> }[] = [];
  readonly #running = new Map<string, Promise<void>>();
  readonly #closing = new AbortController();
  readonly #nowMs: () => number;
  readonly #logger: Logger;

  /** @param logger receives the errors that the message of a job must not have */
  constructor(nowMs: () => number, logger: Logger) {
    this.#nowMs = nowMs;
    this.#logger = logger;
  }

  /** Begins a job, or lets it wait for its turn. @throws LoredexError `CLOSED`, {@link tooManyJobs} if too many wait */
  begin(bot: string, { kind, work, cleanUp = async () => undefined }: NewJob): AdminJob {
    this.requirePlace();
    const id = randomUUID();
    const known: KnownJob = { bot, job: { id, kind, state: "running", startedAt: this.#now(), done: 0 } };
    this.#jobs.set(id, known);
    for (const [oldest, { job }] of this.#jobs) {
      if (this.#jobs.size <= JOBS_KEPT_MAX) break;
      if (job.state !== "running") this.#jobs.delete(oldest);
    }
    const run = async (): Promise<void> => {
      const told: JobProgress = (progress) => {
        const { message: _, ...before } = known.job;
        known.job = { ...before, ...progress };
      };
      let ended: Pick<AdminJob, "state" | "report" | "message">;
      try {
        this.#closing.signal.throwIfAborted();
        told({});
        // A signal of its own: the common one would collect the listeners of all jobs.
        ended = { state: "done", report: await work(told, AbortSignal.any([this.#closing.signal])) };
      } catch (error) {
        ended = { state: "failed", message: this.#reasonOf(error, known) };
      }
      await cleanUp().catch((error: unknown) => {
        const message = `What the job ${id} (${kind}) was given could not be removed. It is removed after a day, by a start.`;
        this.#logger({ level: "warn", event: "jobNotCleanedUp", message, botId: bot, error });
      });
      told({});
      known.job = { ...known.job, ...ended, endedAt: this.#now() };
    };
    known.job = { ...known.job, message: "waits for other jobs" };
    this.#waiting.push({ bot, run });
    this.#runNext();
    return known.job;
  }

  /** Checks that a job could begin, before its input is taken. @throws LoredexError `CLOSED`, {@link tooManyJobs} */
  requirePlace(): void {
    if (this.#closing.signal.aborted) throw new LoredexError("CLOSED", "The server is shutting down.");
    if (this.#waiting.length < JOBS_WAITING_MAX) return;
    throw tooManyJobs();
  }

  /** The jobs of a bot, newest first. */
  list(bot: string): AdminJob[] {
    return [...this.#jobs.values()]
      .filter((known) => known.bot === bot)
      .map(({ job }) => job)
      .reverse();
  }

  get(bot: string, id: string): AdminJob | undefined {
    const known = this.#jobs.get(id);
    return known?.bot === bot ? known.job : undefined;
  }

  /** Aborts all jobs, and waits until they have ended. Imported documents stay. */
  async close(): Promise<void> {
    this.#closing.abort(new LoredexError("CLOSED", "The server was shut down before the job had ended."));
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #runNext(): void {
    // Two imports into one bot would change the same sources.
    const at = this.#waiting.findIndex(({ bot }) => !this.#running.has(bot));
    if (at < 0 || this.#running.size >= JOBS_RUNNING_MAX) return;
    const [next] = this.#waiting.splice(at, 1);
    if (next === undefined) return;
    const ended = next.run().finally(() => {
      this.#running.delete(next.bot);
      this.#runNext();
    });
    this.#running.set(next.bot, ended);
    this.#runNext();
  }

  #now(): string {
    return new Date(this.#nowMs()).toISOString();
  }

  /** The reason of a failure, for people. Errors that nobody threw on purpose may name files, and stay in the log. */
  #reasonOf(error: unknown, { bot, job: { id, kind } }: KnownJob): string {
    if (error instanceof LoredexError) return consoleWords(error.message);
    const message = `The job ${id} (${kind}) failed by an unexpected error.`;
    this.#logger({ level: "error", event: "jobFailed", message, botId: bot, error });
    return "It failed by an unexpected error; the log of the server has more.";
  }
}
