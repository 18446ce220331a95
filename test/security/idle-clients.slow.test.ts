import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sourceProgram } from "../../packages/import/src/isolated/program.ts";
import { SEARCH } from "../http/client.ts";

/**
 * Clients that begin and do not go on: they send one byte of a body, or read nothing of a long answer. None of that keeps another bot, or a probe, from being
 * answered, and what the process holds for them is bounded.
 */

const SHORT = process.env.TESTS_SHORT === "1";
const MEGABYTE = 1_000_000;
/** The system takes a few megabytes of an answer by itself: a list of eight is more than that. */
const SIZES = { article: 800_000, document: (SHORT ? 4 : 30) * MEGABYTE };
const [ARTICLES, DOCUMENTS] = [10, 2];
const SENDERS = 256;
const LIST_READERS = 256;
const DOCUMENT_READERS = 150;
/** 128 MiB are what may be made and not taken. What all that is asked for would take is many times this. */
const GROWTH_KILOBYTES_MAX = SHORT ? 300_000 : 500_000;

interface Attacked {
  readonly port: number;
  readonly attackedKey: string;
  readonly quietKey: string;
  readonly peakKilobytes: number;
}

let directory: string;
let child: ChildProcess;
let lines: AsyncIterator<string>;
let server: Attacked;
let clients: Socket[] = [];

async function nextLine(): Promise<Record<string, unknown>> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error("the server has ended");
  return JSON.parse(value);
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loredex-attacked-"));
  const program = sourceProgram(fileURLToPath(new URL("attacked-server.ts", import.meta.url)));
  const counts = [ARTICLES, SIZES.article, DOCUMENTS, SIZES.document].map(String);
  child = spawn(process.execPath, [...program.execArgv, program.path, directory, ...counts], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  if (child.stdout === null) throw new Error("the server has no output");
  lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { port, attackedKey, quietKey, peakKilobytes } = await nextLine();
  server = {
    port: Number(port),
    attackedKey: String(attackedKey),
    quietKey: String(quietKey),
    peakKilobytes: Number(peakKilobytes),
  };
}, 600_000);

afterAll(async () => {
  const ended = child.exitCode ?? once(child, "exit");
  child.stdin?.end();
  expect(await ended).toEqual([0, null]);
  await rm(directory, { recursive: true, force: true });
});

afterEach(() => {
  for (const client of clients) client.destroy();
  clients = [];
});

/** So many connections that each send this, and then neither send nor read any more. */
async function attack(count: number, bytes: string, until: "sent" | "answered"): Promise<void> {
  const begun = Array.from({ length: count }, async () => {
    const socket = connect(server.port, "127.0.0.1");
    clients.push(socket);
    socket.on("error", () => {});
    await once(socket, "connect");
    socket.write(bytes);
    if (until === "sent") return;
    // Whether it gets the beginning of its answer or is cut off: then it reads no more.
    await Promise.race([once(socket, "readable"), once(socket, "close")]);
  });
  await Promise.all(begun);
}

function post(body: string, length = body.length): string {
  const headers = `Host: x\r\nx-api-key: ${server.attackedKey}\r\nContent-Type: application/json\r\nContent-Length: ${length}`;
  return `POST ${SEARCH} HTTP/1.1\r\n${headers}\r\n\r\n${body}`;
}

async function search(key: string): Promise<number> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const body = JSON.stringify({ query: "ships", options: { topK: 1 } });
  const response = await fetch(`http://127.0.0.1:${server.port}${SEARCH}`, { method: "POST", headers, body });
  await response.arrayBuffer();
  return response.status;
}

async function statusesOfOthers(): Promise<Set<number>> {
  const statuses: number[] = [];
  for (let i = 0; i < 20; i++) {
    statuses.push(await search(server.quietKey));
    const probe = await fetch(`http://127.0.0.1:${server.port}${i % 2 === 0 ? "/health" : "/ready"}`);
    await probe.arrayBuffer();
    statuses.push(probe.status);
  }
  return new Set(statuses);
}

describe("everybody else is answered beside", () => {
  it(`${SENDERS} senders that stop after one byte`, async () => {
    await attack(SENDERS, post("{", 100), "sent");
    expect(await statusesOfOthers()).toEqual(new Set([200]));
    // They have no place, so the attacked bot's other clients are answered as well.
    expect(await search(server.attackedKey)).toBe(200);
  });

  it(`${LIST_READERS} readers of a long list that do not read it`, async () => {
    const headers = `Host: x\r\nx-api-key: ${server.attackedKey}`;
    await attack(LIST_READERS, `GET /api/v1/knowledge HTTP/1.1\r\n${headers}\r\n\r\n`, "answered");
    expect(await statusesOfOthers()).toEqual(new Set([200]));
    expect(await search(server.attackedKey)).toBe(200);
  });

  it(`${DOCUMENT_READERS} readers of two large documents that do not read them, in bounded memory`, async () => {
    const { peakKilobytes: before } = await memory();
    const body = JSON.stringify({ query: "ships sleep", options: { topK: 10, includeContent: true } });
    await attack(DOCUMENT_READERS, post(body), "answered");
    expect(await statusesOfOthers()).toEqual(new Set([200]));
    expect((await memory()).peakKilobytes - before).toBeLessThan(GROWTH_KILOBYTES_MAX);
  });
});

async function memory(): Promise<{ readonly peakKilobytes: number }> {
  child.stdin?.write("\n");
  return { peakKilobytes: Number((await nextLine()).peakKilobytes) };
}
