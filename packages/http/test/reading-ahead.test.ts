import { createServer } from "node:http";
import { connect } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { Connection } from "../src/connection.ts";

const REQUEST = `GET / HTTP/1.1\r\nhost: a\r\nx: ${"y".repeat(1_000)}\r\n\r\n`;
const COUNT = 20_000;

it("a connection whose first request is being worked on is not read to the end", async () => {
  let [read, rounds] = [0, 0];
  let connection: Connection | undefined;
  const server = createServer((request, response) => {
    read++;
    rounds = 0;
    connection?.enqueue({ request, response, run: () => {} });
  });
  server.on("connection", (socket) => {
    connection = new Connection(socket, COUNT, () => {});
  });
  await new Promise<void>((resolve) => void server.listen({ port: 0, host: "127.0.0.1" }, resolve));
  const address = server.address();
  const client = connect({ port: typeof address === "object" ? (address?.port ?? 0) : 0, host: "127.0.0.1" });
  client.on("error", () => {}).write(REQUEST.repeat(COUNT));
  while (read === 0) await setImmediate();
  // Until nothing more has come for many rounds.
  for (; rounds < 2_000 && read < COUNT; rounds++) await setImmediate();
  expect(read).toBeLessThan(COUNT / 2);
  client.destroy();
  connection?.destroy();
  await new Promise((resolve) => server.close(resolve));
});
