import { describe, expect, it, onTestFinished } from "vitest";
import { CATALOG_STORE } from "../../src/catalog/store-names.ts";
import { BOT_KEYS_MAX, Engine, type KeyOptions } from "../../src/index.ts";
import { encodeRecord } from "../../src/log/record-codec.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { filesWith } from "../support/files-of.ts";
import { TestClock } from "../support/test-clock.ts";

async function open(disk?: SimulatedDisk, clock = new TestClock()): Promise<Engine> {
  const storage = disk === undefined ? {} : { storage: await openOn(disk) };
  const engine = await Engine.open({ ...storage, clock, embedders: {} });
  onTestFinished(() => engine.close());
  return engine;
}

const SITE = { scope: "search", requestsPerMinute: 600, origins: ["https://shop.example.com"] } as const;

describe("keys beside the first", () => {
  it("open the same bot, say which they are, and are rotated and revoked each by itself", async () => {
    const engine = await open();
    const { bot, key } = await engine.createBot({ name: "acme" });
    const site = await engine.addKey("acme", "site", SITE);
    const sync = await engine.addKey(bot.id, "sync");
    expect(engine.authenticate(site)).toMatchObject({ id: bot.id, name: "acme", key: { name: "site", ...SITE } });
    expect(engine.authenticate(sync)?.key).toEqual({ name: "sync", scope: "all", origins: [] });
    expect(engine.authenticate(key)?.key).toEqual({ name: "default", scope: "all", origins: [] });
    expect(engine.listKeys("acme").map(({ name }) => name)).toEqual(["default", "site", "sync"]);

    const renewed = await engine.rotateKey("acme", "site");
    expect(engine.authenticate(site)).toBeUndefined();
    expect(engine.authenticate(renewed)?.key).toEqual({ name: "site", ...SITE });
    expect(engine.listKeys("acme").map(({ name }) => name)).toEqual(["default", "site", "sync"]);

    await engine.revokeKey("acme", "site");
    expect(engine.authenticate(renewed)).toBeUndefined();
    expect(engine.authenticate(sync)?.id).toBe(bot.id);
    await engine.revokeKey("acme");
    expect(engine.authenticate(key)).toBeUndefined();
    expect(engine.authenticate(sync)?.hasKey).toBe(true);
    await engine.revokeKey("acme", "sync");
    expect(engine.findBot("acme")?.hasKey).toBe(false);
    expect(engine.listKeys("acme")).toEqual([]);
  });

  it("die with their bot", async () => {
    const engine = await open();
    await engine.createBot({ name: "acme" });
    const site = await engine.addKey("acme", "site", SITE);
    await engine.removeBot("acme");
    expect(engine.authenticate(site)).toBeUndefined();
    expect(engine.listsOrigin("https://shop.example.com")).toBe(false);
  });

  it("have a name of their own, and are refused beyond the most that a bot may have", async () => {
    const engine = await open();
    await engine.createBot({ name: "acme" });
    await engine.addKey("acme", "site");
    await expect(engine.addKey("acme", "site")).rejects.toMatchObject({ code: "KEY_EXISTS" });
    await expect(engine.rotateKey("acme", "other")).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
    await expect(engine.revokeKey("acme", "other")).rejects.toMatchObject({ code: "KEY_NOT_FOUND" });
    await expect(engine.addKey("nobody", "site")).rejects.toMatchObject({ code: "BOT_NOT_FOUND" });
    for (let i = 2; i < BOT_KEYS_MAX; i += 1) await engine.addKey("acme", `key ${i}`);
    await expect(engine.addKey("acme", "one more")).rejects.toMatchObject({
      code: "VALIDATION",
      violations: [{ field: "name", type: "maxItems" }],
    });
    expect(engine.listKeys("acme")).toHaveLength(BOT_KEYS_MAX);
  });

  it.each<[string, unknown, readonly string[]]>([
    ["", {}, ["name minLength"]],
    ["default", {}, ["name name"]],
    [" x", {}, ["name name"]],
    ["x".repeat(201), {}, ["name maxLength"]],
    ["\ud800", {}, ["name string"]],
    ["x", { scope: "write" }, ["scope enum"]],
    ["x", { requestsPerMinute: 0 }, ["requestsPerMinute range"]],
    ["x", { requestsPerMinute: 1.5 }, ["requestsPerMinute range"]],
    ["x", { requestsPerMinute: 1_000_001 }, ["requestsPerMinute range"]],
    ["x", { origins: "https://a.b" }, ["origins array"]],
    ["x", { origins: Array.from({ length: 101 }, (_, i) => `https://a${i}.b`) }, ["origins maxItems"]],
    [
      "x",
      { origins: ["*", "null", "a.b", "ftp://a.b", "https://a.b"] },
      [0, 1, 2, 3].map((i) => `origins.${i} origin`),
    ],
    [
      "x",
      { origins: ["https://a.b/", "https://A.b", "https://a.b:443", 7] },
      ["origins.0 origin", "origins.1 origin", "origins.2 origin", "origins.3 string"],
    ],
    ["x", { rate: 7 }, ["rate unknownField"]],
    ["x\u202ey", {}, ["name name"]],
    ["x\ny", {}, ["name name"]],
  ])("%j with %j is refused by %j", async (name, options, rules) => {
    const engine = await open();
    await engine.createBot({ name: "acme" });
    // Boundary: what callers without types give.
    const error: unknown = await engine.addKey("acme", name, options as KeyOptions).catch((reason: unknown) => reason);
    const { violations = [] } = error as { violations?: { field: string; type: string }[] };
    expect(violations.map(({ field, type }) => `${field} ${type}`)).toEqual(rules);
  });

  it("list an origin for as long as any key does", async () => {
    const engine = await open();
    await engine.createBot({ name: "one" });
    await engine.createBot({ name: "two" });
    const origin = "https://shop.example.com";
    expect(engine.listsOrigin(origin)).toBe(false);
    await engine.addKey("one", "a", { origins: [origin, origin] });
    await engine.addKey("two", "b", { origins: [origin] });
    await engine.rotateKey("one", "a");
    await engine.revokeKey("one", "a");
    expect(engine.listsOrigin(origin)).toBe(true);
    await engine.updateBot("two", { name: "three" });
    await engine.revokeKey("three", "b");
    expect(engine.listsOrigin(origin)).toBe(false);
  });

  it("count their requests each by themselves, also when they were rotated", async () => {
    const clock = new TestClock();
    const engine = await open(undefined, clock);
    await engine.createBot({ name: "acme" });
    const [one, two] = [
      await engine.addKey("acme", "one", { requestsPerMinute: 2 }),
      await engine.addKey("acme", "two", { requestsPerMinute: 1 }),
    ];
    const ask = (key: string): number | Promise<number> => {
      const opened = engine.authenticate(key);
      if (opened === undefined) throw new Error("it opens nothing");
      return engine.admitRequest(opened);
    };
    expect([ask(one), ask(two)]).toEqual([0, 0]);
    clock.advance(1_000);
    expect([ask(one), ask(one), ask(two)]).toEqual([0, 59_000, 59_000]);
    const renewed = await engine.rotateKey("acme", "one");
    expect(ask(renewed)).toBe(59_000);
    clock.advance(59_000);
    expect([ask(renewed), ask(renewed)]).toEqual([0, 1_000]);
  });
});

describe("keys that are kept", () => {
  it.each(["from the log", "from a snapshot"])("are all there after a start, %s", async (from) => {
    const disk = simulatedDisk();
    const engine = await open(disk);
    const { key } = await engine.createBot({ name: "acme" });
    const gone = await engine.addKey("acme", "gone");
    const site = await engine.addKey("acme", "site", SITE);
    await engine.revokeKey("acme", "gone");
    await engine.updateBot("acme", { quotaCharacters: 7 });
    if (from === "from a snapshot") await engine.purge("acme");
    await engine.close();
    const again = await open(disk);
    expect(again.authenticate(site)?.key).toEqual({ name: "site", ...SITE });
    expect(again.authenticate(key)?.key.name).toBe("default");
    expect(again.authenticate(gone)).toBeUndefined();
    expect(again.listsOrigin("https://shop.example.com")).toBe(true);
  });

  it("leave nothing behind after a purge when they were revoked or rotated, and are never kept themselves", async () => {
    const disk = simulatedDisk();
    const engine = await open(disk);
    await engine.createBot({ name: "acme" });
    const site = await engine.addKey("acme", "zyxquor", SITE);
    const sync = await engine.addKey("acme", "sync");
    const publicId = (key: string): string => key.slice(5, 21);
    expect(await filesWith(disk, publicId(site))).not.toEqual([]);
    expect(await filesWith(disk, site)).toEqual([]);
    await engine.revokeKey("acme", "zyxquor");
    await engine.rotateKey("acme", "sync");
    await engine.purge("acme");
    for (const text of ["zyxquor", publicId(site), publicId(sync), "shop.example.com"])
      expect(await filesWith(disk, text), text).toEqual([]);
  });

  it("go with a backup, and not with a copy under another name", async () => {
    const engine = await open();
    const { key } = await engine.createBot({ name: "acme" });
    const site = await engine.addKey("acme", "site", SITE);
    const disk = simulatedDisk();
    const other = await open(disk);
    await other.restore(engine.backup("acme"));
    expect(other.authenticate(site)?.key).toEqual({ name: "site", ...SITE });
    expect(other.authenticate(key)?.key.name).toBe("default");
    const copy = await other.restore(engine.backup("acme"), { as: "copy" });
    expect(other.listKeys("copy").map(({ name }) => name)).toEqual(["default"]);
    expect(other.authenticate(copy.key)?.name).toBe("copy");
    await other.close();
    const again = await open(disk);
    expect(again.authenticate(site)).toMatchObject({ name: "acme", key: { name: "site" } });
  });

  it("are of kinds that an earlier version refuses, and only where there are more than one", async () => {
    for (const isMore of [false, true]) {
      const disk = simulatedDisk();
      const engine = await open(disk);
      await engine.createBot({ name: "acme" });
      if (isMore) await engine.addKey("acme", "site");
      const source = await open();
      await source.createBot({ name: "beta" });
      if (isMore) await source.addKey("beta", "site");
      await engine.restore(source.backup("beta"));
      const kinds = await kindsIn(disk, () => engine.close());
      expect(kinds).toEqual(isMore ? ["botCreate", "namedKeySet", "botCreateWithKeys"] : ["botCreate", "botCreate"]);
      const again = await open(disk);
      await again.purge("acme");
      const versions = await versionsIn(disk, () => again.close());
      expect(versions).toEqual([isMore ? 2 : 1]);
    }
  });

  it.each([
    { name: "site", publicId: "0", sha256: "ff", scope: "all" },
    { name: "site", sha256: "f".repeat(64), scope: "all" },
    { name: 7, publicId: "0", sha256: "f".repeat(64), scope: "all" },
    { name: "site", publicId: "0", sha256: "f".repeat(64), scope: "none" },
    { name: "site", publicId: "0", sha256: "f".repeat(64), scope: "all", requestsPerMinute: "many" },
    { name: "site", publicId: "0", sha256: "f".repeat(64), scope: "all", origins: ["a"] },
    7,
  ])("are damage where they say %j", async (key) => {
    const disk = simulatedDisk();
    const engine = await open(disk);
    const { bot } = await engine.createBot({ name: "acme" });
    await engine.close();
    const storage = await openOn(disk);
    const store = await storage.open(CATALOG_STORE);
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    // Boundary: what no version of this program writes.
    await store.append(encodeRecord({ kind: "namedKeySet", id: bot.id, name: "site", key } as never));
    await store.close();
    await storage.close();
    const reopened = openOn(disk).then((again) => Engine.open({ storage: again, embedders: {} }));
    await expect(reopened).rejects.toMatchObject({ code: "CORRUPT" });
  });
});

async function kindsIn(disk: SimulatedDisk, close: () => Promise<void>): Promise<string[]> {
  await close();
  const kinds: string[] = [];
  const storage = await openOn(disk);
  await storage.salvage(CATALOG_STORE, {
    section: () => undefined,
    record: (_, payload) => void kinds.push(JSON.parse(new TextDecoder().decode(payload.subarray(4))).kind),
  });
  await storage.close();
  return kinds;
}

async function versionsIn(disk: SimulatedDisk, close: () => Promise<void>): Promise<number[]> {
  await close();
  const versions: number[] = [];
  const storage = await openOn(disk);
  await storage.salvage(CATALOG_STORE, {
    section: ({ version }) => void versions.push(version),
    record: () => undefined,
  });
  await storage.close();
  return versions;
}
