import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { LanguageAnalyzer } from "../../src/analysis/language-analyzer.ts";
import { Engine, type EngineOptions } from "../../src/engine.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { openOn, type SimulatedDisk, simulatedDisk } from "../storage/kit.ts";
import { bareBot } from "../support/bare-bot.ts";
import { offer } from "../support/embedded-bot.ts";
import { filesOf, filesWith } from "../support/files-of.ts";

/** Words of a language that nobody speaks, so that no stem nor anything else is like them. */
const SECRETS = ["zyxquor", "vuntrask", "plomwick", "grenzult", "krastwim", "brondelf", "snorvick", "twampel"] as const;
const [TITLE, BODY, META, PAGE, SOURCE, AGENT, QUESTION, UPDATED] = SECRETS;

async function open(disk: SimulatedDisk, options: EngineOptions = {}): Promise<Engine> {
  return Engine.open({ storage: await openOn(disk), embedders: {}, ...options });
}

/** A bot with secrets wherever one can be, and something to stay; then all secrets are deleted or replaced. */
async function keepAndForget(engine: Engine): Promise<string> {
  const { bot: info } = await engine.createBot({ name: "support" });
  const bot = await engine.bot(info.id);
  await bot.createArticle({ title: "Opening hours", body: "We are open from nine to five." });
  await bot.putAgent("anna", true);
  const { article } = await bot.createArticle({
    title: TITLE,
    body: `The ${BODY} is secret.`,
    metadata: { note: META },
  });
  const { article: kept } = await bot.createArticle({ title: "Prices", body: `It costs ${UPDATED}.` });
  await bot.importDocument(
    {
      resourceDocId: `page-${PAGE}`,
      type: "WEBPAGE",
      metaData: { title: PAGE },
      content: [{ md: `# ${PAGE}\n\nA page.` }],
    },
    { source: { source: SOURCE, argument: SOURCE, path: `${SOURCE}.md` } },
  );
  await bot.putSourceArgument(SOURCE, { name: SOURCE, kind: "folder", path: `/home/${SOURCE}`, ids: SOURCE });
  await bot.importDocument({ resourceDocId: "q", type: "QNA", question: QUESTION, answer: "An answer." });
  await bot.putAgent(AGENT, true);
  await bot.whenSearchable();
  await bot.snapshot();
  await bot.deleteArticle(article.id);
  await bot.updateArticle(kept.id, { body: "It costs ten." });
  await bot.removeSource(SOURCE);
  await bot.removeDocument("q");
  await bot.removeAgent(AGENT);
  await bot.snapshot();
  return info.id;
}

async function titlesOf(engine: Engine, question: string): Promise<unknown[]> {
  return (await (await engine.bot("support")).search(question)).map(({ metaData }) => metaData.title);
}

it("after a purge no byte of what was deleted or replaced is in the directory, and all else is found as before", async () => {
  const disk = simulatedDisk();
  const engine = await open(disk);
  await keepAndForget(engine);
  for (const secret of SECRETS) expect(await filesWith(disk, secret), secret).not.toEqual([]);
  const report = await engine.purge("support");
  expect(report).toMatchObject({ bot: { name: "support" }, foreign: [] });
  expect(report.files).toBeGreaterThan(4);
  expect(await filesWith(disk, ...SECRETS)).toEqual([]);
  await (await engine.bot("support")).createArticle({ title: "News", body: "Something new." });
  expect(await titlesOf(engine, "open from nine")).toEqual(["Opening hours"]);
  // As a power cut leaves it, nobody having closed anything.
  const cut = simulatedDisk(disk.fileSystem.afterPowerCut());
  expect(await filesWith(cut, ...SECRETS)).toEqual([]);
  const after = await open(cut);
  expect(await titlesOf(after, "what does it cost")).toEqual(["Prices"]);
  expect(await titlesOf(after, "something new")).toEqual(["News"]);
  expect((await after.verify()).isWhole).toBe(true);
  expect(await (await after.bot("support")).listAgents()).toEqual([{ name: "anna", active: true }]);
  await after.close();
  expect(await filesWith(cut, ...SECRETS)).toEqual([]);
});

it("what was asked to be deleted just before is gone as well, and writes go on meanwhile", async () => {
  const disk = simulatedDisk();
  const engine = await open(disk);
  await engine.createBot({ name: "support" });
  const bot = await engine.bot("support");
  const { article } = await bot.createArticle({ title: TITLE, body: BODY });
  const writing = Array.from({ length: 50 }, (_, n) =>
    bot.createArticle({ title: `No ${n}`, body: "Written meanwhile." }),
  );
  const deleted = bot.deleteArticle(article.id);
  const purged = engine.purge("support");
  const later = Array.from({ length: 50 }, (_, n) =>
    bot.createArticle({ title: `Later ${n}`, body: "Written later." }),
  );
  await Promise.all([...writing, deleted, purged, ...later]);
  expect(await filesWith(disk, TITLE, BODY)).toEqual([]);
  const after = await open(simulatedDisk(disk.fileSystem.afterPowerCut()));
  expect(await (await after.bot("support")).listArticles()).toHaveLength(100);
  await after.close();
});

it("a purge that breaks off anywhere leaves all that was not deleted, and another one ends it", async () => {
  const prepared = async (seed: number): Promise<SimulatedDisk> => {
    const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
    const engine = await open(disk);
    await keepAndForget(engine);
    await engine.close();
    return simulatedDisk(disk.fileSystem.afterKill());
  };
  const tryPurge = async (disk: SimulatedDisk, at?: number): Promise<number> => {
    const engine = await open(disk);
    await engine.bot("support");
    const before = disk.fileSystem.operations;
    if (at !== undefined) disk.fileSystem.setFault({ at: before + at, kind: "crash" });
    await engine.purge("support").catch(() => undefined);
    return disk.fileSystem.operations - before;
  };
  const operations = await tryPurge(await prepared(1));
  expect(operations).toBeGreaterThan(60);
  const points = lawRuns(Math.ceil(operations / 3));
  for (let point = 0; point < points; point += 1) {
    const at = 1 + Math.floor((point * operations) / points);
    const disk = await prepared(at);
    await tryPurge(disk, at);
    const cut = simulatedDisk(point % 2 === 0 ? disk.fileSystem.afterKill() : disk.fileSystem.afterPowerCut());
    const engine = await open(cut);
    expect((await engine.verify()).isWhole, `at ${at}`).toBe(true);
    expect(await titlesOf(engine, "open from nine"), `at ${at}`).toEqual(["Opening hours"]);
    expect(await titlesOf(engine, "what does it cost"), `at ${at}`).toEqual(["Prices"]);
    await engine.purge("support");
    expect(await filesWith(cut, ...SECRETS), `at ${at}`).toEqual([]);
    await engine.close();
  }
}, 60_000);

it("nothing is left of a bot that was removed, not even its name", async () => {
  const disk = simulatedDisk();
  const engine = await open(disk);
  const { bot: stays } = await engine.createBot({ name: "stays" });
  const id = await keepAndForget(engine);
  await engine.updateBot(id, { name: PAGE });
  await engine.updateBot(id, { name: TITLE });
  await engine.removeBot(id);
  const cut = simulatedDisk(disk.fileSystem.afterPowerCut());
  expect(await filesWith(cut, ...SECRETS, "opening hours", "support")).toEqual([]);
  const stores = await cut.fileSystem.readDirectory("/data/stores");
  expect(stores.sort()).toEqual([`bot-${stays.id}`, "catalog"]);
  const after = await open(cut);
  expect(after.listBots().map(({ name }) => name)).toEqual(["stays"]);
  await after.close();
});

it("a name that was changed and a key that was replaced go from the catalog with a purge; the key in force stays", async () => {
  const disk = simulatedDisk();
  const engine = await open(disk);
  const { bot, key: first } = await engine.createBot({ name: TITLE });
  const digestFiles = async () => {
    const publicId = /^[^_]+_([^_.]+)/.exec(first)?.[1] ?? first.slice(0, 16);
    return filesWith(disk, publicId);
  };
  await engine.updateBot(bot.id, { name: "support" });
  const key = await engine.rotateKey(bot.id);
  expect(await digestFiles()).not.toEqual([]);
  await engine.purge("support");
  expect(await filesWith(disk, TITLE)).toEqual([]);
  expect(await digestFiles()).toEqual([]);
  expect(engine.authenticate(key)?.name).toBe("support");
  await engine.close();
});

it("a bot whose catalog cannot be purged is removed all the same, and the operator is told", async () => {
  const disk = simulatedDisk();
  const events: LogEvent[] = [];
  const engine = await open(disk, { logger: (event) => events.push(event) });
  await engine.createBot({ name: "stays" });
  await engine.createBot({ name: TITLE });
  disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "open", pathEnd: ".manifest.tmp" });
  await engine.removeBot(TITLE);
  expect(events.map(({ event }) => event)).toEqual(["removedNotPurged"]);
  expect(await filesWith(disk, TITLE)).not.toEqual([]);
  disk.fileSystem.setFault(undefined);
  await engine.purge("stays");
  expect(await filesWith(disk, TITLE)).toEqual([]);
  await engine.close();
});

it("a document whose newest version cannot be indexed does not keep its older one in the directory", async () => {
  class Refusing extends LanguageAnalyzer {
    constructor() {
      super("multi");
    }
    override terms(text: string): string[] {
      if (text.includes("unreadable")) throw new Error("It cannot be read.");
      return super.terms(text);
    }
  }
  const disk = simulatedDisk();
  const storage = await openOn(disk);
  await storage.create("bot");
  const store = await storage.open("bot");
  const bot = await bareBot(store, { analyzer: new Refusing() });
  const { article } = await bot.articles.create({ title: "Prices", body: BODY });
  await bot.articles.create({ title: "Opening hours", body: "We are open from nine to five." });
  await bot.whenSearchable();
  await bot.articles.update(article.id, { body: "It has become unreadable." });
  await bot.purge();
  expect(await filesWith(disk, BODY)).toEqual([]);
  expect(bot.stats().indexFailures).toBe(1);
  expect(await bot.questions.search({ query: BODY })).toEqual([]);
  expect(await bot.questions.search({ query: "nine" })).toHaveLength(1);
  await bot.close();
  await storage.close();
});

it("a damaged bot is refused, with what can be done, and nothing of it is changed", async () => {
  const disk = simulatedDisk();
  const engine = await open(disk);
  const id = await keepAndForget(engine);
  await engine.close();
  const [path = ""] = [...(await filesOf(disk)).keys()].filter((name) => name.includes(`bot-${id}/segment-`)).slice(-1);
  const file = await disk.fileSystem.open(path, "update");
  await file.write([new Uint8Array(64)], 0);
  await file.close();
  const before = await filesOf(disk, `/data/stores/bot-${id}`);
  const again = await open(disk);
  await expect(again.purge("support")).rejects.toMatchObject({ code: "CORRUPT" });
  await expect(again.purge("support")).rejects.toThrow(/support is damaged.*Remove the bot.*restore it from a backup/s);
  await expect(again.purge("nobody")).rejects.toMatchObject({ code: "BOT_NOT_FOUND" });
  expect(await filesOf(disk, `/data/stores/bot-${id}`)).toEqual(before);
  await again.close();
});

it("an engine in memory is purged as well, of which nothing is anywhere", async () => {
  const engine = await Engine.open({ embedders: {} });
  await keepAndForget(engine);
  expect(await engine.purge("support")).toMatchObject({ files: 0, bytes: 0 });
  expect(await titlesOf(engine, "open from nine")).toEqual(["Opening hours"]);
  await engine.close();
});

it("the graph of the vectors is kept anew, without those that are gone", async () => {
  const disk = simulatedDisk();
  const embedders = { fake: offer([], { textsPerCall: 200 }) };
  const engine = await open(disk, { embedders, graphVectorsMin: 100 });
  const { bot: info } = await engine.createBot({ name: "grown" });
  const bot = await engine.bot(info.id);
  const store = `/data/stores/bot-${info.id}`;
  const cache = async () => (await filesOf(disk, store)).get(`${store}/graph.cache`);
  for (let n = 0; n < 300; n += 1)
    await bot.importDocument({
      resourceDocId: `d${n}`,
      type: "DOCUMENT",
      metaData: { title: `No ${n}` },
      content: [{ md: `Text ${n}.` }],
    });
  await bot.whenUpgraded();
  const all = hashesIn(await cache());
  expect(all.size).toBeGreaterThan(200);
  for (let n = 0; n < 60; n += 1) await bot.removeDocument(`d${n}`);
  await engine.purge("grown");
  await bot.whenUpgraded();
  const rest = hashesIn(await cache());
  expect([...rest].filter((hash) => !all.has(hash))).toEqual([]);
  // As many less as there are fewer points.
  expect(rest.size / all.size).toBeGreaterThan(0.7);
  expect(rest.size / all.size).toBeLessThan(0.9);
  expect((await bot.stats()).vectors.graph).toBe("ready");
  await engine.close();
});

/** What a kept graph tells of vectors. */
function hashesIn(graph: Uint8Array = new Uint8Array(48)): Set<number> {
  const view = new DataView(graph.buffer, graph.byteOffset, graph.byteLength);
  const hashes = Array.from({ length: view.getUint32(32, true) }, (_, i) => view.getFloat64(48 + i * 8, true));
  return new Set(hashes.filter((hash) => hash >= 0));
}
