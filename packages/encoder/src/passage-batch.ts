import type { Places, Turn } from "./places.ts";
import type { WorkerPool } from "./pool.ts";
import { type EncodedText, Task } from "./task.ts";

/** The passages of one call. They end together: when one fails, or all are stopped, what has not begun never begins. */
export class PassageBatch {
  readonly #tasks: Task[] = [];
  #turn: Turn | undefined;
  #stopped: Error | undefined;

  constructor(
    private readonly places: Places,
    private readonly pool: WorkerPool,
  ) {}

  /** One vector a text, in order, with the token codes if they are wanted. Texts go to the pool as places come free. */
  async embed(texts: readonly string[], withTokens: boolean): Promise<EncodedText[]> {
    for (const text of texts) {
      if (this.#stopped !== undefined) throw this.#stopped;
      this.#turn = this.places.take();
      await this.#turn.taken;
      this.#begin(new Task(text, "passage", withTokens));
    }
    return await Promise.all(this.#tasks.map((task) => task.encoded));
  }

  /** Rejects what has no vector yet. */
  stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#turn?.leave(reason);
    for (const task of this.#tasks) if (!task.settled) task.reject(reason);
  }

  /** The task holds a place from now until it is settled. */
  #begin(task: Task): void {
    this.#tasks.push(task);
    task.encoded.then(
      () => this.places.give(),
      (error: Error) => {
        this.places.give();
        this.stop(error);
      },
    );
    if (this.#stopped === undefined) this.pool.add(task);
    else task.reject(this.#stopped);
  }
}
