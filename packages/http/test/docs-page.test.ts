import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, get, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { createApiHandler } from "../src/handler.ts";
import { call, codeOf } from "./support/client.ts";
import { FakeEngine } from "./support/fake-engine.ts";
import { rawAnswer } from "./support/raw-answer.ts";
import { RawClient, wire } from "./support/raw-client.ts";
import { serve } from "./support/server.ts";

const VIEWER = new URL("../viewer/", import.meta.url);
const source: { files: Record<string, string> } = JSON.parse(readFileSync(new URL("viewer.json", VIEWER), "utf8"));
const viewerFiles = Object.keys(source.files);

/** Addresses that a page loads or leads to. */
const addressesIn = (html: string): string[] =>
  [...html.matchAll(/\b(?:src|href|action)="([^"]*)"/g)].map((match) => match[1] ?? "");

/** The policy's rules, by name. */
const rulesOf = (policy: string | null): Map<string, string> =>
  new Map((policy ?? "").split("; ").map((rule) => [rule.split(" ")[0] ?? "", rule.split(" ").slice(1).join(" ")]));

const listening = async (server: Server): Promise<string> => {
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no address");
  return `http://127.0.0.1:${address.port}`;
};

it("the page is there without a key, and all that it loads is, from this server alone", async () => {
  const { url } = await serve(new FakeEngine());
  const page = await call(url, "GET", "/docs", { key: null });
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  const addresses = addressesIn(page.text).filter((address) => address !== "data:,");
  expect(addresses.toSorted()).toEqual(["docs/start.js", ...viewerFiles.map((name) => `docs/${name}`), "openapi.json"]);
  for (const address of addresses) {
    const { pathname } = new URL(address, `${url}/docs`);
    const loaded = await call(url, "GET", pathname, { key: null });
    expect(loaded.status).toBe(200);
    expect(loaded.text.length).toBeGreaterThan(100);
  }
  const start = await call(url, "GET", "/docs/start.js", { key: null });
  expect(start.text).toContain('fetch("openapi.json")');
  expect(start.text).not.toMatch(/https?:|\/\//);
  expect(start.text).toContain("validatorUrl: null");
});

it("the page's policy lets it load and ask nothing but this server, and has no exception for scripts or styles", async () => {
  const { url } = await serve(new FakeEngine());
  const page = await call(url, "GET", "/docs", { key: null });
  expect(page.text).not.toMatch(/<style|\bstyle=|\bon\w+=|<script(?![^>]*\bsrc=)/);
  const rules = rulesOf(page.headers.get("content-security-policy"));
  expect(Object.fromEntries(rules)).toEqual({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
  });
});

it.each(viewerFiles)("%s is sent packed to whoever takes that, and as it is to others: to the byte", async (name) => {
  const { port } = await serve(new FakeEngine());
  // fetch would unpack it.
  const bytesOf = (accepted: string): Promise<[encoding: string | undefined, bytes: Buffer]> =>
    new Promise((resolve, reject) => {
      const headers = accepted === "" ? {} : { "accept-encoding": accepted };
      get({ host: "127.0.0.1", port, path: `/docs/${name}`, headers }, (answer) => {
        const pieces: Buffer[] = [];
        answer
          .on("data", (piece: Buffer) => pieces.push(piece))
          .on("end", () => resolve([answer.headers["content-encoding"], Buffer.concat(pieces)]));
      }).on("error", reject);
    });
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  for (const accepted of ["gzip", "br, GZIP;q=0.5", "x-gzip", "br;q=0, *"]) {
    const [encoding, bytes] = await bytesOf(accepted);
    expect([encoding, digest(gunzipSync(bytes))]).toEqual(["gzip", source.files[name]]);
  }
  for (const accepted of ["", "br", "gzip;q=0", "identity, gzip;q=0.000", "gzip;q=0.2, identity;q=0.9"]) {
    const [encoding, bytes] = await bytesOf(accepted);
    expect([encoding, digest(bytes)]).toEqual([undefined, source.files[name]]);
  }
});

it("no file but the page's own can be had, however it is asked for", async () => {
  const { port } = await serve(new FakeEngine());
  const names = [
    "viewer.json",
    "LICENSE",
    "swagger-ui.css.gz",
    "..",
    "../package.json",
    "..%2fpackage.json",
    "%2e%2e%2fpackage.json",
    "..%5cpackage.json",
    "%2fetc%2fpasswd",
    "/etc/passwd",
    "constructor",
    "__proto__",
    "start.js%00",
    "start.js/",
    "swagger-ui.css/../viewer.json",
  ];
  for (const name of names) {
    const client = new RawClient(port);
    client.send(wire("GET", `/docs/${name}`, { connection: "close" }));
    const { status, text } = rawAnswer(await client.ended());
    expect([401, 404], name).toContain(status);
    expect(text).not.toMatch(/swagger|root:|integrity/);
  }
});

it("switched off it is a path like any other that is not there, and OPTIONS does not know it", async () => {
  const { url } = await serve(new FakeEngine(), { docs: false });
  for (const path of ["/docs", "/docs/start.js"]) {
    const unasked = await call(url, "GET", path, { key: null });
    expect([unasked.status, codeOf(unasked)]).toEqual([401, 10001]);
    expect(codeOf(await call(url, "GET", path))).toBe(20002);
    expect((await call(url, "OPTIONS", path)).status).toBe(404);
  }
  expect((await call(url, "GET", "/openapi.json", { key: null })).status).toBe(200);
});

it("stands under the prefix of a handler, and leaves the path to the app where it is switched off", async () => {
  const served = async (docs: boolean): Promise<string> => {
    const handler = createApiHandler(new FakeEngine(), { prefix: "/kb", docs });
    const server = createServer((request, response) => handler(request, response, () => response.end("the app's")));
    return listening(server);
  };
  const url = await served(true);
  const page = await (await fetch(`${url}/kb/docs`)).text();
  for (const address of addressesIn(page).filter((each) => each !== "data:,")) {
    const loaded = await fetch(new URL(address, `${url}/kb/docs`), { method: "HEAD" });
    expect([address, loaded.status]).toEqual([address, 200]);
  }
  expect(await (await fetch(`${url}/docs`)).text()).toBe("the app's");
  expect(await (await fetch(`${await served(false)}/kb/docs`)).text()).toBe("the app's");
});

describe("addresses that people type", () => {
  it.each([
    ["/", "/docs"],
    ["/docs/", "/docs"],
    ["/docs/?from=mail", "/docs"],
  ])("%s leads to the page without a key, behind any prefix", async (typed, page) => {
    const { url, port } = await serve(new FakeEngine());
    const { status, headers } = await call(url, "GET", typed, { key: null });
    const location = headers.get("location") ?? "";
    expect([status, location]).toEqual([302, expect.not.stringMatching(/^\/|:/)]);
    for (const prefix of ["", "/kb", "/a/b"]) {
      expect(new URL(location, `https://help.example.com${prefix}${typed}`).href).toBe(
        `https://help.example.com${prefix}${page}`,
      );
    }
    // The bytes of a whole answer, as a client on a socket gets them.
    const client = new RawClient(port);
    client.send(wire("GET", typed, { connection: "close" }));
    const bytes = await client.ended();
    expect(bytes).toMatch(/^HTTP\/1\.1 302 Found\r\n/);
    expect(bytes).toMatch(/\r\n\r\n$/);
    expect((await call(url, "HEAD", typed, { key: null })).headers.get("location")).toBe(location);
    expect((await call(url, "POST", typed, { key: null })).headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    expect((await fetch(`${url}${typed}`)).url).toBe(`${url}${page}`);
  });

  it.each(["/", "/docs/"])("%s is not there where the page is switched off", async (typed) => {
    const { url } = await serve(new FakeEngine(), { docs: false });
    expect(codeOf(await call(url, "GET", typed))).toBe(20002);
    expect((await call(url, "GET", typed, { key: null })).status).toBe(401);
  });

  it("are the app's own without a prefix, and the API's with one", async () => {
    const answers = async (prefix: string, path: string): Promise<string | null> => {
      const handler = createApiHandler(new FakeEngine(), { prefix });
      const server = createServer((request, response) => handler(request, response, () => response.end("the app's")));
      const answer = await fetch(`${await listening(server)}${path}`, { redirect: "manual" });
      return answer.headers.get("location") ?? (await answer.text());
    };
    expect(await answers("", "/")).toBe("the app's");
    expect(await answers("/kb", "/")).toBe("the app's");
    expect(await answers("/kb", "/kb")).toBe("the app's");
    expect(await answers("/kb", "/kb/")).toBe("docs");
    expect(await answers("/kb", "/kb/docs/")).toBe("../docs");
  });
});

it("the viewer's own code reports to nobody: its makers' counting of installations is not in it", () => {
  for (const name of viewerFiles) {
    const text = gunzipSync(readFileSync(new URL(`${name}.gz`, VIEWER))).toString();
    expect(text).not.toMatch(/scarf|unpkg|jsdelivr|googleapis|gstatic|google-analytics|@import/i);
    // Pictures and fonts are in it, or are not there.
    const loaded = [...text.matchAll(/\burl\(\s*["']?(?!data:|#)([^)"']+)/g)].map((match) => match[1]);
    expect(name.endsWith(".css") ? loaded : []).toEqual([]);
  }
});
