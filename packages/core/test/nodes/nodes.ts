import { AsyncLocalStorage } from "node:async_hooks";
import { onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { EngineOptions } from "../../src/engine-options.ts";
import type { Article } from "../../src/model/types.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";

/** Engines of three nodes on one simulated database, closed after the test. */
export async function openNodes(
  options: EngineOptions = {},
): Promise<{ database: SimulatedDatabase; nodes: [Engine, Engine, Engine]; open: () => Promise<Engine> }> {
  const database = new SimulatedDatabase();
  const open = async (): Promise<Engine> => {
    const engine = await Engine.open({ embedders: {}, ...options, storage: database.open() });
    onTestFinished(() => engine.close());
    return engine;
  };
  return { database, nodes: [await open(), await open(), await open()], open };
}

/** The code of the error that a promise rejects with; undefined if it resolves. */
export async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
  );
}

/** An article without its status, which each node has reached by itself. */
export function withoutStatus({ status: _, ...article }: Article): Omit<Article, "status"> {
  return article;
}

/**
 * The round trips of one call. Those of beats and of other nodes are not counted: a node whose beat waits for what the same node has yet to do would wait for
 * ever.
 */
export class TripsOfACall {
  readonly #call = new AsyncLocalStorage<TripsOfACall>();
  #left = Number.POSITIVE_INFINITY;
  #atTrip: () => Promise<unknown> = () => Promise.resolve();

  /** Runs the call. */
  async during<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await this.#call.run(this, call);
    } finally {
      // One that stays enabled costs time at each promise of the process, also of the test files that come after.
      this.#call.disable();
    }
  }

  /** Lets the call wait for `atTrip` at its round trip number `at`, counted from 0 and from now on. */
  waitAt(at: number, atTrip: () => Promise<unknown>): void {
    [this.#left, this.#atTrip] = [at, atTrip];
  }

  /** Whether the call has come to that round trip. */
  get wasReached(): boolean {
    return this.#left < 0;
  }

  /** To be awaited by each round trip of the database. */
  async passed(): Promise<void> {
    if (this.#call.getStore() !== this) return;
    this.#left -= 1;
    if (this.#left === -1) await this.#atTrip();
  }
}
