import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** What a site answers for a path: a page of HTML, or all of an answer. */
export type SitePage = string | ((request: IncomingMessage, response: ServerResponse) => void);

export interface TestSite {
  /** `http://site.test:PORT`, which {@link testResolver} takes for a public host. */
  readonly origin: string;
  readonly port: number;
  /** What was asked for, in order: paths with queries. */
  readonly asked: string[];
  /** Pages by path; may be changed while it runs. */
  readonly pages: Map<string, SitePage>;
}

/** A site on a socket of this machine. It is gone after the test. */
export async function testSite(pages: Readonly<Record<string, SitePage>>, host = "127.0.0.1"): Promise<TestSite> {
  const asked: string[] = [];
  const byPath = new Map(Object.entries(pages));
  const server = createPlainServer((request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const page = byPath.get(path) ?? byPath.get("*");
    if (page === undefined) response.writeHead(404).end();
    else if (typeof page === "string") response.setHeader("content-type", "text/html; charset=utf-8").end(page);
    else page(request, response);
  });
  const port = await listening(server, host);
  return { origin: `http://site.test:${port}`, port, asked, pages: byPath };
}

/** A server that does what it wants with each connection. */
export async function rawServer(onConnection: (socket: Socket) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => {});
    onConnection(socket);
  });
  return `http://site.test:${await listening(server, "127.0.0.1")}`;
}

async function listening(server: Server, host: string): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  );
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

/** An answer with this head. */
export function answer(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array = "",
): SitePage {
  return (_request, response) => {
    response.writeHead(status, headers).end(body);
  };
}

/** A page with a title, a text and links. */
export function page(
  title: string,
  { text = `All about ${title}.`, links = [] as readonly string[], head = "" } = {},
): string {
  const anchors = links.map((link) => `<a href="${link}">x</a>`).join(" ");
  return `<html><head><title>${title}</title>${head}</head><body><p>${text}</p>${anchors}</body></html>`;
}
