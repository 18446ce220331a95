import { Agent, type IncomingMessage, request } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { LoredexError, readJson } from "@loredex/core";
import { readLines } from "./download.ts";
import type { Operation, Operator, SalvagePart } from "./operator.ts";
import { requestBody } from "./request-body.ts";
import { fromWire, OPERATIONS, PATH_PREFIX, STREAM_TYPE, UPLOAD, type WireError } from "./wire.ts";

/** The most requests at once: as many as an import has documents in flight. */
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
  // Boundary: the server is the same program, and every operation of the port is in OPERATIONS.
  const typed = operations as unknown as Pick<Operator, Operation>;
  return {
    ...typed,
    salvage: (bot) => salvaged({ socketPath, agent, operation: "salvage", parameters: [bot] }),
    backup: (bot, options) => downloaded({ socketPath, agent, operation: "backup", parameters: [bot, options] }),
    restore: async (backup, as) => {
      const operation = as === undefined ? UPLOAD : `${UPLOAD}?${new URLSearchParams({ as })}`;
      const { result, error } = await reaching(async () =>
        answerOf(await upload({ socketPath, agent, operation }, backup)),
      );
      if (error !== undefined) throw fromWire(error);
      // Boundary: the server is the same program.
      return result as Awaited<ReturnType<Operator["restore"]>>;
    },
    close: async () => agent.destroy(),
  };
}

async function* downloaded(call: Call): AsyncGenerator<Uint8Array> {
  yield* await download(call);
}

async function* salvaged(call: Call): AsyncGenerator<SalvagePart> {
  // Boundary: the server is the same program.
  for await (const part of readLines(await download(call))) yield part as SalvagePart;
}

/** Whether a server listens on the socket, and answers before the signal aborts. */
export async function isListening(socketPath: string, signal?: AbortSignal): Promise<boolean> {
  const agent = new Agent();
  const patience = signal === undefined ? {} : { signal };
  try {
    await post({ socketPath, agent, operation: "listBots", parameters: [], ...patience });
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
  readonly signal?: AbortSignal;
}

interface Answer {
  readonly result?: unknown;
  readonly error?: WireError;
}

/** Sends a request. @throws LoredexError `STORAGE_FAILED` if no server answers, `VALIDATION` if the parameters cannot be sent */
async function post(call: Call): Promise<Answer> {
  const body = requestBody(call.parameters);
  return reaching(async () => answerOf(await send(call, body)));
}

/** The bytes of an answer as they arrive. @throws LoredexError the server's refusal */
async function download(call: Call): Promise<AsyncIterable<Buffer>> {
  const body = requestBody(call.parameters);
  const response = await reaching(() => send(call, body));
  if (response.headers["content-type"] === STREAM_TYPE) return whole(response);
  const { error } = await reaching(() => answerOf(response));
  throw error === undefined ? unreachable(new Error("it gave no answer")) : fromWire(error);
}

async function* whole(response: IncomingMessage): AsyncGenerator<Buffer> {
  try {
    yield* response;
  } catch (cause) {
    throw new LoredexError("STORAGE_FAILED", "The running server broke off; its log says why.", { cause });
  }
}

function send(
  { socketPath, agent, operation, parameters: _, ...patience }: Call,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": body.length };
    request({ socketPath, agent, path: PATH_PREFIX + operation, method: "POST", headers, ...patience })
      .on("response", resolve)
      .on("error", reject)
      .end(body);
  });
}

function upload(
  { socketPath, agent, operation }: Omit<Call, "parameters">,
  body: AsyncIterable<Uint8Array>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": STREAM_TYPE };
    const sent = request({ socketPath, agent, path: PATH_PREFIX + operation, method: "POST", headers })
      .on("response", resolve)
      .on("error", reject);
    pipeline(Readable.from(body, { objectMode: false }), sent).catch(reject);
  });
}

async function answerOf(response: IncomingMessage): Promise<Answer> {
  // Boundary: the server is the same program.
  return readJson(await text(response)) as Answer;
}

function reaching<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((cause: unknown) => {
    throw unreachable(cause);
  });
}

/** The connection errors of a server that has ended. Every command has reached it before. */
const GONE: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ENOENT",
  "EPIPE",
  "ERR_STREAM_PREMATURE_CLOSE",
]);
const STOPPED =
  "The running server stopped before it answered; its log says why. Run the command again: it needs no running server.";

/** Whether the error means that the server has ended. */
export function isServerGone(error: unknown): boolean {
  return error instanceof LoredexError && error.message === STOPPED;
}

function unreachable(cause: unknown): LoredexError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = GONE.has(code) ? STOPPED : `The running server could not be reached: ${reason}.`;
  return new LoredexError("STORAGE_FAILED", message, { cause });
}
