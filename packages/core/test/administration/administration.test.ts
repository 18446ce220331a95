import { expect, it, onTestFinished } from "vitest";
import { Engine } from "../../src/engine.ts";
import type { LogEvent } from "../../src/index.ts";
import { ADMIN_CHANGES_MAX, ADMIN_KEYS_MAX } from "../../src/model/limits.ts";
import { codeOf } from "../nodes/nodes.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { filesWith } from "../support/files-of.ts";
import { TestClock } from "../support/test-clock.ts";

/** Admin keys, sessions, sign-ins and the audit log of one engine. */

const HOUR_MS = 3_600_000;

async function open(disk: SimulatedDisk, clock = new TestClock()) {
  const told: LogEvent[] = [];
  const engine = await Engine.open({
    storage: await openOn(disk),
    embedders: {},
    background: false,
    clock,
    logger: (event) => void told.push(event),
  });
  onTestFinished(() => engine.close());
  return { engine, admin: engine.administration, clock, told };
}

it("a directory without admin keys has no store for them, whatever is asked", async () => {
  const disk = simulatedDisk();
  const { engine, admin } = await open(disk);
  await engine.createBot({ name: "shop" });
  expect(await admin.listKeys()).toEqual([]);
  expect(await admin.authenticate(`lore_${"0".repeat(16)}_${"a".repeat(43)}`)).toBeUndefined();
  expect(await admin.session("a".repeat(43))).toBeUndefined();
  expect(await admin.changes()).toEqual({ changes: [] });
  expect(await admin.signIn("192.0.2.1", async () => undefined)).toEqual({ waitMs: 0 });
  await admin.closeSession("a".repeat(43));
  await engine.purge("shop");
  expect(await disk.fileSystem.readDirectory("/data/stores")).not.toContain("admin");
});

it("an admin key opens as what it was created for, also after a start, until it is rotated or revoked", async () => {
  const disk = simulatedDisk();
  const first = await open(disk);
  const { bot, key: botKey } = await first.engine.createBot({ name: "shop" });
  const all = await first.admin.addKey("anna");
  const some = await first.admin.addKey("editors", { scope: "read", bots: ["shop", bot.id] });
  await first.engine.close();

  const { engine, admin, clock } = await open(disk);
  const createdAt = new Date(clock.wallMs()).toISOString();
  expect(await admin.listKeys()).toEqual([
    { name: "anna", scope: "write", createdAt },
    { name: "editors", scope: "read", bots: [bot.id], createdAt },
  ]);
  expect(await admin.authenticate(all)).toMatchObject({ name: "anna", scope: "write" });
  expect(await admin.authenticate(some)).toMatchObject({ name: "editors", scope: "read", bots: [bot.id] });
  expect(await admin.authenticate(botKey)).toBeUndefined();
  expect(engine.authenticate(all)).toBeUndefined();
  for (const wrong of [undefined, "", "anna", all.slice(0, -1), `${all.slice(0, -1)}${all.endsWith("A") ? "B" : "A"}`])
    expect(await admin.authenticate(wrong)).toBeUndefined();

  const rotated = await admin.rotateKey("anna");
  await admin.revokeKey("editors");
  expect(await admin.authenticate(all)).toBeUndefined();
  expect(await admin.authenticate(rotated)).toMatchObject({ name: "anna" });
  expect(await admin.authenticate(some)).toBeUndefined();
  expect(await admin.listKeys()).toEqual([{ name: "anna", scope: "write", createdAt }]);
});

it("a key needs another name than those in force, known bots, and a place among the keys", async () => {
  const { admin } = await open(simulatedDisk());
  await admin.addKey("anna");
  expect(await codeOf(admin.addKey("anna"))).toBe("KEY_EXISTS");
  expect(await codeOf(admin.addKey("bea", { bots: ["shop"] }))).toBe("BOT_NOT_FOUND");
  expect(await codeOf(admin.rotateKey("bea"))).toBe("KEY_NOT_FOUND");
  expect(await codeOf(admin.revokeKey("bea"))).toBe("KEY_NOT_FOUND");
  expect(await codeOf(admin.openSession("bea"))).toBe("KEY_NOT_FOUND");
  const odd = ["be\u202ea", "be\u0000a", "be\na", "be\u2028a", "command line", "Command\u00a0 Line"];
  for (const name of ["", " bea", "b".repeat(201), ...odd]) expect(await codeOf(admin.addKey(name))).toBe("VALIDATION");
  for (const options of [{ scope: "all" }, { bots: [] }, { bots: [7] }, { bots: "shop" }, { bot: ["shop"] }])
    expect(await codeOf(Reflect.apply(admin.addKey, admin, ["bea", options]))).toBe("VALIDATION");
  for (let count = 1; count < ADMIN_KEYS_MAX; count += 1) await admin.addKey(`key ${count}`);
  expect(await codeOf(admin.addKey("bea"))).toBe("VALIDATION");
});

it("a session has its key's rights for 12 hours, and ends with its key", async () => {
  const disk = simulatedDisk();
  const first = await open(disk);
  const key = await first.admin.addKey("anna", { scope: "read" });
  const identity = (await first.admin.authenticate(key)) ?? expect.fail("the key is in force");
  const [opened, other] = [await first.admin.openSession(identity), await first.admin.openSession("anna")];
  expect(opened).toEqual({
    token: opened.token,
    identity,
    csrfToken: opened.csrfToken,
    expiresAt: new Date(first.clock.wallMs() + 12 * HOUR_MS).toISOString(),
  });
  expect(new Set([opened.token, opened.csrfToken, other.token, other.csrfToken]).size).toBe(4);
  const { token, ...session } = opened;
  expect(await filesWith(disk, token, opened.csrfToken, key)).toEqual([]);
  await first.engine.close();

  const { admin, clock } = await open(disk, first.clock);
  expect(await admin.session(token)).toEqual(session);
  for (const wrong of [undefined, "", token.slice(1), opened.csrfToken])
    expect(await admin.session(wrong)).toBeUndefined();
  await admin.closeSession(other.token);
  expect(await admin.session(other.token)).toBeUndefined();
  clock.advance(12 * HOUR_MS - 1);
  expect(await admin.session(token)).toEqual(session);
  clock.advance(1);
  expect(await admin.session(token)).toBeUndefined();

  const ended = [await admin.openSession("anna"), await admin.openSession("anna")];
  await admin.rotateKey("anna");
  expect(await codeOf(admin.openSession(identity))).toBe("KEY_NOT_FOUND");
  for (const each of ended) expect(await admin.session(each.token)).toBeUndefined();
  const last = await admin.openSession("anna");
  expect(await admin.session(last.token)).toBeDefined();
  await admin.revokeKey("anna");
  await admin.addKey("anna");
  expect(await admin.session(last.token)).toBeUndefined();
});

it("the oldest session of a key ends when the key has too many, and none of another key", async () => {
  const { admin } = await open(simulatedDisk());
  await admin.addKey("anna");
  await admin.addKey("wall", { scope: "read" });
  const other = await admin.openSession("anna");
  const sessions = [];
  for (let count = 0; count < 1_000; count += 1) sessions.push(await admin.openSession("wall"));
  expect(await admin.session(other.token)).toBeDefined();
  const known = await Promise.all(sessions.map(({ token }) => admin.session(token)));
  expect(known.map((session) => session !== undefined)).toEqual(sessions.map((_, index) => index >= 980));
});

it("the first ten failures of an address within 15 minutes have no effect; then each try waits for 30 seconds", async () => {
  const disk = simulatedDisk();
  const first = await open(disk);
  await first.admin.addKey("anna");
  let tries = 0;
  const failed = async () => {
    tries += 1;
    return undefined;
  };
  for (let failures = 0; failures < 10; failures += 1) {
    expect(await first.admin.signIn("2001:db8::1", failed)).toEqual({ waitMs: 0 });
    first.clock.advance(1_000);
  }
  await first.engine.close();

  const { admin, clock } = await open(disk, first.clock);
  expect(await admin.signIn("2001:db8::1", failed)).toEqual({ waitMs: 29_000 });
  // One network has all of these addresses.
  expect(await admin.signIn("2001:0db8:0:0:ffff::2%eth0", failed)).toEqual({ waitMs: 29_000 });
  expect(tries).toBe(10);
  expect(await admin.signIn("2001:db8:0:1::1", async () => "in")).toEqual({ waitMs: 0, result: "in" });
  expect(await admin.signIn("192.0.2.1", async () => "in")).toEqual({ waitMs: 0, result: "in" });
  clock.advance(29_000);
  expect(await admin.signIn("2001:db8::1", async () => "in")).toEqual({ waitMs: 0, result: "in" });
  expect(await admin.signIn("2001:db8::1", failed)).toEqual({ waitMs: 0 });
  expect(await admin.signIn("2001:db8::1", failed)).toEqual({ waitMs: 30_000 });
  // All but the last one are older.
  clock.advance(15 * 60_000 - 30_000);
  for (let failures = 0; failures < 9; failures += 1)
    expect(await admin.signIn("2001:db8::1", failed)).toEqual({ waitMs: 0 });
  expect((await admin.signIn("2001:db8::1", failed)).waitMs).toBeGreaterThan(0);
});

it("a clock that was set back locks nobody out, and lengthens no session", async () => {
  const disk = simulatedDisk();
  const clock = new TestClock();
  const now = clock.wallMs();
  clock.wall = now + 24 * HOUR_MS;
  const first = await open(disk, clock);
  await first.admin.addKey("anna");
  const { token } = await first.admin.openSession("anna");
  const failed = async () => undefined;
  for (let failures = 0; failures < 10; failures += 1) await first.admin.signIn("192.0.2.1", failed);
  expect((await first.admin.signIn("192.0.2.1", failed)).waitMs).toBe(30_000);
  // Clocks of two nodes differ by a few seconds.
  clock.wall = now + 24 * HOUR_MS - 5_000;
  expect((await first.admin.signIn("192.0.2.1", failed)).waitMs).toBe(30_000);
  expect(await first.admin.session(token)).toBeDefined();
  await first.engine.close();

  clock.wall = now;
  const { admin } = await open(disk, clock);
  expect(await admin.signIn("192.0.2.1", async () => "in")).toEqual({ waitMs: 0, result: "in" });
  for (let failures = 0; failures < 10; failures += 1) expect((await admin.signIn("192.0.2.1", failed)).waitMs).toBe(0);
  expect((await admin.signIn("192.0.2.1", failed)).waitMs).toBe(30_000);
  expect(await admin.session(token)).toBeUndefined();
  clock.wall = now + 25 * HOUR_MS;
  expect(await admin.session(token)).toBeUndefined();
});

it("tries of an address that come at once count as those that come one after the other", async () => {
  const { admin } = await open(simulatedDisk());
  await admin.addKey("anna");
  const tries = Array.from({ length: 30 }, () => admin.signIn("::ffff:192.0.2.1", async () => undefined));
  const waits = (await Promise.all(tries)).map(({ waitMs }) => waitMs);
  expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(10);
  expect((await admin.signIn("192.0.2.1", async () => "in")).waitMs).toBe(30_000);
  expect((await admin.signIn("not an address", async () => "in")).result).toBe("in");
});

it("a try that throws counts for nothing", async () => {
  const { admin } = await open(simulatedDisk());
  await admin.addKey("anna");
  for (let tries = 0; tries < 20; tries += 1)
    await expect(admin.signIn("192.0.2.1", () => Promise.reject(new Error("no database")))).rejects.toThrow(
      "no database",
    );
  expect((await admin.signIn("192.0.2.1", async () => "in")).waitMs).toBe(0);
});

it("the audit log of some bots has pages as full as that of all", async () => {
  const { admin } = await open(simulatedDisk());
  for (let number = 0; number < 40; number += 1) {
    const of = number % 8 === 0 ? { bot: "a" } : number % 8 === 4 ? { bot: "b" } : number % 2 === 0 ? {} : { bot: "c" };
    await admin.noteChange({ by: "anna", action: "article deleted", target: `${number}`, ...of });
  }
  const targets: (string | undefined)[][] = [];
  for (let before: number | undefined, pages = 0; pages < 9; pages += 1) {
    const page = await admin.changes({ limit: 4, bots: ["a", "b"], ...(before !== undefined && { before }) });
    targets.push(page.changes.map(({ target }) => target));
    before = page.next;
    if (before === undefined) break;
  }
  expect(targets).toEqual([
    ["36", "32", "28", "24"],
    ["20", "16", "12", "8"],
    ["4", "0"],
  ]);
  expect(await admin.changes({ bots: [] })).toEqual({ changes: [] });
  const many = Array.from({ length: 1_001 }, (_, number) => `${number}`);
  await expect(admin.changes({ bots: many })).rejects.toMatchObject({ code: "VALIDATION" });
});

it("a change that was made is answered also if it cannot be noted, and that is logged", async () => {
  const { admin, told } = await open(simulatedDisk());
  const failure = new Error("the disk is full");
  admin.noteChange = async () => Promise.reject(failure);
  await admin.noteMade({ by: "command line", action: "admin key created", target: "anna" });
  const message = "The audit log could not take what command line did: admin key created anna.";
  expect(told).toEqual([{ level: "error", event: "changeNotNoted", message, error: failure }]);
});

it("the audit log has the last changes, newest first and by pages", async () => {
  const disk = simulatedDisk();
  const { admin, clock, engine } = await open(disk);
  for (let number = 0; number < 25; number += 1) {
    await admin.noteChange({ by: "anna", action: "article deleted", bot: "shop", target: `${number}` });
    if (number === 10) await admin.addKey("anna");
    clock.advance(1_000);
  }
  const first = await admin.changes({ limit: 10 });
  expect(first.changes[0]).toEqual({
    at: new Date(clock.wallMs() - 1_000).toISOString(),
    by: "anna",
    action: "article deleted",
    bot: "shop",
    target: "24",
  });
  // A change that is added meanwhile moves no page.
  await admin.noteChange({ by: "b".repeat(300), action: "bot created", target: "t".repeat(1_000) });
  const second = await admin.changes({ limit: 10, ...(first.next !== undefined && { before: first.next }) });
  const third = await admin.changes({ limit: 10, ...(second.next !== undefined && { before: second.next }) });
  expect(third.next).toBeUndefined();
  const targets = [first, second, third].flatMap(({ changes }) => changes.map(({ target }) => target));
  expect(targets).toEqual(Array.from({ length: 25 }, (_, number) => `${24 - number}`));
  expect((await admin.changes({ limit: 26 })).next).toBeUndefined();
  expect((await admin.changes({ limit: 25 })).next).toBeDefined();
  await engine.close();
  const again = await open(disk);
  const [newest] = (await again.admin.changes({ limit: 1 })).changes;
  expect(newest).toMatchObject({ by: "b".repeat(200), action: "bot created", target: "t".repeat(300) });
  for (const wrong of [{ limit: 0 }, { limit: 1_001 }, { before: -1 }, { after: 1 }])
    expect(await codeOf(Reflect.apply(again.admin.changes, again.admin, [wrong]))).toBe("VALIDATION");
  for (const wrong of [{}, { by: "", action: "x" }, { by: "anna", action: 7 }, { by: "a", action: "b", content: "c" }])
    expect(await codeOf(Reflect.apply(again.admin.noteChange, again.admin, [wrong]))).toBe("VALIDATION");
});

it("the audit log keeps a bounded number of changes", async () => {
  const { admin, told } = await open(simulatedDisk());
  const noted = Array.from({ length: ADMIN_CHANGES_MAX + 5 }, (_, number) =>
    admin.noteChange({ by: "anna", action: "article updated", target: `${number}` }),
  );
  await Promise.all(noted);
  const targets: (string | undefined)[] = [];
  for (let before: number | undefined; ; ) {
    const page = await admin.changes({ limit: 1_000, ...(before !== undefined && { before }) });
    targets.push(...page.changes.map(({ target }) => target));
    before = page.next;
    if (before === undefined) break;
  }
  expect(targets).toHaveLength(ADMIN_CHANGES_MAX);
  expect([targets[0], targets.at(-1)]).toEqual([`${ADMIN_CHANGES_MAX + 4}`, "5"]);
  expect(told).toEqual([]);
});

it("a key that only signs in and reads displaces no change from the audit log", async () => {
  const disk = simulatedDisk();
  const first = await open(disk);
  await first.admin.noteChange({ by: "anna", action: "agent put", target: "refunds" });
  await first.admin.noteChange({ by: "bea", action: "sign in" });
  const often = ["sign in", "sign out", "backup"].flatMap((action) =>
    Array.from({ length: ADMIN_CHANGES_MAX / 2 }, () => first.admin.noteChange({ by: "wall", action })),
  );
  await Promise.all(often);
  const counted = async (admin: typeof first.admin) => {
    const { changes } = await admin.changes({ limit: 1_000 });
    const of = (by: string) => changes.filter((change) => change.by === by).length;
    return { anna: of("anna"), bea: of("bea"), wall: of("wall") };
  };
  expect(await counted(first.admin)).toEqual({ anna: 1, bea: 1, wall: 60 });
  await first.engine.close();
  expect(await counted((await open(disk)).admin)).toEqual({ anna: 1, bea: 1, wall: 60 });
});

it("a purge of a bot leaves no name of a revoked key outside the audit log", async () => {
  const disk = simulatedDisk();
  const { engine, admin } = await open(disk);
  await engine.createBot({ name: "shop" });
  await admin.addKey("zyxquorvun");
  await admin.openSession("zyxquorvun");
  await admin.revokeKey("zyxquorvun");
  expect(await filesWith(disk, "zyxquorvun")).not.toEqual([]);
  await engine.purge("shop");
  expect(await filesWith(disk, "zyxquorvun")).toEqual([]);
});

it("a closed engine refuses", async () => {
  const { engine, admin } = await open(simulatedDisk());
  await engine.close();
  expect(() => admin.authenticate("x")).toThrow("closed");
  expect(await codeOf(admin.addKey("anna"))).toBe("CLOSED");
});

it("a damaged list of admin keys keeps no bot from being served", async () => {
  const disk = simulatedDisk();
  const first = await open(disk);
  await first.engine.createBot({ name: "shop" });
  await first.admin.addKey("anna");
  await first.engine.close();
  const storage = await openOn(disk);
  const store = await storage.open("admin");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  await store.append(new TextEncoder().encode("\u0000\u0000\u0000\u0000 what is this"));
  await store.close();
  await storage.close();
  const { engine, admin } = await open(disk);
  await (await engine.bot("shop")).createArticle({ title: "Refunds", body: "They take two weeks." });
  expect(await codeOf(admin.listKeys())).toBe("CORRUPT");
  const report = await engine.verify();
  expect(report.stores.map(({ store: name }) => name)).toContain("admin");
});
