import { createServer, type Server } from "node:net";

/** What pages write as ports of servers that their reader starts. Here each becomes a free one, as others may be in use. */
const WRITTEN = ["8080", "8081", "8443", "9000", "9464", "9465"];

/** Gives texts of a page the same free port wherever the page has the same port. */
export async function freePorts(): Promise<(text: string) => string> {
  // All are held at once, so that none is given twice.
  const servers = await Promise.all(WRITTEN.map(listening));
  const free = new Map(servers.map((server, at) => [WRITTEN[at], portOf(server)]));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return (text) => text.replace(/\b\d{4}\b/g, (port) => free.get(port) ?? port);
}

function listening(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().on("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

function portOf(server: Server): string {
  const address = server.address();
  return String(typeof address === "object" && address !== null ? address.port : 0);
}
