import type { Semaphore } from "@loredex/core";
import type { WorkerPool } from "./pool.ts";
import { type EncodedText, Task } from "./task.ts";

/** The passages of one call. They end together: when one fails, or the call is stopped, the remaining passages never begin. */
export class PassageBatch {
  readonly #tasks: Task[] = [];
  readonly #stopping = new AbortController();

  constructor(
    private readonly places: Semaphore,
    private readonly pool: WorkerPool,
  ) {}

  /** Returns one vector for each text, in order, with token codes on request. Texts go to the pool as permits become free. */
  async embed(texts: readonly string[], withTokens: boolean): Promise<EncodedText[]> {
    for (const text of texts) {
      this.#stopping.signal.throwIfAborted();
      await this.places.acquire(this.#stopping.signal);
      this.#begin(new Task(text, "passage", withTokens));
    }
    return await Promise.all(this.#tasks.map((task) => task.encoded));
  }

  /** Rejects all texts that have no vector yet. */
  stop(reason: Error): void {
    this.#stopping.abort(reason);
    for (const task of this.#tasks) if (!task.settled) task.reject(reason);
  }

  /** Begins a task, which holds a permit until it is settled. */
  #begin(task: Task): void {
    this.#tasks.push(task);
    task.encoded.then(
      () => this.places.release(),
      (error: Error) => {
        this.places.release();
        this.stop(error);
      },
    );
    const { aborted, reason } = this.#stopping.signal;
    if (aborted) task.reject(reason);
    else this.pool.add(task);
  }
}
