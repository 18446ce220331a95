import { createHook } from "node:async_hooks";
import { expect, it, onTestFinished } from "vitest";
import type { Bot } from "../../src/bot.ts";
import { CATALOG_STORE, storeName } from "../../src/catalog/store-names.ts";
import { Engine } from "../../src/engine.ts";
import { encodeRecord } from "../../src/log/record-codec.ts";
import type { CatalogRecord } from "../../src/model/records.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import type { Storage } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { codeOf, openNodes, withoutStatus } from "./nodes.ts";

const article = (title: string, characters = 40) => ({ title, body: `About ${title}. `.padEnd(characters, "x") });

it("the next call on any node sees an acknowledged write", async () => {
  const { nodes } = await openNodes();
  const [a, b, c] = nodes;
  const { bot } = await a.createBot({ name: "help" });
  const [onA, onB, onC] = [await a.bot(bot.id), await b.bot("help"), await c.bot("help")];
  const { article: written } = await onA.createArticle(article("refunds"));
  expect((await onB.getArticle(written.id))?.title).toBe("refunds");
  expect(await onC.getArticle(written.id)).toMatchObject({ title: "refunds" });
  expect((await onC.search("refunds")).map(({ resourceDocId }) => resourceDocId)).toEqual([written.id]);
  await onB.deleteArticle(written.id);
  expect(await onA.search("refunds")).toEqual([]);
  expect(await codeOf(onA.updateArticle(written.id, { title: "x" }))).toBe("ARTICLE_NOT_FOUND");
});

it("a node that starts on an empty database while another one creates the catalog uses that one", async () => {
  const database = new SimulatedDatabase();
  const open = async (storage: Storage): Promise<Engine> => {
    const engine = await Engine.open({ embedders: {}, storage });
    onTestFinished(() => engine.close());
    return engine;
  };
  const late = database.open();
  const list = late.list.bind(late);
  let quick: Engine | undefined;
  // It has seen that there is no catalog.
  late.list = async () => {
    quick = await open(database.open());
    return list();
  };
  const node = await open(late);
  await quick?.createBot({ name: "help" });
  await node.catchUp();
  expect(node.listBots().map(({ name }) => name)).toEqual(["help"]);
});

it("the quota holds for the sum of all nodes, and nothing below it is refused", async () => {
  const { nodes } = await openNodes();
  const { bot } = await nodes[0].createBot({ name: "help", quotaCharacters: 1_000 });
  const bots = await Promise.all(nodes.map((node) => node.bot(bot.id)));
  const writes = Array.from({ length: 60 }, (_, i) =>
    codeOf((bots[i % 3] as Bot).createArticle({ title: "t".repeat(10), body: "b".repeat(40) })),
  );
  const codes = await Promise.all(writes);
  expect(codes.filter((code) => code === undefined)).toHaveLength(20);
  expect(new Set(codes)).toEqual(new Set([undefined, "QUOTA_EXCEEDED"]));
  for (const one of bots) expect((await one.stats()).characterUsed).toBe(1_000);
});

it("60 writers over three nodes are refused nothing", async () => {
  const { nodes } = await openNodes();
  const { bot } = await nodes[0].createBot({ name: "help" });
  const bots = await Promise.all(nodes.map((node) => node.bot(bot.id)));
  const codes = await Promise.all(
    Array.from({ length: 60 }, (_, i) => codeOf((bots[i % 3] as Bot).createArticle(article(`number ${i}`)))),
  );
  expect(codes.filter((code) => code !== undefined)).toEqual([]);
  const lists = await Promise.all(bots.map((one) => one.listArticles()));
  expect(lists[0]).toHaveLength(60);
  for (const list of lists) expect(list.map(withoutStatus)).toEqual(lists[0]?.map(withoutStatus));
});

it("an unreachable database refuses writes at once, and open bots answer searches for a while", async () => {
  const { database, nodes } = await openNodes({ staleMaxMs: 300 });
  const [a, b] = nodes;
  const { bot } = await a.createBot({ name: "help" });
  const [onA, onB] = [await a.bot(bot.id), await b.bot(bot.id)];
  await onA.createArticle(article("refunds"));
  await onA.whenSearchable();
  database.cut();
  expect(await codeOf(onA.createArticle(article("more")))).toBe("UNREACHABLE");
  const answer = await onA.answerRequest({ query: "refunds" });
  expect([answer.results.length, answer.staleSeconds]).toEqual([1, 1]);
  expect(a.condition()).toMatchObject({ unreachable: { answersSearches: true } });
  await expect.poll(() => codeOf(onA.search("refunds"))).toBe("UNREACHABLE");
  database.mend();
  expect(await onB.search("refunds")).toHaveLength(1);
  await onB.createArticle(article("more"));
  expect(await onA.listArticles()).toHaveLength(2);
  await expect.poll(() => a.condition().unreachable).toBeUndefined();
});

it("a lost answer stores the write once", async () => {
  const { database, nodes } = await openNodes();
  const { bot } = await nodes[0].createBot({ name: "help" });
  const [onA, onB] = [await nodes[0].bot(bot.id), await nodes[1].bot(bot.id)];
  database.loseAnswer();
  await onA.createArticle(article("refunds"));
  expect(await onB.listArticles()).toHaveLength(1);
  expect(await onA.listArticles()).toHaveLength(1);
});

it("a bot that another node removed is gone, and its keys with it", async () => {
  const { nodes } = await openNodes();
  const [a, b] = nodes;
  const { bot, key } = await a.createBot({ name: "help" });
  const onB = await b.bot(bot.id);
  expect(b.authenticate(key)).toMatchObject({ id: bot.id });
  await a.removeBot("help");
  expect(await codeOf(onB.search("x"))).toBe("BOT_NOT_FOUND");
  await b.catchUp();
  expect(b.authenticate(key)).toBeUndefined();
  expect(b.listBots()).toEqual([]);
});

it("settings and keys of one node hold on the others", async () => {
  const { nodes } = await openNodes();
  const [a, b] = nodes;
  const { bot } = await a.createBot({ name: "help" });
  await b.catchUp();
  await b.updateBot("help", { quotaCharacters: 20 });
  await a.catchUp();
  expect(await codeOf((await a.bot(bot.id)).createArticle(article("refunds")))).toBe("QUOTA_EXCEEDED");
  const key = await b.addKey("help", "two");
  await a.catchUp();
  expect(a.authenticate(key)).toMatchObject({ id: bot.id });
  await a.revokeKey("help", "two");
  await expect.poll(() => b.authenticate(key)).toBeUndefined();
});

it("a history that lost its last records is read again by all nodes", async () => {
  const { database, nodes } = await openNodes();
  const { bot } = await nodes[0].createBot({ name: "help" });
  const [onA, onB] = [await nodes[0].bot(bot.id), await nodes[1].bot(bot.id)];
  const bots = [onA, onB];
  for (const title of ["one", "two", "three"]) await onA.createArticle(article(title));
  for (const one of bots) expect(await one.listArticles()).toHaveLength(3);
  database.rewind(storeName(bot.id), 2);
  await onB.createArticle(article("four"));
  for (const one of bots) expect((await one.listArticles()).map(({ title }) => title)).toEqual(["one", "four"]);
});

it("an answer may be as stale as the operator allows", async () => {
  const { database, nodes } = await openNodes({ maxStalenessMs: 60_000 });
  const { bot } = await nodes[0].createBot({ name: "help" });
  const one = await nodes[0].bot(bot.id);
  await one.createArticle(article("refunds"));
  await one.whenSearchable();
  const before = database.queries;
  for (let i = 0; i < 20; i++) await one.search("refunds");
  expect(database.queries - before).toBeLessThan(20);
});

it("a catalog that cannot be followed is logged, once a minute", async () => {
  const events: LogEvent[] = [];
  const { database, nodes } = await openNodes({ logger: (event) => events.push(event) });
  await nodes[0].createBot({ name: "help" });
  const storage = database.open();
  const catalog = await storage.open(CATALOG_STORE);
  await catalog.recover({ snapshot: () => undefined, record: () => undefined });
  const ofLater = { kind: "ofALaterVersion", id: "x" } as unknown as CatalogRecord;
  await catalog.append(encodeRecord(ofLater));
  const told = () => events.filter(({ event }) => event === "catalogNotFollowed");
  await expect.poll(() => told().length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
  await new Promise((settle) => setTimeout(settle, 900));
  expect(told()).toHaveLength(3);
});

it("a catalog that cannot be followed damages no bot, and refuses all calls once it is too old", async () => {
  const { database, nodes } = await openNodes({ staleMaxMs: 100 });
  const [a, b] = nodes;
  const made = [await a.createBot({ name: "open" }), await a.createBot({ name: "closed" })];
  await b.catchUp();
  const [open = "", closed = ""] = made.map(({ bot }) => bot.id);
  const bot = await b.bot(open);
  await bot.createArticle({ title: "refunds", body: "About refunds." });
  const storage = database.open();
  const catalog = await storage.open(CATALOG_STORE);
  await catalog.recover({ snapshot: () => undefined, record: () => undefined });
  await catalog.append(encodeRecord({ kind: "ofALaterVersion", id: "x" } as unknown as CatalogRecord));
  expect(await codeOf(b.bot(closed))).toBe("UNREACHABLE");
  expect(b.condition().faults).toEqual([]);
  await expect.poll(() => codeOf(bot.search("x")), { timeout: 5_000 }).toBe("UNREACHABLE");
  expect(b.condition()).toMatchObject({ unreachable: { answersSearches: false }, faults: [] });
  database.rewind(CATALOG_STORE, 1);
  await expect.poll(() => codeOf(b.bot(closed)), { timeout: 10_000 }).toBeUndefined();
  expect((await bot.search("x")).length).toBeGreaterThanOrEqual(0);
  expect(b.condition()).toEqual({ canWrite: true, faults: [] });
});

it("a search that need not ask tells that the database is silent", async () => {
  const { database, nodes } = await openNodes({ maxStalenessMs: 60_000 });
  const { bot } = await nodes[0].createBot({ name: "help" });
  const one = await nodes[0].bot(bot.id);
  expect(await one.answerRequest({ query: "x" })).not.toHaveProperty("staleSeconds");
  database.cut();
  await expect.poll(async () => (await one.answerRequest({ query: "x" })).staleSeconds).toBeGreaterThanOrEqual(0);
});

it("a silent database is logged once, and again when it answers", async () => {
  const events: LogEvent[] = [];
  const { database, nodes } = await openNodes({ logger: (event) => events.push(event) });
  const { bot } = await nodes[0].createBot({ name: "help" });
  const one = await nodes[0].bot(bot.id);
  const told = (wanted: string) => events.filter(({ event }) => event === wanted).length;
  database.cut();
  await expect.poll(() => told("databaseUnreachable"), { timeout: 3_000 }).toBe(3);
  await new Promise((settle) => setTimeout(settle, 1_000));
  expect([told("databaseUnreachable"), told("databaseReachable")]).toEqual([3, 0]);
  expect((await one.answerRequest({ query: "x" })).staleSeconds).toBeGreaterThanOrEqual(1);
  database.mend();
  await expect.poll(() => told("databaseReachable"), { timeout: 3_000 }).toBe(3);
});

it("a write without an answer is logged at once, and not only when the heads are asked for again", async () => {
  const events: LogEvent[] = [];
  const { database, nodes } = await openNodes({ logger: (event) => events.push(event) });
  const { bot } = await nodes[0].createBot({ name: "help" });
  const one = await nodes[0].bot(bot.id);
  database.loseAnswer(true);
  expect(await codeOf(one.createArticle(article("refunds")))).toBe("UNREACHABLE");
  expect(events.map(({ event }) => event)).toContain("databaseUnreachable");
});

it("searches wait for many articles of another node at no cost for each of them", async () => {
  const database = new SimulatedDatabase();
  const storage = database.open();
  const engine = await Engine.open({ embedders: {}, storage });
  onTestFinished(() => engine.close());
  const { bot } = await engine.createBot({
    name: "help",
    rateCharactersPerMinute: 10_000_000,
    quotaCharacters: 10_000_000,
  });
  const others = await Engine.open({ embedders: {}, storage: database.open() });
  onTestFinished(() => others.close());
  const [one, onOthers] = [await engine.bot(bot.id), await others.bot(bot.id)];
  let promises = 0;
  const hook = createHook({ init: (_id, type) => (promises += type === "PROMISE" ? 1 : 0) });
  /** The promises of 100 searches that meet articles of another node. */
  const made = async (articles: number): Promise<number> => {
    await Promise.all(Array.from({ length: articles }, (_, i) => onOthers.createArticle(article(`Title ${i}`, 2_000))));
    await onOthers.whenSearchable();
    promises = 0;
    hook.enable();
    await Promise.all(Array.from({ length: 100 }, () => one.search("refunds")));
    hook.disable();
    return promises;
  };
  const few = await made(10);
  // What the articles cost once is in it too.
  expect(await made(400)).toBeLessThan(few + 20_000);
});
