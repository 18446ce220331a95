import { type Bot, Engine, type LogEvent } from "@loredex/core";
import { type OpenAiOptions, openOpenAiEmbedder } from "@loredex/openai";
import { expect, it, onTestFinished } from "vitest";
import { FakeModelServer } from "../../openai/test/support/fake-model-server.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** A model server that comes and goes, on a real socket, and a bot in a directory that asks it. */

const CAR = { title: "The shop", body: "You can buy a car here." };
/** Shares no word with the article about the car. */
const QUESTION = "purchase automobile";
/** Alike in nothing: what has to do with nothing must not be close in the server's eyes either. */
const ARTICLES = Array.from({ length: 12 }, (_, i) => ({ title: `Title${i}`, body: `subject${i} matter${i}` }));

async function startedServer(): Promise<FakeModelServer> {
  const server = await FakeModelServer.start({ dimensions: 512 });
  onTestFinished(() => server.stop());
  return server;
}

interface Running {
  readonly engine: Engine;
  readonly bot: Bot;
  readonly events: string[];
}

async function run(server: FakeModelServer, directory: string, options: Partial<OpenAiOptions> = {}): Promise<Running> {
  const events: string[] = [];
  const openai = {
    languages: ["en"],
    open: (signal?: AbortSignal) =>
      openOpenAiEmbedder(
        { baseUrl: server.baseUrl, model: "fake", retries: 0, questionMsMax: 60_000, ...options },
        signal,
      ),
  };
  const logger = ({ event }: LogEvent): void => void events.push(event);
  const engine = await Engine.open({ directory, embedders: { openai }, logger });
  onTestFinished(() => engine.close());
  if (engine.findBot("bot") === undefined) await engine.createBot({ name: "bot", rateCharactersPerMinute: 1_000_000 });
  return { engine, bot: await engine.bot("bot"), events };
}

const titles = async (bot: Bot, query: string): Promise<unknown[]> =>
  (await bot.search(query)).map(({ metaData }) => metaData.title);

/** Writes all articles; every one is acknowledged, and found by its words. */
async function writeDuringOutage(bot: Bot): Promise<void> {
  for (const article of ARTICLES) await bot.createArticle(article);
  await bot.whenSearchable();
  for (const [i, { title }] of ARTICLES.entries()) expect(await titles(bot, `subject${i}`)).toEqual([title]);
}

const vectorsOf = async (bot: Bot): Promise<number> => (await bot.stats()).vectors.vectors;

it("that goes down while articles are written loses none of them, and has their vectors made when it is back", async () => {
  const server = await startedServer();
  const { bot, events } = await run(server, await temporaryDirectory());
  await bot.createArticle(CAR);
  await bot.whenUpgraded();
  expect(await titles(bot, QUESTION)).toEqual(["The shop"]);

  await server.stop();
  await writeDuringOutage(bot);
  expect(await titles(bot, `${QUESTION}?`)).toEqual([]);
  // What was asked before has its vector still.
  expect(await titles(bot, QUESTION)).toEqual(["The shop"]);
  await expect.poll(async () => (await bot.stats()).vectors.lastFailure).toContain("not to be reached");
  expect(await vectorsOf(bot)).toBe(2);

  await server.resume();
  await expect.poll(() => vectorsOf(bot)).toBe(26);
  await expect.poll(() => titles(bot, QUESTION)).toEqual(["The shop"]);
  expect((await bot.stats()).vectors.lastFailure).toBeUndefined();
  expect(events).toContain("questionsByWords");
  expect(events).toContain("embeddingGoesOn");
});

it("that takes requests and answers none keeps neither writes nor searches waiting", async () => {
  const server = await startedServer();
  const { bot } = await run(server, await temporaryDirectory(), { timeoutMs: 600_000, questionMsMax: 40 });
  await bot.createArticle(CAR);
  await bot.whenUpgraded();
  server.behave = () => "silent";
  await writeDuringOutage(bot);
  expect(await vectorsOf(bot)).toBe(2);
});

it("that is not there at the start is found when it comes, without a restart", async () => {
  const server = await startedServer();
  await server.stop();
  const { bot, events } = await run(server, await temporaryDirectory());
  await bot.createArticle(CAR);
  await writeDuringOutage(bot);
  await expect.poll(async () => (await bot.stats()).vectors.missing?.why).toContain("not to be reached");
  // There is nothing to wait for: this resolves.
  await bot.whenUpgraded();
  expect(await vectorsOf(bot)).toBe(0);

  await server.resume();
  await expect.poll(() => vectorsOf(bot)).toBe(26);
  expect((await bot.stats()).vectors.missing).toBeUndefined();
  await expect.poll(() => titles(bot, QUESTION)).toEqual(["The shop"]);
  expect(events.filter((event) => event.startsWith("embedder"))).toEqual(["embedderUnavailable", "embedderAvailable"]);
});

it("that is away over a restart has what is missing made afterwards, and nothing twice", async () => {
  const server = await startedServer();
  const directory = await temporaryDirectory();
  const before = await run(server, directory);
  await before.bot.createArticle(CAR);
  await before.bot.whenUpgraded();
  await server.stop();
  await writeDuringOutage(before.bot);
  await before.engine.close();

  const { bot } = await run(server, directory, { dimensions: 512 });
  expect(await titles(bot, "subject3")).toEqual(["Title3"]);
  server.arrived.length = 0;
  await server.resume();
  await expect.poll(() => vectorsOf(bot)).toBe(26);
  const passages = server.arrived.flatMap(({ input }) => input).filter((text) => !text.startsWith("subject"));
  expect(passages.some((text) => text.includes("buy a car"))).toBe(false);
});

it("that has another model behind the same name is not believed, and the bot is found by words", async () => {
  const server = await startedServer();
  const { bot } = await run(server, await temporaryDirectory(), { dimensions: 256 });
  await bot.createArticle(CAR);
  await expect
    .poll(async () => (await bot.stats()).vectors.lastFailure)
    .toContain("512 numbers where 256 are expected");
  expect(await titles(bot, "car")).toEqual(["The shop"]);
});
