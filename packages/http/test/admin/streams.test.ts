import { ADMIN_KEY_EVENT_STREAMS_MAX, ADMIN_KEY_TRANSFERS_MAX, ADMIN_UPLOAD_BYTES_MAX } from "@loredex/core";
import { describe, expect, it } from "vitest";
import type { ApiServerOptions } from "../../src/options.ts";
import { call, codeOf } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { BOT_KEY, FakeAdmin, READ_KEY, WRITE_KEY } from "../support/fake-admin.ts";
import { BOT_ID, BOT_NAME, FakeEngine } from "../support/fake-engine.ts";
import { RawClient, wire } from "../support/raw-client.ts";
import { serve } from "../support/server.ts";

const BOT = `/api/v1/admin/bots/${BOT_NAME}`;
const EVENTS = "/api/v1/admin/events";

async function start(options: ApiServerOptions = {}) {
  const admin = new FakeAdmin();
  return { admin, ...(await serve(new FakeEngine(), { admin, ...options })) };
}

/** Follows events with this key. */
function followed(port: number, key: string): RawClient {
  const client = new RawClient(port);
  client.send(wire("GET", EVENTS, { host: "a", "x-api-key": key }));
  return client;
}

describe("an upload", () => {
  it("comes to the job as it arrives, with its name and source", async () => {
    const { admin, url } = await start();
    const body = Buffer.alloc(300_000, "x");
    const target = `${BOT}/uploads?name=${encodeURIComponent("a b.md")}&source=docs`;
    const answer = await call(url, "POST", target, { key: WRITE_KEY, body });
    expect([answer.status, admin.uploaded.length]).toEqual([202, 300_000]);
    expect(admin.lastOf("upload")).toEqual([BOT_ID, { name: "a b.md", source: "docs" }]);
    expect(admin.changes).toMatchObject([{ action: "import file", target: "a b.md" }]);
  });

  it("is refused before its first byte if it says that it is too long", async () => {
    const { admin, port } = await start();
    const client = new RawClient(port);
    const length = { "content-length": String(ADMIN_UPLOAD_BYTES_MAX + 1) };
    client.send(wire("POST", `${BOT}/uploads?name=a.md`, { host: "a", "x-api-key": WRITE_KEY, ...length }));
    expect(await client.ended()).toContain("40001");
    expect(admin.changes).toEqual([]);
  });

  it("is refused at its first byte too much if it does not say how long it is", async () => {
    const { admin, port } = await start();
    const client = new RawClient(port);
    const chunked = { "transfer-encoding": "chunked" };
    client.send(wire("POST", `${BOT}/uploads?name=a.md`, { host: "a", "x-api-key": WRITE_KEY, ...chunked }));
    const piece = Buffer.alloc(1_048_576, "x");
    for (let sent = 0; sent <= ADMIN_UPLOAD_BYTES_MAX; sent += piece.length) {
      client.send(`${piece.length.toString(16)}\r\n`);
      client.send(piece);
      client.send("\r\n");
    }
    expect(await client.ended()).toContain("40001");
    expect(admin.lastOf("upload")).toBeUndefined();
  });

  it("may take longer than other requests, as long as it goes forward", async () => {
    const { admin, port } = await start({ timeouts: { headersMs: 50, requestMs: 100, bodyMs: 5_000 } });
    const client = new RawClient(port);
    client.send(wire("POST", `${BOT}/uploads?name=a.md`, { host: "a", "x-api-key": WRITE_KEY, "content-length": "6" }));
    client.send("abc");
    await new Promise((resolve) => setTimeout(resolve, 400));
    client.send("def");
    expect(await client.until("202 Accepted")).toContain('"kind":"upload"');
    expect(admin.uploaded.toString()).toBe("abcdef");
  });

  it("is given up if nothing more comes", async () => {
    const { admin, port } = await start({ timeouts: { bodyMs: 50 } });
    const client = new RawClient(port);
    client.send(wire("POST", `${BOT}/uploads?name=a.md`, { host: "a", "x-api-key": WRITE_KEY, "content-length": "6" }));
    client.send("abc");
    expect(await client.ended()).toContain("40003");
    expect(admin.lastOf("upload")).toBeUndefined();
  });

  it("needs a name, and no compression", async () => {
    const { url } = await start();
    expect((await call(url, "POST", `${BOT}/uploads`, { key: WRITE_KEY, body: "x" })).status).toBe(400);
    const headers = { "content-encoding": "gzip" };
    const answer = await call(url, "POST", `${BOT}/uploads?name=a.md`, { key: WRITE_KEY, body: "x", headers });
    expect(answer.status).toBe(415);
  });
});

describe("a backup", () => {
  it("comes as bytes with a name, and goes back in", async () => {
    const { admin, url } = await start();
    const answer = await call(url, "GET", `${BOT}/backup`, { key: READ_KEY });
    expect([answer.status, answer.text]).toEqual([200, "part 1,part 2"]);
    expect(answer.headers.get("content-disposition")).toBe('attachment; filename="acme.loredex"');
    const restored = await call(url, "POST", "/api/v1/admin/restore?as=other", { key: WRITE_KEY, body: answer.text });
    expect(restored.json).toMatchObject({ data: { key: "lore_restored" } });
    expect([admin.uploaded.toString(), admin.lastOf("restore")]).toEqual([answer.text, ["other"]]);
  });

  it("says with HEAD what it would be", async () => {
    const { url } = await start();
    const answer = await call(url, "HEAD", `${BOT}/backup`, { key: READ_KEY });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/octet-stream"]);
  });

  it("is refused as any answer, and cut off if it breaks later", async () => {
    const { admin, port, url } = await start();
    admin.operator.backup = async function* () {
      yield Buffer.from("part 1");
      throw new Error("the disk is gone");
    };
    const client = new RawClient(port);
    client.send(wire("GET", `${BOT}/backup`, { host: "a", "x-api-key": READ_KEY }));
    const text = await client.ended();
    expect(text).toContain("part 1");
    expect(text.endsWith("0\r\n\r\n")).toBe(false);
    admin.failure = new Error("broken");
    admin.operator.backup = () => {
      throw admin.failure;
    };
    expect((await call(url, "GET", `${BOT}/backup`, { key: READ_KEY })).status).toBe(500);
  });

  it("leaves room for the next ones when it has ended", async () => {
    const { url } = await start();
    for (let count = 0; count < 20; count++) {
      expect((await call(url, "GET", `${BOT}/backup`, { key: READ_KEY })).status).toBe(200);
    }
  });
});

describe("files that stream at the same time", () => {
  it("are half of the places at most for one key, so that others have some", async () => {
    const { admin, port, url } = await start();
    const { backup } = admin.operator;
    admin.operator.backup = async function* () {
      yield Buffer.from("part 1");
      await new Promise(() => undefined);
    };
    const streaming = Array.from({ length: ADMIN_KEY_TRANSFERS_MAX }, () => new RawClient(port));
    for (const client of streaming) {
      client.send(wire("GET", `${BOT}/backup`, { host: "a", "x-api-key": READ_KEY }));
      await client.until("part 1");
    }
    admin.operator.backup = backup;
    const refused = await call(url, "GET", `${BOT}/backup`, { key: READ_KEY });
    expect([refused.status, codeOf(refused)]).toEqual([503, 50001]);
    expect((await call(url, "GET", `${BOT}/backup`, { key: WRITE_KEY })).status).toBe(200);
    const upload = await call(url, "POST", `${BOT}/uploads?name=a.md`, { key: WRITE_KEY, body: "x" });
    expect(upload.status).toBe(202);
  });
});

describe("the events", () => {
  it("tell the figures of the bots that the key sees, and alerts", async () => {
    const { port } = await start();
    const all = await followed(port, WRITE_KEY).until("event: alerts");
    expect(all).toContain("text/event-stream");
    expect(all).toContain("retry: 2000");
    expect(all).toContain('"name":"other"');
    const some = await followed(port, BOT_KEY).until("event: alerts");
    expect(some).toContain('"name":"acme"');
    expect(some).not.toContain('"name":"other"');
    expect(some).toContain("data: []");
  });

  it("end when the session has ended", async () => {
    const { admin, port, url } = await start();
    const signedIn = await call(url, "POST", "/api/v1/admin/session", { key: null, body: { key: READ_KEY } });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const client = new RawClient(port);
    client.send(wire("GET", EVENTS, { host: "a", cookie }));
    await client.until("event: fleet");
    admin.sessions.clear();
    expect(await client.until("\r\n0\r\n\r\n")).toContain("event: fleet");
  });

  it("say that the server ends, and end then", async () => {
    const { port, server } = await start();
    const client = followed(port, READ_KEY);
    await client.until("event: fleet");
    const closed = server.close({ timeoutMs: 5_000 });
    expect(await client.until("\r\n0\r\n\r\n")).toContain("event: restart");
    client.socket.end();
    await closed;
  });

  it("are sent to a bounded number of consoles", async () => {
    const { port, url } = await start();
    const clients = Array.from({ length: ADMIN_KEY_EVENT_STREAMS_MAX }, () => followed(port, READ_KEY));
    for (const client of clients) await client.until("retry");
    const refused = await call(url, "GET", EVENTS, { key: READ_KEY });
    expect([refused.status, codeOf(refused)]).toEqual([503, 50001]);
    clients[0]?.socket.destroy();
    await eventually(async () => (await followed(port, READ_KEY).until("\r\n\r\n")).slice(9, 12)).toBe("200");
  });

  it("live on although the figures could not be made", async () => {
    const { admin, port, log } = await start();
    admin.liveBots = () => Promise.reject(new Error("broken"));
    expect(await followed(port, READ_KEY).until("heartbeat")).toContain("200 OK");
    expect(log.map(({ event }) => event)).toContain("requestFailed");
  });
});
