import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { type Logger, LoredexError, systemReason } from "@loredex/core";
import { Begun, begun, jsonBytes } from "./download.ts";
import type { Operator } from "./operator.ts";
import { readParameters } from "./parameters.ts";
import { makeSocketPlace } from "./socket-place.ts";
import { DOWNLOADS, OPERATIONS, PATH_PREFIX, STREAM_TYPE, toWire, UPLOAD } from "./wire.ts";

/** Only the owner may connect. */
const SOCKET_UMASK = 0o177;

const CLOSE_TIMEOUT_MS = 5_000;

export interface OperatorServer {
  /** Finishes begun answers, accepts nothing more, and cuts off unfinished work after 5 seconds. Idempotent. */
  close(): Promise<void>;
}

/** Lets commands of the data's owner on this machine work on the data while a server holds it. */
export async function serveOperator(
  operator: Operator,
  { directory, logger }: { readonly directory: string; readonly logger: Logger },
): Promise<OperatorServer> {
  const place = await makeSocketPlace(directory).catch((cause: unknown) => {
    throw notMade(`${directory}/loredex.sock`, cause);
  });
  let closing: Promise<void> | undefined;
  const server = createServer((request, response) => {
    void answer(operator, request)
      .then(
        (result) => () => sendResult(response, result),
        (error: unknown) => () => send(response, failure(error, logger)),
      )
      .then((reply) => {
        // An open connection would keep the server from ending.
        if (closing !== undefined) response.setHeader("connection", "close");
        return reply();
      })
      .catch((error: unknown) => {
        // A begun answer can only be cut off. Its reader sees that the end is missing.
        failure(error, logger);
        response.destroy();
      });
  });
  // No limit: a command may read for a long time before its next document.
  server.keepAliveTimeout = 0;
  // No limit: a backup takes as long as its transfer.
  server.requestTimeout = 0;
  await listen(server, place.path).catch((cause: unknown) => {
    throw notMade(place.path, cause);
  });
  return {
    close: () => {
      closing ??= drain(server, logger).then(place.clear);
      return closing;
    },
  };
}

function notMade(path: string, cause: unknown): LoredexError {
  const mend = "This user must be able to make files in the data directory, and nothing else may have that name there.";
  const message = `The socket for commands, ${path}, cannot be made: ${systemReason(cause)}. ${mend}`;
  return new LoredexError("STORAGE_FAILED", message, { cause });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The socket is bound within the call, so it has its mode from the beginning.
    const before = process.umask(SOCKET_UMASK);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
  });
}

function drain(server: Server, logger: Logger): Promise<void> {
  return new Promise((resolve) => {
    const deadline = setTimeout(() => {
      logger({ level: "warn", event: "commandsCutOff", message: "Commands that still ran were cut off." });
      server.closeAllConnections();
    }, CLOSE_TIMEOUT_MS);
    server.close(() => {
      clearTimeout(deadline);
      resolve();
    });
    server.closeIdleConnections();
  });
}

async function answer(operator: Operator, request: IncomingMessage): Promise<unknown> {
  const [name = "", query] = request.url?.startsWith(PATH_PREFIX)
    ? request.url.slice(PATH_PREFIX.length).split("?")
    : [];
  if (name === UPLOAD && request.method === "POST") {
    const as = new URLSearchParams(query).get("as");
    return heardOut(request, (body) => operator.restore(body, as ?? undefined));
  }
  if (!(OPERATIONS.has(name) || DOWNLOADS.has(name)) || request.method !== "POST") {
    request.resume();
    const message = "The running server is of another version and does not know this command: restart it with yours.";
    throw new LoredexError("UNSUPPORTED_FORMAT", message);
  }
  const parameters = await readParameters(request);
  if (!Array.isArray(parameters)) throw new LoredexError("UNSUPPORTED_FORMAT", "Parameters must be an array.");
  // Boundary: only the owner of the data reaches the socket, with this program. The engine checks every value nevertheless.
  const operation = operator[name as keyof Operator] as (...given: readonly unknown[]) => unknown;
  // An absent parameter arrives as null.
  const result = operation(...parameters.map((given) => given ?? undefined));
  return DOWNLOADS.has(name) ? begun(result as AsyncIterable<unknown>) : result;
}

/** Takes a request, and reads all of it, even if the answer is known earlier: a client only reads the answer after it has sent everything. */
async function heardOut<Result>(
  request: IncomingMessage,
  take: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
): Promise<Result> {
  const pieces: AsyncIterator<Uint8Array> = request[Symbol.asyncIterator]();
  try {
    return await take({ [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) });
  } catch (error) {
    // A request that broke off has nothing more to read.
    while ((await pieces.next().catch(() => undefined))?.done === false);
    throw error;
  }
}

function failure(error: unknown, logger: Logger): { status: number; body: object } {
  if (error instanceof LoredexError) return { status: 400, body: { error: toWire(error) } };
  logger({ level: "error", event: "operatorFailed", message: "A command failed.", error });
  const message = "The server could not do it; its log says why.";
  return { status: 500, body: { error: toWire(new LoredexError("STORAGE_FAILED", message)) } };
}

async function sendResult(response: ServerResponse, result: unknown): Promise<void> {
  if (!(result instanceof Begun)) return send(response, { status: 200, body: { result } });
  response.writeHead(200, { "content-type": STREAM_TYPE });
  await pipeline(result.lines(), response);
}

async function send(
  response: ServerResponse,
  { status, body }: { readonly status: number; readonly body: object },
): Promise<void> {
  response.writeHead(status, { "content-type": "application/json" });
  const bytes = jsonBytes(body);
  const first = await bytes.next();
  // Nearly every answer is one piece.
  response.write(first.value ?? "");
  await pipeline(bytes, response);
}
