import { closedError, EmbedderError } from "@loredex/core";
import { type EncoderWorker, WorkerCrash } from "./encoder-worker.ts";
import type { LoadedModel } from "./messages.ts";
import { afterMs } from "./patience.ts";
import { startProblem } from "./start-problem.ts";
import type { Task } from "./task.ts";
import { TaskQueue } from "./task-queue.ts";

/** A worker holds the model in memory, and takes a second to start: one that has had nothing to do for so long ends. */
const IDLE_MS_MAX = 600_000;

/** Workers that may crash on one text before it is given up. */
const CRASHES_MAX = 2;

/**
 * Hands tasks to workers, one at a time each, questions first. At most `size` of them encode passages at the same time; a question that
 * finds all busy gets one more, which is for questions alone, so that no question waits for long passages. Workers are started when
 * there is work for them, and end when they had none for a while; one that crashes is replaced and its task tried once more. When none can be started,
 * what waits is rejected, and the next task tries again.
 */
export class WorkerPool {
  readonly #queue = new TaskQueue();
  readonly #workers = new Set<EncoderWorker>();
  /** Each with what calls its end off. The one that has worked last comes last. */
  readonly #idle = new Map<EncoderWorker, () => void>();
  /** Those that had nothing to do and end by themselves. */
  readonly #ending = new Set<Promise<void>>();
  readonly #running = new Set<Task>();
  #starting = false;
  #closing: Promise<void> | undefined;

  constructor(
    private readonly size: number,
    private readonly startWorker: () => EncoderWorker,
    /** Throws if what a new worker has loaded is not the model that all others have. */
    private readonly requireSame: (loaded: LoadedModel) => void,
    /** Calls the end of a worker that has had nothing to do for long; returns what calls that off. */
    private readonly afterIdling: (end: () => void) => () => void = (end) => afterMs(IDLE_MS_MAX, end),
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
    task.encoded.catch(() => this.#queue.remove(task));
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
    for (const stay of this.#idle.values()) stay();
    await Promise.all([...this.#ending, ...[...this.#workers].map((worker) => worker.close())]);
  }

  /** Hands waiting tasks to idle workers, and starts one more where that is not enough. */
  #hand(): void {
    if (this.#closing !== undefined) return;
    // The one that has worked last goes first: those that are too many can end.
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

  /** One with another model would be there for ever, with nothing to do. */
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

  /** It has nothing to do, and ends if that goes on. */
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

  /** From here on it is given nothing: the next task finds another, or has one started. */
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
