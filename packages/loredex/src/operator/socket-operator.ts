import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";
import { LoredexError } from "@loredex/core";
import type { Operation, Operator } from "./operator.ts";
import { fromWire, OPERATIONS, PATH_PREFIX, type WireError } from "./wire.ts";

/** As many requests at once as an import has documents on their way. */
const CONNECTIONS_MAX = 32;

/** The operator of a running server, over its socket. */
export function socketOperator(socketPath: string): Operator {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS_MAX });
  const call = async (operation: string, parameters: readonly unknown[]): Promise<unknown> => {
    const { result, error } = await post({ socketPath, agent, operation, parameters });
    if (error !== undefined) throw fromWire(error);
    return result;
  };
  const operations = Object.fromEntries(
    [...OPERATIONS].map((operation) => [operation, (...parameters: unknown[]) => call(operation, parameters)]),
  );
  // Boundary: the other side is the same program, and every operation of the port is in OPERATIONS.
  const typed = operations as unknown as Pick<Operator, Operation>;
  return { ...typed, close: async () => agent.destroy() };
}

/** Whether a server listens there. */
export async function isListening(socketPath: string): Promise<boolean> {
  const agent = new Agent();
  try {
    await post({ socketPath, agent, operation: "listBots", parameters: [] });
    return true;
  } catch {
    return false;
  } finally {
    agent.destroy();
  }
}

interface Call {
  readonly socketPath: string;
  readonly agent: Agent;
  readonly operation: string;
  readonly parameters: readonly unknown[];
}

interface Answer {
  readonly result?: unknown;
  readonly error?: WireError;
}

/** @throws LoredexError `STORAGE_FAILED` if nobody answers */
function post({ socketPath, agent, operation, parameters }: Call): Promise<Answer> {
  return new Promise<Answer>((resolve, reject) => {
    const body = Buffer.from(JSON.stringify(parameters));
    const headers = { "content-type": "application/json", "content-length": body.length };
    request({ socketPath, agent, path: PATH_PREFIX + operation, method: "POST", headers })
      // Boundary: the other side is the same program.
      .on("response", (response) => text(response).then((json) => resolve(JSON.parse(json) as Answer), reject))
      .on("error", reject)
      .end(body);
  }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new LoredexError("STORAGE_FAILED", `The running server could not be reached: ${reason}.`, { cause });
  });
}
