import { mkdtemp, rename, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type ApiServer, createApiServer } from "../src/server.ts";
import { makeCertificate } from "./support/certificate.ts";
import { FakeEngine, KEY } from "./support/fake-engine.ts";

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "lx-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function made(): ApiServer {
  const server = createApiServer(new FakeEngine());
  onTestFinished(() => server.close({ timeoutMs: 0 }));
  return server;
}

function statusOver(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { socketPath, path: "/api/v1/knowledge", headers: { "x-api-key": KEY } };
    request(asked, (response) => resolve(response.resume().statusCode))
      .on("error", reject)
      .end();
  });
}

it("answers over a socket that its user and its group may write to, and removes it in the end", async () => {
  const socket = join(await folder(), "api.sock");
  const server = made();
  expect(await server.listen({ socket })).toEqual({ url: `unix:${socket}`, port: 0 });
  expect(await statusOver(socket)).toBe(200);
  expect((await stat(socket)).mode & 0o777).toBe(0o660);
  await server.close();
  await expect(stat(socket)).rejects.toThrow("ENOENT");
});

it("gives the socket the mode that it is told to", async () => {
  const socket = join(await folder(), "api.sock");
  await made().listen({ socket, mode: 0o666 });
  expect((await stat(socket)).mode & 0o777).toBe(0o666);
  await expect(made().listen({ socket: `${socket}2`, mode: 0o1000 })).rejects.toThrow("mode must be from 0 to 0o777");
});

it("takes the place of a socket that was left behind, and of nothing else", async () => {
  const directory = await folder();
  const [left, busy, file] = ["left", "busy", "file"].map((name) => join(directory, name));
  if (left === undefined || busy === undefined || file === undefined) throw new Error("no paths");
  await leaveBehind(left);
  await made().listen({ socket: left });
  expect(await statusOver(left)).toBe(200);

  await made().listen({ socket: busy });
  await expect(made().listen({ socket: busy })).rejects.toThrow(`Another program listens on ${busy}`);
  expect(await statusOver(busy)).toBe(200);

  await writeFile(file, "kept");
  await expect(made().listen({ socket: file })).rejects.toThrow("is no socket. Nothing was removed");
  expect((await stat(file)).size).toBe(4);
});

it("says what is wrong with a path", async () => {
  const long = join(await folder(), "x".repeat(100));
  await expect(made().listen({ socket: long })).rejects.toThrow("the path of a socket may have 100");
  const nowhere = join(await folder(), "none", "api.sock");
  await expect(made().listen({ socket: nowhere })).rejects.toThrow("there is no such file or folder");
});

it("is not for a server that speaks TLS", async () => {
  const server = createApiServer(new FakeEngine(), { tls: makeCertificate() });
  await expect(server.listen({ socket: join(await folder(), "api.sock") })).rejects.toThrow(RangeError);
});

/** A socket whose server has died: one that listens is renamed, so that it does not remove it when it ends. */
async function leaveBehind(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}-first`, resolve));
  await rename(`${path}-first`, path);
  await new Promise((resolve) => server.close(resolve));
}
