import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { ConsoleFile } from "../../src/admin/port.ts";
import { createAdminServer } from "../../src/server.ts";
import { FakeAdmin, WRITE_KEY } from "../support/fake-admin.ts";
import { FakeEngine, KEY } from "../support/fake-engine.ts";
import { RawClient, wire } from "../support/raw-client.ts";
import { serve } from "../support/server.ts";

const SCRIPT = Buffer.from(`console.log("${"x".repeat(100_000)}")`);
const FILES: ReadonlyMap<string, ConsoleFile> = new Map<string, ConsoleFile>([
  ["index.html", { bytes: Buffer.from("<!doctype html>"), type: "text/html; charset=utf-8", immutable: false }],
  ["assets/app-1a2b.js", { bytes: SCRIPT, gzip: gzipSync(SCRIPT), type: "text/javascript", immutable: true }],
]);

const start = () => serve(new FakeEngine(), { admin: new FakeAdmin(FILES) });

describe("the console's files", () => {
  it("are one page at every path without a dot", async () => {
    const { url } = await start();
    for (const path of ["/console", "/console/", "/console/knowledge", "/console/bots/a/ask?q=1"]) {
      const answer = await fetch(url + path);
      expect([answer.status, await answer.text()]).toEqual([200, "<!doctype html>"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("script-src 'self';");
      expect(policy).not.toContain("unsafe");
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("are kept for ever where their names change with their bytes, and are compressed for those who take that", async () => {
    const { url, port } = await start();
    const answer = await fetch(`${url}/console/assets/app-1a2b.js`, { headers: { "accept-encoding": "identity" } });
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(Buffer.from(await answer.arrayBuffer()).equals(SCRIPT)).toBe(true);
    const client = new RawClient(port);
    const headers = { host: "a", "accept-encoding": "gzip", connection: "close" };
    client.send(wire("GET", "/console/assets/app-1a2b.js", headers));
    const [head = "", body = ""] = (await client.ended()).split("\r\n\r\n");
    expect(head).toMatch(/content-encoding: gzip/i);
    expect(gunzipSync(Buffer.from(body, "latin1")).equals(SCRIPT)).toBe(true);
  });

  it("have no other file, and lead nowhere else", async () => {
    const { port } = await start();
    const paths = [
      ...["/console/assets/other.js", "/console/../package.json", "/console/..%2fpackage.json", "/console/.env"],
      ...[
        "/console/%2e%2e/%2e%2e/etc/passwd.",
        "/console/__proto__.js",
        "/console/assets/app-1a2b.js/",
        "/console//a.b",
      ],
    ];
    for (const path of paths) {
      const client = new RawClient(port);
      client.send(wire("GET", path, { host: "a", connection: "close" }));
      const text = await client.ended();
      expect([path, text.slice(9, 12)]).toEqual([path, path.endsWith("app-1a2b.js/") ? "404" : "404"]);
    }
  });

  it("are read alone", async () => {
    const { url } = await start();
    const head = await fetch(`${url}/console`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([200, "15", ""]);
    const post = await fetch(`${url}/console`, { method: "POST", body: "x" });
    expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    const options = await fetch(`${url}/console/assets/app-1a2b.js`, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
  });

  it("are unknown paths without a console", async () => {
    for (const options of [{}, { admin: new FakeAdmin() }]) {
      const { url } = await serve(new FakeEngine(), options);
      for (const path of ["/console", "/console/", "/console/gaps", "/console/assets/app-1a2b.js"]) {
        for (const headers of [{}, { "x-api-key": "unknown" }, { "x-api-key": KEY }]) {
          expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 404]);
        }
      }
    }
  });
});

describe("a server of the console alone", () => {
  it("has the admin API, the files and its health, leads to the page, and opens nothing to bots", async () => {
    const server = createAdminServer(new FakeAdmin(FILES));
    const { url } = await server.listen({ port: 0, host: "127.0.0.1" });
    try {
      expect((await fetch(url)).url).toBe(`${url}/console`);
      expect((await fetch(`${url}/ready`)).status).toBe(200);
      const headers = { "x-api-key": WRITE_KEY };
      expect((await fetch(`${url}/api/v1/admin/bots`, { headers })).status).toBe(200);
      for (const key of [KEY, WRITE_KEY]) {
        const answer = await fetch(`${url}/api/v1/knowledge`, { headers: { "x-api-key": key } });
        expect(answer.status).toBe(401);
      }
    } finally {
      await server.close({ timeoutMs: 0 });
    }
  });

  it("refuses wrong options", () => {
    expect(() => createAdminServer(new FakeAdmin(), { bodyBytesMx: 1 } as object)).toThrow(/did you mean/);
    expect(() => createAdminServer({} as FakeAdmin)).toThrow(/an admin/);
  });
});
