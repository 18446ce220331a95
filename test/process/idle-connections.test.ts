import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";
import { SEARCH } from "../http/client.ts";

const PROGRAM = sourceProgram(fileURLToPath(new URL("idle-connections.ts", import.meta.url)));
const DESCRIPTORS_MAX = 256;
const BOTS = 120;
const IDLE = 400;

async function serverWithFewFiles(): Promise<{ port: number; keys: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-idle-connections-"));
  const command = `ulimit -n ${DESCRIPTORS_MAX} && exec "$0" "$@"`;
  const program = [process.execPath, ...PROGRAM.execArgv, PROGRAM.path, directory, `${BOTS}`];
  const child = spawn("sh", ["-c", command, ...program], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
    await rm(directory, { recursive: true, force: true });
  });
  for await (const line of createInterface(child.stdout)) return JSON.parse(line);
  throw new Error("the program said nothing");
}

/** A connection that has asked once and stays; or one that was closed at once. */
async function idleConnection(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise<void>((resolve) => {
    socket.once("data", () => resolve());
    socket.once("close", () => resolve());
  });
  socket.resume();
  return socket;
}

async function search(agent: Agent, port: number, key: string): Promise<number> {
  const body = JSON.stringify({ query: "ships" });
  const headers = { "x-api-key": key, "content-type": "application/json", "content-length": body.length };
  const sent = request({ agent, port, host: "127.0.0.1", path: SEARCH, method: "POST", headers });
  const answered = new Promise<number>((resolve, reject) => {
    sent.on("error", reject).on("response", (response) => {
      void text(response).then(() => resolve(response.statusCode ?? 0), reject);
    });
  });
  sent.end(body);
  return answered;
}

describe.skipIf(process.platform === "win32")("connections that idle, without a key", () => {
  it("leave the files that bots need: each is opened, though not all are open at once", {
    timeout: 60_000,
  }, async () => {
    const { port, keys } = await serverWithFewFiles();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect(await search(agent, port, keys[0] ?? "")).toBe(200);
    const idle: Socket[] = [];
    onTestFinished(() => idle.forEach((socket) => void socket.destroy()));
    while (idle.length < IDLE) idle.push(await idleConnection(port));
    const open = idle.filter((socket) => !socket.destroyed);
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThan(DESCRIPTORS_MAX / 2);
    const statuses: number[] = [];
    for (const key of keys) statuses.push(await search(agent, port, key));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});
