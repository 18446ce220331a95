import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { openPostgres } from "../src/index.ts";

/** The messages of a server that asks for a password by SCRAM, and then says nothing. */
const ASKS = authentication(10, "SCRAM-SHA-256\0\0");
const CONTINUES = authentication(11, "r=nonce,s=c2FsdA==,i=4096");

function authentication(kind: number, text: string): Buffer {
  return Buffer.concat([Buffer.from("R"), int32(8 + text.length), int32(kind), Buffer.from(text)]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

describe("a server that asks for a password", () => {
  it("gets an error that says how to give one, and no connection stays open", async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => {
      sockets.push(socket.on("error", () => undefined));
      socket.once("data", () => {
        socket.write(ASKS);
        socket.once("data", () => socket.write(CONTINUES));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    try {
      const opening = openPostgres(`postgres://someone@127.0.0.1:${port}/knowledge?sslmode=disable`);
      await expect(opening).rejects.toThrow(/asks for a password.*PGPASSFILE/);
      const open = sockets.filter(({ closed }) => !closed);
      await Promise.all(open.map((socket) => once(socket, "close")));
      expect(sockets.length).toBeGreaterThan(0);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});
