import { setTimeout as sleep } from "node:timers/promises";
import { LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { expectRateRefused, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE, type RefusedReply, type Reply, SEARCH } from "./client.ts";
import { FaultyStorage } from "./faulty-storage.ts";
import { ownService } from "./service.ts";

const article = (characters: number) => ({ title: "abc", body: "b".repeat(characters - 3) });

/** Every kind of write, each in a way that would be accepted. */
async function writes(bot: BotClient, id: string): Promise<readonly Reply<unknown>[]> {
  return [
    await bot.create(article(10)),
    await bot.update(id, article(20)),
    await bot.update(id, { metadata: { k: 1 } }),
    await bot.remove(id),
  ];
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(2);
}

const full = () => new LoredexError("DISK_FULL", "no room in /var/lib/secret");

describe("when the disk is full", () => {
  it("writes are answered with 507 and code 50003, reads go on, and writes come back by themselves", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    const before = await bot.publish({ title: "Harbour", body: "Ships sleep." });
    storage.fault = full();
    for (const reply of await writes(bot, before.id)) expectRefused(reply, 507, 50003);
    expect((await bot.list()).json.data).toEqual([before]);
    expect(await bot.ids("ships")).toEqual([before.id]);
    storage.fault = undefined;
    for (const reply of await writes(bot, before.id)) expect(reply.status, reply.text).toBe(200);
  });

  it("a write that failed gives its characters back, to the quota and to the rate", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot({ quotaCharacters: 100, rateCharactersPerMinute: 100 });
    const { id } = await bot.add(article(10));
    storage.fault = full();
    for (let i = 0; i < 3; i += 1) {
      expectRefused(await bot.create(article(90)), 507, 50003);
      expectRefused(await bot.update(id, article(100)), 507, 50003);
      expectRefused(await bot.remove(id), 507, 50003);
    }
    storage.fault = undefined;
    expect((await bot.create(article(90))).json.characterUsed).toBe(100);
    expectRefused(await bot.create(article(4)), 422, 30001);
    await bot.remove(id);
    expectRateRefused(await bot.create(article(4)), "60");
  });

  it("nothing of what failed is there after a restart", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    const before = await bot.publish({ title: "Harbour", body: "Ships sleep." });
    storage.fault = full();
    await writes(bot, before.id);
    storage.fault = undefined;
    await service.restart();
    expect(await bot.allActive()).toEqual([before]);
  });
});

describe("an update that changes nothing", () => {
  it("writes nothing, so that it succeeds on a full disk too", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    const before = await bot.publish({ title: "Harbour", body: "Ships sleep.", metadata: { k: 1 } });
    const appends = storage.appends;
    storage.fault = full();
    for (const patch of [{}, before, { metadata: { k: 1 } }, { body: "Ships sleep.", source: null }]) {
      const reply = await bot.update(before.id, patch);
      expect(reply.status, reply.text).toBe(200);
      expect(reply.json.data).toEqual(before);
    }
    expect(storage.appends).toBe(appends);
  });
});

describe("a start", () => {
  it("opens no bot that has nothing to do, however many there are", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const atStart = new Set(await storage.list());
    const bots = await Promise.all(Array.from({ length: 10 }, () => service.bot()));
    const ids = await Promise.all(bots.map(async (bot, i) => (await bot.publish({ title: `Bot ${i}`, body: "b" })).id));
    for (const bot of bots) await (await bot.core()).snapshot();
    await service.stop();
    storage.opened.splice(0);
    await service.start();
    expect(storage.opened.filter((name) => !atStart.has(name))).toEqual([]);
    expect((await bots[3]?.list())?.json.data.map(({ id }) => id)).toEqual([ids[3]]);
    expect(storage.opened.filter((name) => !atStart.has(name))).toHaveLength(1);
  });
});

describe("while a write waits for the disk", () => {
  it("its characters are taken already, and given back if it fails", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot({ quotaCharacters: 100, rateCharactersPerMinute: 150 });
    await bot.list();
    const before = storage.appends;
    const release = storage.hold();
    const pending = bot.create(article(100));
    await until(() => storage.appends > before);
    expectRefused(await bot.create(article(4)), 422, 30001);
    storage.fault = new LoredexError("DISK_FULL", "no room");
    release();
    expectRefused(await pending, 507, 50003);
    storage.fault = undefined;
    expect((await bot.create(article(100))).json.characterUsed).toBe(100);
  });

  it("it is not shown, and not found, before it is durable", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    const old = await bot.publish({ title: "Harbour", body: "Ships sleep." });
    const before = storage.appends;
    const release = storage.hold();
    const pending = [bot.create({ title: "Zeppelin", body: "Airships." }), bot.remove(old.id)];
    await until(() => storage.appends > before);
    expect((await bot.list()).json.data).toEqual([old]);
    expect(await bot.ids("zeppelin")).toEqual([]);
    expect(await bot.ids("ships sleep")).toEqual([old.id]);
    release();
    for (const reply of await Promise.all(pending)) expect(reply.status, reply.text).toBe(200);
    expect((await bot.list()).json.data.map(({ title }) => title)).toEqual(["Zeppelin"]);
  });

  it("a delete frees its quota only when it is durable", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot({ quotaCharacters: 100 });
    const { id } = await bot.add(article(100));
    const before = storage.appends;
    const release = storage.hold();
    const removal = bot.remove(id);
    await until(() => storage.appends > before);
    expectRefused(await bot.create(article(50)), 422, 30001);
    release();
    expect((await removal).status).toBe(200);
    expect((await bot.create(article(50))).json.characterUsed).toBe(50);
  });
});

describe("updates of one article while both wait for the disk", () => {
  it("are judged in their order: the second by what the first leaves", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot({ quotaCharacters: 100, rateCharactersPerMinute: 190 });
    const { id } = await bot.add(article(100));
    const before = storage.appends;
    const release = storage.hold();
    const shrunk = bot.update(id, article(10));
    await until(() => storage.appends > before);
    const grown = bot.update(id, article(100));
    await Promise.race([grown, until(() => storage.appends > before + 1)]);
    release();
    expect((await shrunk).json.characterUsed).toBe(10);
    const second = await grown;
    expect(second.status, second.text).toBe(200);
    expect(second.json.characterUsed).toBe(100);
    expect((await bot.update(id, article(10))).status).toBe(200);
    expectRateRefused(await bot.update(id, article(11)), "60");
  });
});

describe("when storage has become read-only", () => {
  it("writes are answered with 503 and code 50002, and reads go on", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    const before = await bot.publish({ title: "Harbour", body: "Ships sleep." });
    storage.fault = new LoredexError("READ_ONLY", "fsync failed on /var/lib/secret");
    for (const reply of await writes(bot, before.id)) expectRefused(reply, 503, 50002);
    expect((await bot.list()).json.data).toEqual([before]);
    expect(await bot.ids("ships")).toEqual([before.id]);
  });
});

describe("when something unforeseen fails", () => {
  it.each([
    ["an error of storage", new LoredexError("STORAGE_FAILED", "EIO: /var/lib/secret/3.log")],
    ["an error of the program", new TypeError("undefined is not an object at /usr/lib/secret.js:7")],
  ])("(%s) the answer is 500 with code 50000 and tells nothing of the inside", async (_, fault) => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const bot = await service.bot();
    storage.fault = fault;
    const reply = await bot.create(article(10));
    expectRefused(reply, 500, 50000);
    expect(reply.text).not.toMatch(/secret|EIO|undefined|\.js|\.ts|at /);
    storage.fault = undefined;
    expect((await bot.create(article(10))).json.characterUsed).toBe(10);
  });
});

describe("a bot whose stored data is damaged", () => {
  it("is answered with 503 and code 50004 on every route, while the others go on", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage });
    const healthy = await service.bot();
    await healthy.publish({ title: "Harbour", body: "Ships sleep." });
    const known = new Set(await storage.list());
    const broken = await service.bot();
    const { id } = await broken.add(article(10));
    const mine = (await storage.list()).filter((name) => !known.has(name));
    expect(mine).toHaveLength(1);
    await service.stop();
    for (const name of mine) storage.damaged.set(name, new LoredexError("CORRUPT", "/var/lib/secret is damaged"));
    await service.start();
    const replies = [
      await broken.search({ query: "ships" }),
      await broken.list(),
      await broken.create(article(10)),
      await broken.update(id, article(10)),
      await broken.remove(id),
    ];
    for (const reply of replies) {
      expectRefused(reply, 503, 50004);
      expect(reply.text).not.toContain("secret");
    }
    expect(await healthy.ids("ships")).toHaveLength(1);
    expectRefused(await broken.with("wrong").list(), 401, 10001);
  });
});

describe("when there are too many requests at once", () => {
  it("those over the limit are answered with 503, code 50001 and Retry-After, and leave nothing", async () => {
    const storage = new FaultyStorage();
    const service = await ownService({ storage, server: { requestsMax: 3, timeouts: { waitMs: 100 } } });
    const bot = await service.bot();
    await bot.list();
    const before = storage.appends;
    const release = storage.hold();
    const accepted = [1, 2, 3].map(() => bot.create(article(10)));
    await until(() => storage.appends >= before + 3);
    const refused = await Promise.all([
      bot.create(article(10)),
      bot.send("POST", SEARCH, { json: { query: "x" } }),
      bot.send("GET", KNOWLEDGE),
    ]);
    for (const reply of refused) {
      expectRefused(reply, 503, 50001);
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    release();
    for (const reply of await Promise.all(accepted)) expect(reply.status).toBe(200);
    expect((await bot.list()).json.data).toHaveLength(3);
    expect((await bot.create(article(10))).json.characterUsed).toBe(40);
  });
});

describe("the message of an error", () => {
  it("is for people: it says something in words", async () => {
    const bot = await (await ownService()).bot({ quotaCharacters: 10 });
    const replies = [
      await bot.with("wrong").list(),
      await bot.remove("0123456789abcdef01234567"),
      await bot.send("GET", "/nothing"),
      await bot.send("PATCH", KNOWLEDGE),
      await bot.create(article(11)),
      await bot.send("POST", KNOWLEDGE, { body: "x", headers: { "content-type": "text/plain" } }),
    ];
    for (const reply of replies) {
      // All of them have the common shape, checked elsewhere.
      expect((reply.json as RefusedReply).error.message.split(" ").length).toBeGreaterThan(3);
    }
  });
});
