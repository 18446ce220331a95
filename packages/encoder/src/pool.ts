import { closedError, EmbedderError } from "@loredex/core";
import { type EncoderWorker, WorkerCrash } from "./encoder-worker.ts";
import { startProblem } from "./start-problem.ts";
import type { Task } from "./task.ts";
import { TaskQueue } from "./task-queue.ts";

/** Workers that may crash on one text before it is given up. */
const CRASHES_MAX = 2;

/**
 * Hands tasks to workers, one at a time each, questions first. At most `size` of them encode passages at the same time; a question that
 * finds all busy gets one more, which is for questions alone, so that no question waits for long passages. Workers are started when
 * there is work for them, and stay; one that crashes is replaced and its task tried once more. When none can be started,
 * what waits is rejected, and the next task tries again.
 */
export class WorkerPool {
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<EncoderWorker>();
  readonly #idle = new Set<EncoderWorker>();
  readonly #running = new Set<Task>();
  #starting = false;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly size: number,
    private readonly startWorker: () => EncoderWorker,
  ) {}

  /** Questions that no worker has begun with. */
  get questionsWaiting(): number {
    return this.#queue.questions;
  }

  /** Starts the first worker. Rejects with `EMBEDDER_UNAVAILABLE`. */
  async open(): Promise<void> {
    await this.#start();
  }

  /** Takes a task in; its own promise tells how it ends. */
  add(task: Task): void {
    if (this.#closing !== undefined) task.reject(closedError());
    if (task.settled) return;
    this.#queue.add(task);
    // An aborted task gives its place in the queue back at once.
    task.vector.catch(() => this.#queue.remove(task));
    this.#hand();
  }

  /** Rejects everything, and resolves when every worker has ended. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#queue.clear(closedError());
    for (const task of this.#running) task.reject(closedError());
    await Promise.all([...this.#workers].map((worker) => worker.close()));
  }

  /** Hands waiting tasks to idle workers, and starts one more where that is not enough. */
  #hand(): void {
    if (this.#closing !== undefined) return;
    for (const worker of this.#idle) {
      const task = this.#queue.nextQuestion() ?? (this.#runsAllPassages() ? undefined : this.#queue.nextPassage());
      if (task === undefined) break;
      this.#idle.delete(worker);
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
      // Workers that live serve what waits. Where none does, waiting longer would help nobody.
      if (this.#workers.size === 0 && error instanceof EmbedderError) this.#queue.clear(error);
    }
  }

  async #start(): Promise<void> {
    this.#starting = true;
    let worker: EncoderWorker | undefined;
    try {
      // Throws where the system gives no more processes.
      worker = this.startWorker();
      const started = worker;
      this.#workers.add(started);
      void started.ended.then(() => this.#forget(started));
      await started.ready;
    } catch (error) {
      if (worker !== undefined) this.#forget(worker);
      throw startError(error);
    } finally {
      this.#starting = false;
    }
    this.#idle.add(worker);
    this.#hand();
  }

  async #run(worker: EncoderWorker, task: Task): Promise<void> {
    this.#running.add(task);
    try {
      task.resolve(await worker.encode(task.text));
      this.#idle.add(worker);
    } catch (error) {
      if (error instanceof WorkerCrash) {
        this.#forget(worker);
        this.#retry(task, error);
      } else {
        this.#idle.add(worker);
        task.reject(error instanceof Error ? error : new EmbedderError("EMBEDDER_FAILED", String(error)));
      }
    } finally {
      this.#running.delete(task);
    }
    this.#hand();
  }

  #forget(worker: EncoderWorker): void {
    this.#workers.delete(worker);
    this.#idle.delete(worker);
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
