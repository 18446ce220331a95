import { LoredexError } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { SimulatedDatabase } from "../../packages/core/testing/index.ts";
import { expectRateRefused, expectRefused } from "./answers.ts";
import { type BotClient, KNOWLEDGE, type Reply, SEARCH, type WriteReply } from "./client.ts";
import { type BotLimits, ownService, type Service } from "./service.ts";
import { TestClock } from "./test-clock.ts";

/** Two services over one database, and a bot as clients of each see it. */
interface Nodes {
  readonly database: SimulatedDatabase;
  readonly clock: TestClock;
  readonly a: Service;
  readonly b: Service;
  readonly onA: BotClient;
  readonly onB: BotClient;
}

async function twoNodes(limits: BotLimits = {}): Promise<Nodes> {
  const clock = new TestClock();
  const database = new SimulatedDatabase({ clock });
  const a = await ownService({ clock, storage: database.open() });
  const b = await ownService({ clock, storage: database.open() });
  const onA = await a.bot(limits);
  return { database, clock, a, b, onA, onB: b.same(onA) };
}

const WALRUS = { title: "Walrus", body: "It sleeps on the ice." };
const stale = ({ headers }: Reply<unknown>): string | null => headers.get("x-loredex-stale");
const ask = (bot: BotClient) => bot.search({ query: "walrus" });
const ready = (node: Service) => node.send<{ faults: object }>("GET", "/ready");

describe("a write through one node", () => {
  it("is seen by the next request of any kind through another", async () => {
    const { onA, onB } = await twoNodes();
    expect(await onB.ids("walrus")).toEqual([]);
    const { id } = await onA.publish(WALRUS);
    expect(await onB.ids("walrus")).toEqual([id]);
    expect((await onB.list({ id })).json.data).toMatchObject([WALRUS]);
    await onB.update(id, { title: "Seal", body: "It swims." });
    expect((await onA.send("GET", `${KNOWLEDGE}/${id}`)).text).toContain("It swims.");
    await onB.active(id);
    expect(await onA.ids("seal")).toEqual([id]);
    expect((await onA.remove(id)).status).toBe(200);
    expect(await onB.ids("seal")).toEqual([]);
    expectRefused(await onB.remove(id), 404, 20001);
  });

  it("changes the tag that If-Match compares", async () => {
    const { onA, onB } = await twoNodes();
    const created = await onA.create(WALRUS);
    const { id } = created.json.data;
    const put = (bot: BotClient, tag: string | null, body: string) =>
      bot.send<WriteReply>("PUT", `${KNOWLEDGE}/${id}`, { json: { body }, headers: { "if-match": tag ?? "" } });
    const tag = created.headers.get("etag");
    const changed = await put(onB, tag, "It swims.");
    expect(changed.status).toBe(200);
    expectRefused(await put(onA, tag, "It dives."), 412, 20004);
    const both = [onA, onB].map((bot, i) => put(bot, changed.headers.get("etag"), `Change ${i}.`));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it("with an Idempotency-Key is done once for all nodes", async () => {
    const { onA, onB } = await twoNodes();
    const create = (bot: BotClient, key: string, json: unknown = WALRUS) =>
      bot.send<WriteReply>("POST", KNOWLEDGE, { json, headers: { "idempotency-key": key } });
    const first = await create(onA, "k");
    const again = await create(onB, "k");
    expect([again.text, again.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expectRefused(await create(onB, "k", { ...WALRUS, body: "x" }), 409, 20005);
    const both = await Promise.all([onA, onB, onA, onB].map((bot) => create(bot, "l")));
    expect(new Set(both.map(({ json }) => json.data.id)).size).toBe(1);
    expect((await onA.list()).json.data.length).toBe(2);
  });
});

describe("what is limited", () => {
  it("is the quota over the writes of all nodes together, to the last character", async () => {
    const { onA, onB } = await twoNodes({ quotaCharacters: 100 });
    const article = { title: "abc", body: "1234567" };
    const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 === 0 ? onA : onB).create(article)));
    const created = replies.filter(({ status }) => status === 200);
    expect(created.map(({ json }) => json.characterUsed).sort((x, y) => x - y)).toEqual(
      Array.from({ length: 10 }, (_, i) => 10 * (i + 1)),
    );
    for (const reply of replies) if (reply.status !== 200) expectRefused(reply, 422, 30001);
    expect((await onB.list()).json.data.length).toBe(10);
  });

  it("is the window of a minute over the writes of all nodes together", async () => {
    const { clock, onA, onB } = await twoNodes({ rateCharactersPerMinute: 50 });
    const article = { title: "abc", body: "1234567" };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? onA : onB).create(article)));
    expect(replies.filter(({ status }) => status === 200).length).toBe(5);
    for (const reply of replies) if (reply.status !== 200) expectRateRefused(reply, "60");
    clock.advance(60_000);
    expect((await onB.create(article)).status).toBe(200);
  });

  it("is the request rate of a key over the requests to all nodes together", async () => {
    const { a, clock, onA, onB } = await twoNodes();
    const key = await a.engine.addKey(onA.id, "site", { requestsPerMinute: 5 });
    const requests = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? onA : onB).with(key).list());
    const replies = await Promise.all(requests);
    expect(replies.filter(({ status }) => status === 200).length).toBe(5);
    for (const reply of replies) if (reply.status !== 200) expectRefused(reply, 429, 4290);
    clock.advance(60_000);
    expect((await onB.with(key).list()).status).toBe(200);
  });
});

describe("a key", () => {
  it("that one node makes opens its bot on the others at once, and is dead there soon after it was revoked", async () => {
    const { a, onA, onB } = await twoNodes();
    expect((await onB.list()).status).toBe(200);
    const key = await a.engine.addKey(onA.id, "site");
    expect((await onB.with(key).list()).status).toBe(200);
    await a.engine.revokeKey(onA.id, "site");
    expectRefused(await onA.with(key).list(), 401, 10001);
    await expect.poll(async () => (await onB.with(key).list()).status).toBe(401);
  });

  it("of a bot that one node removed opens nothing on the others", async () => {
    const { a, onA, onB } = await twoNodes();
    await onA.publish(WALRUS);
    expect((await onB.ids("walrus")).length).toBe(1);
    await a.engine.removeBot(onA.id);
    expectRefused(await ask(onB), 401, 10001);
    expectRefused(await onB.create(WALRUS), 401, 10001);
  });

  it("that nobody has is refused, and many of them share the questions to the database", async () => {
    const { database, onB } = await twoNodes();
    await onB.list();
    const before = database.queries;
    const strangers = Array.from({ length: 100 }, (_, i) => onB.with(`lx_made_up_${i}`).list());
    for (const reply of await Promise.all(strangers)) expectRefused(reply, 401, 10001);
    expect(database.queries - before).toBeLessThan(100);
    database.cut();
    // Another node may have made it.
    expectRefused(await onB.with("lx_made_up").list(), 503, 50006);
  });
});

/** A node over a database in which another node is always quicker with bots, once `quicker` has begun. Counts the tries of appends since then. */
async function overtaken(searchMs: number) {
  const storage = new SimulatedDatabase().open();
  const open = storage.open.bind(storage);
  const tries = { count: 0, quicker: false };
  storage.open = async (name) => {
    const store = await open(name);
    const append = store.append.bind(store);
    store.append = (...given) => {
      if (!tries.quicker) return append(...given);
      tries.count += 1;
      return Promise.reject(new LoredexError("CONFLICT", "Another node was quicker."));
    };
    return store;
  };
  const service = await ownService({ storage, server: { timeouts: { searchMs } } });
  return { service, bot: await service.bot(), tries };
}

describe("while another node is always quicker", () => {
  it("a write is decided again until the deadline of its request, and refused then", async () => {
    const { bot, tries } = await overtaken(100);
    const { id } = await bot.publish(WALRUS);
    tries.quicker = true;
    const writes = [() => bot.create(WALRUS), () => bot.update(id, { title: "Seal" }), () => bot.remove(id)];
    for (const write of writes) {
      tries.count = 0;
      const refused: Reply<unknown> = await write();
      expectRefused(refused, 503, 50006);
      expect(refused.headers.get("retry-after")).toBe("1");
      expect(tries.count).toBeGreaterThan(1);
    }
    const article = { ...WALRUS, metadata: { key: "k" } };
    const operations = [
      { op: "upsert", by: "key", article },
      { op: "delete", id },
    ];
    const batch = await bot.send<{ results: object[] }>("POST", `${KNOWLEDGE}/batch`, { json: { operations } });
    expect(batch.json.results).toMatchObject([
      { status: 503, retryAfter: 1 },
      { status: 503, retryAfter: 1 },
    ]);
    tries.quicker = false;
    expect((await bot.update(id, { title: "Seal" })).status).toBe(200);
  });

  it("a write is decided again no more once its client has left", async () => {
    const { service, bot, tries } = await overtaken(600_000);
    tries.quicker = true;
    const client = new AbortController();
    const headers = { "x-api-key": bot.key, "content-type": "application/json" };
    const request = { method: "POST", headers, body: JSON.stringify(WALRUS), signal: client.signal };
    const left = expect(fetch(`${service.url}${KNOWLEDGE}`, request)).rejects.toThrow();
    await expect.poll(() => tries.count).toBeGreaterThan(1);
    client.abort();
    await left;
    const hasEnded = async (): Promise<boolean> => {
      const before = tries.count;
      await new Promise((settle) => setTimeout(settle, 200));
      return tries.count === before;
    };
    await expect.poll(hasEnded).toBe(true);
  });
});

describe("while the database does not answer", () => {
  it("writes are refused at once, and searches of open bots answered, with the age of what they know", async () => {
    const { a, b, clock, database, onA, onB } = await twoNodes();
    const { id } = await onA.publish(WALRUS);
    expect(stale(await ask(onB))).toBeNull();
    const closed = await a.bot();
    const key = await a.engine.addKey(onA.id, "site", { requestsPerMinute: 2 });
    expect((await onB.with(key).list()).status).toBe(200);
    database.cut();
    const bad = [
      onB.create(WALRUS),
      onB.update(id, { title: "Seal" }),
      onB.remove(id),
      onB.list(),
      b.same(closed).search({ query: "walrus" }),
    ];
    for (const reply of await Promise.all<Reply<unknown>>(bad)) {
      expectRefused(reply, 503, 50006);
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    clock.advance(2_500);
    const answer = await ask(onB);
    expect([answer.status, answer.json.map(({ resourceDocId }) => resourceDocId)]).toEqual([200, [id]]);
    expect(stale(answer)).toBe("3");
    const retrieval = { json: { knowledge_id: onB.id, query: "walrus" } };
    expect(stale(await onB.send("POST", "/api/v1/retrieval", retrieval))).toBe("3");
    // The rate of a key is each node's own now.
    expect((await ask(onB.with(key))).status).toBe(200);
    expect([(await ready(b)).status, (await ready(b)).json.faults]).toEqual([
      200,
      { count: 0, bots: [], databaseUnreachable: true },
    ]);

    clock.advance(60_000);
    expectRefused(await onB.send("POST", SEARCH, { json: { query: "walrus" } }), 503, 50006);
    const refused = await ready(b);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(refused.json).toMatchObject({ error: { code: 50006 }, faults: { databaseUnreachable: true } });

    database.mend();
    expect(await onB.ids("walrus")).toEqual([id]);
    await expect.poll(async () => stale(await ask(onB))).toBeNull();
    await expect.poll(async () => (await ready(b)).json).toEqual({ status: "ready", faults: { count: 0, bots: [] } });
    expect((await onB.update(id, { title: "Seal" })).status).toBe(200);
    expect((await onA.list({ id })).json.data).toMatchObject([{ title: "Seal" }]);
    expect(await b.same(closed).ids("walrus")).toEqual([]);
  });
});
