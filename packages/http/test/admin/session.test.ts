import { describe, expect, it } from "vitest";
import { type Answer, type Call, call, codeOf } from "../support/client.ts";
import { BOT_KEY, CODE, FakeAdmin, READ_KEY, WRITE_KEY } from "../support/fake-admin.ts";
import { BOT_ID, BOT_NAME, FakeEngine } from "../support/fake-engine.ts";
import { RawClient, wire } from "../support/raw-client.ts";
import { serve } from "../support/server.ts";
import { CHANGES } from "./ask.ts";

const SESSION = "/api/v1/admin/session";
const BOT = `/api/v1/admin/bots/${BOT_NAME}`;

async function start() {
  const admin = new FakeAdmin();
  const { url, port, log } = await serve(new FakeEngine(), { admin });
  const signIn = (key: string, more: Call = {}): Promise<Answer> =>
    call(url, "POST", SESSION, { key: null, body: { key }, ...more });
  return { admin, url, port, log, signIn };
}

/** The cookie of a session, as a browser sends it. */
async function signedIn(url: string, key: string, host = new URL(url).host) {
  const answer = await call(url, "POST", SESSION, { key: null, body: { key } });
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const { csrfToken } = (answer.json as { data: { csrfToken: string } }).data;
  return { cookie, csrfToken, good: { cookie, "x-csrf-token": csrfToken, origin: `http://${host}` } };
}

describe("the sign-in", () => {
  it("gives a session for an admin key: a cookie that scripts and other sites do not get", async () => {
    const { admin, signIn } = await start();
    const answer = await signIn(BOT_KEY);
    expect(answer.json).toMatchObject({
      success: true,
      data: { name: "cleo", scope: "write", bots: [BOT_ID], csrfToken: "csrf-cleo" },
    });
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^loredex_session=token-0-cleo; Path=\/; HttpOnly; SameSite=Strict; Max-Age=4(3199|3200)$/);
    expect(answer.text).not.toContain("token-0-cleo");
    expect(admin.changes).toMatchObject([{ by: "cleo", action: "sign in" }]);
  });

  it("marks the cookie as Secure where the browser comes by https", async () => {
    const { url, signIn } = await start();
    const headers = { origin: `https://${new URL(url).host}` };
    expect((await signIn(WRITE_KEY, { headers })).headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it("takes a one-time code once", async () => {
    const { signIn } = await start();
    expect((await signIn(CODE)).json).toMatchObject({ data: { name: "ann", scope: "write" } });
    expect(codeOf(await signIn(CODE))).toBe(10001);
  });

  it("refuses a wrong key, and counts the failure", async () => {
    const { admin, signIn } = await start();
    const answer = await signIn("wrong");
    expect([answer.status, codeOf(answer), answer.headers.get("set-cookie")]).toEqual([401, 10001, null]);
    expect([admin.failedSignIns, admin.changes]).toEqual([1, []]);
  });

  it("tells a slowed down address when to try again", async () => {
    const { admin, signIn } = await start();
    admin.waitMs = 29_001;
    const answer = await signIn(WRITE_KEY);
    expect([answer.status, codeOf(answer), answer.headers.get("retry-after")]).toEqual([429, 4292, "30"]);
    expect(admin.sessions.size).toBe(0);
  });

  it("refuses a page of another site, which would sign its user in as somebody else", async () => {
    const { admin, signIn } = await start();
    for (const origin of ["https://evil.example", "null", "file://", "http://127.0.0.1:1"]) {
      expect(codeOf(await signIn(WRITE_KEY, { headers: { origin } }))).toBe(10004);
    }
    expect([admin.sessions.size, admin.failedSignIns]).toEqual([0, 0]);
  });

  it.each([
    ["none", {}, "key required"],
    ["of another kind", { key: 7 }, "key string"],
    ["that is empty", { key: "" }, "key minLength"],
    ["that is too long", { key: "x".repeat(513) }, "key maxLength"],
    ["with another field", { key: "x", name: "ann" }, "name unknownField"],
  ])("names what is wrong with a key %s, and does not repeat it", async (_name, body, rule) => {
    const { url } = await start();
    const answer = await call(url, "POST", SESSION, { key: null, body });
    const { result } = (answer.json as { data: { result: { field: string; type: string }[] } }).data;
    expect(result.map(({ field, type }) => `${field} ${type}`)).toEqual([rule]);
    expect(answer.text).not.toContain("xxxx");
  });
});

describe("a session", () => {
  it("is told with its token for changes, and ends with a sign-out", async () => {
    const { admin, url } = await start();
    const { good, cookie } = await signedIn(url, READ_KEY);
    const told = await call(url, "GET", SESSION, { key: null, headers: { cookie } });
    expect(told.json).toMatchObject({ data: { name: "ben", scope: "read", csrfToken: "csrf-ben" } });
    const out = await call(url, "DELETE", SESSION, { key: null, headers: good });
    expect([out.status, out.json]).toEqual([200, { success: true, data: {} }]);
    expect(out.headers.get("set-cookie")).toMatch(/^loredex_session=; .*Max-Age=0/);
    expect(admin.sessions.size).toBe(0);
    expect(codeOf(await call(url, "GET", SESSION, { key: null, headers: { cookie } }))).toBe(10001);
  });

  it("is none for a request with a key", async () => {
    const { url } = await start();
    expect((await call(url, "GET", SESSION, { key: WRITE_KEY })).status).toBe(401);
    expect((await call(url, "DELETE", SESSION, { key: WRITE_KEY })).status).toBe(401);
  });

  it("reads by its cookie alone", async () => {
    const { url } = await start();
    const { cookie } = await signedIn(url, READ_KEY);
    expect((await call(url, "GET", BOT, { key: null, headers: { cookie } })).status).toBe(200);
    const body = { query: "refunds" };
    expect((await call(url, "POST", `${BOT}/search`, { key: null, headers: { cookie }, body })).status).toBe(200);
  });

  it("changes nothing without its token and an origin of the host: no operation does", async () => {
    const { admin, url } = await start();
    const { good } = await signedIn(url, WRITE_KEY);
    const { "x-csrf-token": token, cookie, origin } = good;
    const wrong: Record<string, string>[] = [
      { cookie },
      { cookie, origin },
      { cookie, "x-csrf-token": token },
      { cookie, origin, "x-csrf-token": "other" },
      { cookie, origin, "x-csrf-token": "" },
      { cookie, origin: "https://evil.example", "x-csrf-token": token },
      { cookie, origin: `${origin}.evil.example`, "x-csrf-token": token },
      { cookie, origin: "null", "x-csrf-token": token },
    ];
    const asked = [...CHANGES, { method: "DELETE", target: SESSION, body: undefined }];
    for (const { method, target, body } of asked) {
      for (const headers of wrong) {
        const more = body === undefined ? {} : { body };
        expect(codeOf(await call(url, method, target, { key: null, headers, ...more }))).toBe(10004);
      }
    }
    expect(admin.calls).toEqual([]);
    expect(admin.changes).toMatchObject([{ action: "sign in" }]);
    expect((await call(url, "DELETE", BOT, { key: null, headers: good })).status).toBe(200);
  });

  it("counts nothing of its cookie where a key is sent: the key decides", async () => {
    const { url } = await start();
    const { good } = await signedIn(url, WRITE_KEY);
    expect((await call(url, "GET", BOT, { key: "unknown", headers: good })).status).toBe(401);
    expect(codeOf(await call(url, "DELETE", BOT, { key: READ_KEY, headers: good }))).toBe(10003);
    expect((await call(url, "DELETE", BOT, { key: WRITE_KEY, headers: { cookie: good.cookie } })).status).toBe(200);
    // A proxy may need the header for itself.
    const proxied = { cookie: good.cookie, authorization: "Basic eDp5" };
    expect((await call(url, "GET", BOT, { key: null, headers: proxied })).status).toBe(200);
  });

  it.each([
    ["twice", (cookie: string) => `${cookie}; ${cookie}`],
    ["unknown", () => "loredex_session=other"],
    ["with signs that no token has", (cookie: string) => `${cookie}"<script>`],
    ["empty", () => "loredex_session="],
    ["very long", () => `loredex_session=${"x".repeat(4_000)}`],
    ["of another name", (cookie: string) => `x${cookie}`],
  ])("is not opened by a cookie that is %s", async (_name, changed) => {
    const { url } = await start();
    const { cookie } = await signedIn(url, WRITE_KEY);
    const headers = { cookie: changed(cookie) };
    expect((await call(url, "GET", BOT, { key: null, headers })).status).toBe(401);
    const beside = { cookie: `theme=dark; ${cookie}; a=b=c` };
    expect((await call(url, "GET", BOT, { key: null, headers: beside })).status).toBe(200);
  });

  it("compares the origin with the host as browsers do", async () => {
    const { url, port, signIn } = await start();
    const { cookie, csrfToken } = await signedIn(url, WRITE_KEY);
    const asked = async (host: string, origin: string, session = cookie) => {
      const client = new RawClient(port);
      const headers = { host, origin, cookie: session, "x-csrf-token": csrfToken, connection: "close" };
      client.send(wire("DELETE", BOT, headers));
      return (await client.ended()).slice(9, 12);
    };
    expect(await asked("Console.example", "http://console.example")).toBe("200");
    expect(await asked("console.example:80", "http://console.example")).toBe("200");
    expect(await asked("console.example:8080", "http://console.example:8080")).toBe("200");
    expect(await asked("console.example:8080", "http://console.example")).toBe("403");
    expect(await asked("console.example", "http://console.example.evil")).toBe("403");
    // As behind a proxy that ends TLS: the session keeps the scheme by which the browser opened it.
    const byHttps = await signIn(WRITE_KEY, { headers: { origin: `https://${new URL(url).host}` } });
    const secure = byHttps.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(await asked("console.example:443", "https://console.example", secure)).toBe("200");
    expect(await asked("console.example", "http://console.example", secure)).toBe("403");
    expect(await asked("console.example", "https://console.example")).toBe("403");
  });
});
