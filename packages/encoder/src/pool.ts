import { closedError, EmbedderError } from "@loredex/core";
import { type EncoderWorker, WorkerCrash } from "./encoder-worker.ts";
import type { LoadedModel } from "./messages.ts";
import { afterMs } from "./patience.ts";
import { startProblem } from "./start-problem.ts";
import type { Task } from "./task.ts";
import { TaskQueue } from "./task-queue.ts";

/** Time after which an idle worker ends. A worker holds the model in memory, and takes a second to start. */
const IDLE_MS_MAX = 600_000;

/** Number of workers that may crash on one text before it is given up. */
const CRASHES_MAX = 2;

/**
 * Hands tasks to workers, one at a time each, questions first. At most `size` workers encode passages at the same time. A question that finds all busy gets one
 * more worker, which serves only questions, so that no question waits for long passages. Workers are started when there is work for them, and end after a time
 * without any. A crashed worker is replaced, and its task is tried once more. If no worker can be started, the waiting tasks are rejected, and the next task
 * tries again.
 */
export class WorkerPool {
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<EncoderWorker>();
  /** Idle workers, each with the function that cancels its end. The worker that was used last comes last. */
  readonly #idle = new Map<EncoderWorker, () => void>();
  /** Ends of idle workers, in progress. */
  readonly #ending = new Set<Promise<void>>();
  readonly #running = new Set<Task>();
  #starting = false;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly size: number,
    private readonly startWorker: () => EncoderWorker,
    /** Throws if a new worker has loaded another model than the others. */
    private readonly requireSame: (loaded: LoadedModel) => void,
    /** Schedules the end of an idle worker; returns a function that cancels it. */
    private readonly afterIdling: (end: () => void) => () => void = (end) => afterMs(IDLE_MS_MAX, end),
  ) {}

  /** Number of questions that wait for a worker. */
  get questionsWaiting(): number {
    return this.#queue.questions;
  }

  /** Starts the first worker. Rejects with `EMBEDDER_UNAVAILABLE`. */
  async open(): Promise<void> {
    await this.#start();
  }

  /** Adds a task. Its own promise tells how it ends. */
  add(task: Task): void {
    if (this.#closing !== undefined) task.reject(closedError());
    if (task.settled) return;
    this.#queue.add(task);
    // An aborted task leaves the queue at once.
    task.encoded.catch(() => this.#queue.remove(task));
    this.#hand();
  }

  /** Rejects all tasks, and resolves when every worker has ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#queue.clear(closedError());
    for (const task of this.#running) task.reject(closedError());
    for (const stay of this.#idle.values()) stay();
    await Promise.all([...this.#ending, ...[...this.#workers].map((worker) => worker.close())]);
  }

  /** Hands waiting tasks to idle workers, and starts one more if these are too few. */
  #hand(): void {
    if (this.#closing !== undefined) return;
    // The worker used last is used first, so that superfluous ones can end.
    for (const worker of [...this.#idle.keys()].reverse()) {
      const task = this.#queue.nextQuestion() ?? (this.#runsAllPassages() ? undefined : this.#queue.nextPassage());
      if (task === undefined) break;
      this.#wake(worker);
      void this.#run(worker, task);
    }
    if (!this.#starting && this.#idle.size === 0 && this.#wantsWorker()) void this.#startForQueue();
  }

  #runsAllPassages(): boolean {
    let passages = 0;
    for (const task of this.#running) if (task.kind === "passage") passages += 1;
    return passages >= this.size;
  }

  #wantsWorker(): boolean {
    const most = this.#queue.questions > 0 ? this.size + 1 : this.#queue.passages > 0 ? this.size : 0;
    return this.#workers.size < most;
  }

  async #startForQueue(): Promise<void> {
    try {
      await this.#start();
    } catch (error) {
      // Running workers serve the waiting tasks. Without any, waiting longer would be useless.
      if (this.#workers.size === 0 && error instanceof EmbedderError) this.#queue.clear(error);
    }
  }

  async #start(): Promise<void> {
    this.#starting = true;
    let worker: EncoderWorker | undefined;
    try {
      // Throws if the system starts no more processes.
      worker = this.startWorker();
      const started = worker;
      this.#workers.add(started);
      void started.ended.then(() => this.#forget(started));
      this.#requireSame(started, await started.ready);
    } catch (error) {
      if (worker !== undefined) this.#forget(worker);
      throw startError(error);
    } finally {
      this.#starting = false;
    }
    this.#rest(worker);
    this.#hand();
  }

  /** Ends a worker with another model: it would stay idle for ever. */
  #requireSame(worker: EncoderWorker, loaded: LoadedModel): void {
    try {
      this.requireSame(loaded);
    } catch (error) {
      this.#end(worker);
      throw error;
    }
  }

  async #run(worker: EncoderWorker, task: Task): Promise<void> {
    this.#running.add(task);
    try {
      task.resolve(await worker.encode(task.text, task.withTokens ? task.kind : undefined));
      this.#rest(worker);
    } catch (error) {
      if (error instanceof WorkerCrash) {
        this.#forget(worker);
        this.#retry(task, error);
      } else {
        this.#rest(worker);
        task.reject(error instanceof Error ? error : new EmbedderError("EMBEDDER_FAILED", String(error)));
      }
    } finally {
      this.#running.delete(task);
    }
    this.#hand();
  }

  /** Marks the worker as idle. It ends if it stays so. */
  #rest(worker: EncoderWorker): void {
    if (this.#closing !== undefined || !this.#workers.has(worker)) return;
    this.#idle.set(
      worker,
      this.afterIdling(() => this.#end(worker)),
    );
  }

  #wake(worker: EncoderWorker): void {
    this.#idle.get(worker)?.();
    this.#idle.delete(worker);
  }

  /** Ends a worker. It gets no more tasks: the next task finds another, or has one started. */
  #end(worker: EncoderWorker): void {
    this.#forget(worker);
    const ending: Promise<void> = worker.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
  }

  #forget(worker: EncoderWorker): void {
    this.#workers.delete(worker);
    this.#wake(worker);
  }

  #retry(task: Task, crash: WorkerCrash): void {
    task.crashes += 1;
    if (task.settled) return;
    if (task.crashes < CRASHES_MAX) this.#queue.putBack(task);
    else task.reject(new EmbedderError("EMBEDDER_FAILED", "Two workers crashed on the same text.", { cause: crash }));
  }
}

function startError(error: unknown): EmbedderError {
  if (error instanceof EmbedderError) return error;
  return startProblem({ error: error instanceof Error ? error : new Error(String(error)) });
}
