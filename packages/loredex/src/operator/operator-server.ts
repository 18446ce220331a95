import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Logger, LoredexError, ValidationError } from "@loredex/core";
import type { Operator } from "./operator.ts";
import { makeSocketPlace } from "./socket-place.ts";
import { OPERATIONS, PATH_PREFIX, REQUEST_BYTES_MAX, toWire } from "./wire.ts";

/** Only the owner may connect. */
const SOCKET_UMASK = 0o177;

const CLOSE_TIMEOUT_MS = 5_000;

export interface OperatorServer {
  /** Answers what it has begun, takes nothing more, and cuts off what is not done after 5 seconds. Idempotent. */
  close(): Promise<void>;
}

/** Lets commands of this machine's owner work on the data while a server holds it. */
export async function serveOperator(
  operator: Operator,
  { directory, logger }: { readonly directory: string; readonly logger: Logger },
): Promise<OperatorServer> {
  const place = await makeSocketPlace(directory);
  let closing: Promise<void> | undefined;
  const server = createServer((request, response) => {
    void answer(operator, request)
      .then(
        (result) => ({ status: 200, body: { result } }),
        (error: unknown) => failure(error, logger),
      )
      .then(({ status, body }) => {
        // A connection that stays open would keep the server from ending.
        if (closing !== undefined) response.setHeader("connection", "close");
        send(response, status, body);
      });
  });
  // A command may read for a long time before its next document: its connection stays for as long as it likes.
  server.keepAliveTimeout = 0;
  await listen(server, place.path).catch((cause: Error) => {
    const message = `The socket for commands, ${place.path}, cannot be made: ${cause.message}.`;
    throw new LoredexError("STORAGE_FAILED", message, { cause });
  });
  return {
    close: () => {
      closing ??= drain(server, logger).then(place.clear);
      return closing;
    },
  };
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    // The socket is bound within the call, so it has its mode from its first instant.
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
  const name = request.url?.startsWith(PATH_PREFIX) ? request.url.slice(PATH_PREFIX.length) : "";
  if (!OPERATIONS.has(name) || request.method !== "POST") {
    request.resume();
    const message = "The running server is of another version and does not know this command: restart it with yours.";
    throw new LoredexError("UNSUPPORTED_FORMAT", message);
  }
  const parameters: unknown = JSON.parse(await bodyOf(request));
  if (!Array.isArray(parameters)) throw new LoredexError("UNSUPPORTED_FORMAT", "Parameters must be an array.");
  // Boundary: only the owner of the data reaches the socket, with this program; the engine checks every value all the same.
  const operation = operator[name as keyof Operator] as (...given: readonly unknown[]) => Promise<unknown>;
  return operation(...parameters);
}

/** Reads all of the body, also of one that is too long: an answer is only heard by who has been heard out. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  let chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    if (bytes <= REQUEST_BYTES_MAX) chunks.push(piece);
    else chunks = [];
  }
  if (bytes <= REQUEST_BYTES_MAX) return Buffer.concat(chunks).toString("utf8");
  const message = "the document is too large; divide it into several";
  throw new ValidationError([{ message, field: "document", type: "maxLength" }]);
}

function failure(error: unknown, logger: Logger): { status: number; body: object } {
  if (error instanceof LoredexError) return { status: 400, body: { error: toWire(error) } };
  logger({ level: "error", event: "operatorFailed", message: "A command failed.", error });
  const message = "The server could not do it; its log says why.";
  return { status: 500, body: { error: toWire(new LoredexError("STORAGE_FAILED", message)) } };
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
