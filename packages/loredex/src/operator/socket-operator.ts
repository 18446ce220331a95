import { Agent, request } from "node:http";
import { LoredexError } from "@loredex/core";
import type { Operation, Operator } from "./operator.ts";
import { fromWire, OPERATIONS, PATH_PREFIX, type WireError } from "./wire.ts";

/** The operator of a running server, over its socket. */
export function socketOperator(socketPath: string): Operator {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 });
  const call = async (operation: string, parameters: readonly unknown[]): Promise<unknown> => {
    const { result, error } = await post(socketPath, agent, PATH_PREFIX + operation, JSON.stringify(parameters));
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
export function isListening(socketPath: string): Promise<boolean> {
  return post(socketPath, new Agent(), `${PATH_PREFIX}listBots`, "[]").then(
    () => true,
    () => false,
  );
}

interface Answer {
  readonly result?: unknown;
  readonly error?: WireError;
}

function post(socketPath: string, agent: Agent, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath,
      agent,
      path,
      method: "POST",
      headers: { "content-length": Buffer.byteLength(body) },
    });
    sent.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString("utf8")) as Answer);
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on("error", (error) => {
      reject(
        new LoredexError("STORAGE_FAILED", `The running server could not be reached: ${error.message}.`, {
          cause: error,
        }),
      );
    });
    sent.end(body);
  });
}
