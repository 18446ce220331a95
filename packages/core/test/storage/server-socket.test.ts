import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { findServerSocket, SERVER_SOCKET, SERVER_SOCKET_POINTER } from "../../src/storage/server-socket.ts";
import { realDisks } from "./kit.ts";

const realDisk = realDisks();

async function listenAt(path: string): Promise<void> {
  const server = createServer().listen(path);
  await once(server, "listening");
  onTestFinished(() => void server.close());
}

it("the socket of a server is found in the directory, or where its pointer says, and is nothing that is no socket", async () => {
  const [{ directory }, { directory: elsewhere }] = [await realDisk(), await realDisk()];
  expect(await findServerSocket(directory)).toBeUndefined();
  const pointed = `${elsewhere}/a.sock`;
  await writeFile(`${directory}/${SERVER_SOCKET_POINTER}`, pointed);
  expect(await findServerSocket(directory)).toBeUndefined();
  await listenAt(pointed);
  expect(await findServerSocket(directory)).toBe(pointed);
  await writeFile(`${directory}/${SERVER_SOCKET_POINTER}`, `${directory}/${SERVER_SOCKET_POINTER}`);
  expect(await findServerSocket(directory)).toBeUndefined();
  const near = `${directory}/${SERVER_SOCKET}`;
  await listenAt(near);
  await writeFile(`${directory}/${SERVER_SOCKET_POINTER}`, pointed);
  expect(await findServerSocket(directory)).toBe(near);
});
