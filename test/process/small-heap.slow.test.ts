import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const SHORT = process.env.TESTS_SHORT === "1";
const HEAP_MIB = 200;
const AT_ONCE = 8;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("small-heap.ts", import.meta.url));

/** Articles that take several times what the heap holds, all together. */
interface Flood {
  readonly what: string;
  readonly creates: number;
  readonly metadata: (round: number) => object;
}

const FLOODS: readonly Flood[] = [
  {
    what: "texts of 65,536 characters of four bytes",
    creates: SHORT ? 1_000 : 4_000,
    metadata: (round) =>
      Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${round % 10}${i}`, "😀".repeat(8_190)])),
  },
  {
    // 1.5 KB of JSON, and 70 times as much in memory: keys that no other article has, and numbers far apart, which are a list as long as the highest.
    what: "100 keys of its own",
    creates: SHORT ? 2_000 : 4_000,
    metadata: (round) => ({
      ...{ 1000: 0, 2500: 0, 3300: 0 },
      ...Object.fromEntries(Array.from({ length: 97 }, (_, i) => [`${round}-${i}`, 0])),
    }),
  },
];

/** What of an answer is looked at. */
interface Answered {
  readonly data?: { readonly id: string };
  readonly error?: { readonly code: number };
}

async function startServer() {
  const directory = await mkdtemp(join(tmpdir(), "loredex-small-heap-"));
  const given = [`--max-old-space-size=${HEAP_MIB}`, "--import", "tsx", PROGRAM, directory];
  const server = spawn(process.execPath, given, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(async () => {
    server.kill("SIGKILL");
    if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
    await rm(directory, { recursive: true, force: true });
  });
  let errors = "";
  server.stderr.on("data", (data) => {
    errors += data;
    process.stderr.write(data);
  });
  const [line] = await once(server.stdout, "data");
  const told: { url: string; key: string; quietKey: string } = JSON.parse(String(line));
  const ask = async (method: string, path: string, body?: unknown, key = told.key) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${told.url}${path}`, sent);
    const json: Answered = JSON.parse(await answer.text());
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), json };
  };
  return { server, ask, quietKey: told.quietKey, errors: () => errors };
}

it.each(FLOODS)(
  `a server with a heap of ${HEAP_MIB} MiB refuses what it has no memory for, and lives: metadata with $what`,
  async ({ creates, metadata }) => {
    const { server, ask, quietKey, errors } = await startServer();
    const create = (body: object, key?: string) => ask("POST", "/api/v1/knowledge", body, key);
    // What ended it once: a megabyte of metadata for an article of four characters.
    const megabyte = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}`, "x".repeat(10_000)]));
    expect(await create({ title: "abc", body: "x", metadata: megabyte })).toMatchObject({ status: 400 });
    const ids: string[] = [];
    const refused = new Map<string, number>();
    let next = 0;
    const write = async (): Promise<void> => {
      while (next < creates) {
        const round = next++;
        const { status, json, retryAfter } = await create({
          title: `Title ${round}`,
          body: "x",
          metadata: metadata(round),
        });
        if (status === 200) ids.push(json.data?.id ?? "");
        else {
          const told = `${status} ${json.error?.code} ${retryAfter}`;
          refused.set(told, (refused.get(told) ?? 0) + 1);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, write));
    console.log(`${ids.length} creates accepted, refused: ${JSON.stringify([...refused])}`);
    expect([server.exitCode, server.signalCode, errors()]).toEqual([null, null, ""]);
    expect(ids.length).toBeGreaterThan(50);
    expect([...refused.keys()]).toEqual(["503 50007 5"]);
    const search = await ask("POST", "/api/v1/knowledge/search", { query: "Title 7" });
    expect(search.status).toBe(200);
    // What does not grow is taken, and what is deleted makes room for a write after it.
    const [first = "", ...others] = ids;
    expect((await ask("PUT", `/api/v1/knowledge/${first}`, { metadata: {} })).status).toBe(200);
    for (const id of others) expect((await ask("DELETE", `/api/v1/knowledge/${id}`)).status).toBe(200);
    let status = 0;
    for (let tries = 0; tries < 60 && status !== 200; tries++) {
      ({ status } = await create({ title: "abc", body: "again", metadata: metadata(1) }, quietKey));
      if (status !== 200) await sleep(500);
    }
    expect(status).toBe(200);
    expect([server.exitCode, server.signalCode, errors()]).toEqual([null, null, ""]);
  },
  300_000,
);
