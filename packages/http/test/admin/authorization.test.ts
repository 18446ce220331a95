import { describe, expect, it } from "vitest";
import { call, codeOf } from "../support/client.ts";
import { BOT_KEY, FakeAdmin, OTHER_BOT_ID, OTHER_KEY, READ_KEY, WRITE_KEY } from "../support/fake-admin.ts";
import { BOT_ID, BOT_NAME, FakeEngine, KEY } from "../support/fake-engine.ts";
import { serve } from "../support/server.ts";
import { type AdminCase, ask, CHANGES, EVERY_OPERATION } from "./ask.ts";

const named = (each: AdminCase) => `${each.method} ${each.path}`;
const WITH_KEY = EVERY_OPERATION.filter(({ path }) => !path.endsWith("/session"));
const OF_BOT = WITH_KEY.filter(({ path }) => path.includes(":bot"));
const READS = WITH_KEY.filter((each) => !CHANGES.includes(each));

describe("an operation of the admin API", () => {
  it("is there in the number of the table, reads and changes", () => {
    expect(READS.length).toBeGreaterThan(20);
    expect(CHANGES.length).toBeGreaterThan(20);
    expect(READS.length + CHANGES.length + 3).toBe(EVERY_OPERATION.length);
  });

  it("is unknown without an admin, whatever key is sent", async () => {
    const { url } = await serve(new FakeEngine());
    for (const each of EVERY_OPERATION) {
      for (const key of [null, "unknown", WRITE_KEY, KEY]) {
        const answer = await ask(url, each, { key });
        expect([named(each), answer.status, codeOf(answer)]).toEqual([named(each), 404, 20002]);
      }
    }
    for (const path of ["/api/v1/admin", "/api/v1/admin/nothing"]) {
      expect((await call(url, "GET", path, { key: null })).status).toBe(404);
    }
    // Paths that only begin alike need a key, as any unknown path does.
    expect((await call(url, "GET", "/api/v1/administer", { key: null })).status).toBe(401);
  });

  it("needs an admin key: a bot's key, an unknown one and none are refused alike", async () => {
    const { url } = await serve(new FakeEngine(), { admin: new FakeAdmin() });
    for (const each of WITH_KEY) {
      for (const key of [null, KEY, "unknown"]) {
        const answer = await ask(url, each, { key });
        expect([named(each), answer.status, codeOf(answer)]).toEqual([named(each), 401, 10001]);
      }
    }
  });

  it("is done with a key that may write, and each change is noted", async () => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    const missing = new Set([404, 20011, 20016]);
    for (const each of WITH_KEY.filter(({ path }) => !path.endsWith("/events"))) {
      const before = admin.changes.length;
      const answer = await ask(url, each);
      // What is looked up by an id is not there in the fake.
      const isKnown = answer.status < 300 || missing.has(answer.status);
      expect([named(each), isKnown, answer.text]).toEqual([named(each), true, answer.text]);
      const noted = admin.changes.length - before;
      const isNoted = CHANGES.includes(each) || each.path.endsWith("/backup");
      expect([named(each), noted]).toEqual([named(each), isNoted ? 1 : 0]);
      if (noted === 0) continue;
      const [change] = admin.changes;
      expect(change).toMatchObject({ by: "ann", bot: BOT_ID });
      expect(JSON.stringify(change)).not.toContain("example.com");
    }
  });

  it("reads with a key that may read, and changes nothing with it", async () => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    for (const each of CHANGES) {
      const answer = await ask(url, each, { key: READ_KEY });
      expect([named(each), answer.status, codeOf(answer)]).toEqual([named(each), 403, 10003]);
    }
    expect([admin.changes, admin.calls]).toEqual([[], []]);
    for (const each of READS.filter(({ path }) => !path.endsWith("/events"))) {
      const answer = await ask(url, each, { key: READ_KEY });
      expect([named(each), [200, 404].includes(answer.status)]).toEqual([named(each), true]);
    }
  });

  it("sees no bot that is not the key's, and does not tell that there is one", async () => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    for (const each of OF_BOT) {
      const answer = await ask(url, each, { key: OTHER_KEY });
      expect([named(each), answer.status, codeOf(answer)]).toEqual([named(each), 404, 20007]);
      const unknown = await ask(url, { ...each, target: each.target.replace(BOT_NAME, "nowhere") });
      expect(unknown.json).toEqual(answer.json);
    }
    expect([admin.changes, admin.calls]).toEqual([[], []]);
  });

  it("creates no bot with a key for some bots", async () => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    const creating = CHANGES.filter(({ path }) => !path.includes(":bot"));
    expect(creating.map(named)).toEqual(["POST /api/v1/admin/bots", "POST /api/v1/admin/restore"]);
    for (const each of creating) expect(codeOf(await ask(url, each, { key: BOT_KEY }))).toBe(10003);
    expect(admin.calls).toEqual([]);
  });

  it("lists to a key for some bots these alone, with their changes and alerts", async () => {
    const admin = new FakeAdmin();
    const { url } = await serve(new FakeEngine(), { admin });
    for (const bot of [BOT_ID, OTHER_BOT_ID, undefined]) {
      await admin.administration.noteChange({ by: "ann", action: "bot set", ...(bot === undefined ? {} : { bot }) });
    }
    const dataOf = async (path: string, key: string) =>
      (await call(url, "GET", `/api/v1/admin${path}`, { key })).json as { data: { id?: string; bot?: string }[] };
    expect((await dataOf("/bots", WRITE_KEY)).data).toHaveLength(2);
    expect((await dataOf("/bots", BOT_KEY)).data.map(({ id }) => id)).toEqual([BOT_ID]);
    expect((await dataOf("/changes", WRITE_KEY)).data).toHaveLength(3);
    const asked: unknown[] = [];
    const { changes } = admin.administration;
    admin.administration.changes = (options) => {
      asked.push(options);
      return changes(options);
    };
    expect((await dataOf("/changes?limit=2", BOT_KEY)).data.map(({ bot }) => bot)).toEqual([BOT_ID]);
    // In one call, however few changes are of its bots.
    expect(asked).toEqual([{ limit: 2, bots: [BOT_ID] }]);
    expect(await dataOf("/status", BOT_KEY)).toMatchObject({ data: { alerts: [] } });
    expect(await dataOf("/status", OTHER_KEY)).toMatchObject({ data: { alerts: [{ bots: [OTHER_BOT_ID] }] } });
  });

  it("finds an unknown path and method after the key, and names the methods", async () => {
    const { url } = await serve(new FakeEngine(), { admin: new FakeAdmin() });
    expect((await call(url, "GET", "/api/v1/admin/nothing", { key: "unknown" })).status).toBe(401);
    expect(codeOf(await call(url, "GET", "/api/v1/admin/nothing", { key: WRITE_KEY }))).toBe(20002);
    const answer = await call(url, "PUT", "/api/v1/admin/session", { key: WRITE_KEY, body: {} });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, DELETE, POST, OPTIONS"]);
    expect((await call(url, "HEAD", "/api/v1/admin/bots", { key: WRITE_KEY })).status).toBe(200);
  });

  it("never answers CORS", async () => {
    const engine = new FakeEngine();
    engine.key = { ...engine.key, origins: ["https://a.example"] };
    const { url } = await serve(engine, { admin: new FakeAdmin() });
    const headers = { origin: "https://a.example", "access-control-request-method": "GET" };
    for (const each of EVERY_OPERATION) {
      const answer = await call(url, "OPTIONS", each.target, { key: null, headers });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
    }
    const answer = await call(url, "GET", "/api/v1/admin/bots", { key: WRITE_KEY, headers });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([200, null]);
  });

  it("opens nothing else with an admin key", async () => {
    const { url } = await serve(new FakeEngine(), { admin: new FakeAdmin() });
    for (const path of ["/api/v1/knowledge", "/api/v1/usage", "/api/v1/nothing"]) {
      expect((await call(url, "GET", path, { key: WRITE_KEY })).status).toBe(401);
    }
  });

  it("is logged with the name of the admin key", async () => {
    const { url, log } = await serve(new FakeEngine(), { admin: new FakeAdmin() });
    await call(url, "GET", `/api/v1/admin/bots/${BOT_NAME}`, { key: READ_KEY });
    const event = { route: "/api/v1/admin/bots/:bot", adminKey: "ben", botId: BOT_ID, status: 200 };
    expect(log.at(-1)).toMatchObject(event);
  });

  it("is answered although its change could not be noted, and that is logged", async () => {
    const admin = new FakeAdmin();
    admin.noteFailure = new Error("the disk is full");
    const { url, log } = await serve(new FakeEngine(), { admin });
    expect((await call(url, "DELETE", `/api/v1/admin/bots/${BOT_NAME}`, { key: WRITE_KEY })).status).toBe(200);
    expect(log.map(({ event }) => event)).toContain("requestFailed");
  });
});
