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
