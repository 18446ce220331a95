import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Logger, LoredexError } from "@loredex/core";
import type { Operator } from "./operator.ts";
import { makeSocketPlace } from "./socket-place.ts";
import { OPERATIONS, PATH_PREFIX, REQUEST_BYTES_MAX, toWire } from "./wire.ts";

/** Only the owner may connect. */
const SOCKET_UMASK = 0o177;

/** Lets commands of this machine's owner work on the data while a server holds it. */
export async function serveOperator(
  operator: Operator,
  { directory, logger }: { readonly directory: string; readonly logger: Logger },
): Promise<{ close(): Promise<void> }> {
  const place = await makeSocketPlace(directory);
  const server = createServer((request, response) => {
    answer(operator, request).then(
      (result) => send(response, 200, { result }),
      (error: unknown) => {
        if (error instanceof LoredexError) return send(response, 400, { error: toWire(error) });
        logger({ level: "error", event: "operatorFailed", message: "A command failed.", error });
        return send(response, 500, {
          error: { code: "STORAGE_FAILED", message: "The server failed; its log says why." },
        });
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // The socket is bound within the call, so it has its mode from its first instant.
    const before = process.umask(SOCKET_UMASK);
    try {
      server.listen(place.path, resolve);
    } finally {
      process.umask(before);
    }
  });
  return {
    close: async () => {
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      });
      await place.clear();
    },
  };
}

async function answer(operator: Operator, request: IncomingMessage): Promise<unknown> {
  const name = request.url?.startsWith(PATH_PREFIX) ? request.url.slice(PATH_PREFIX.length) : "";
  if (!OPERATIONS.has(name) || request.method !== "POST") {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `The running server does not know "${name}": it is of another version.`,
    );
  }
  const parameters: unknown = JSON.parse(await bodyOf(request));
  if (!Array.isArray(parameters)) throw new LoredexError("UNSUPPORTED_FORMAT", "Parameters must be an array.");
  // Boundary: only the owner of the data reaches the socket, with this program; the engine checks every value all the same.
  const operation = operator[name as keyof Operator] as (...given: readonly unknown[]) => Promise<unknown>;
  return operation(...parameters);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece: Buffer = chunk;
    bytes += piece.length;
    if (bytes > REQUEST_BYTES_MAX)
      throw new LoredexError("VALIDATION", "The document is too large; divide it into several.");
    chunks.push(piece);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
