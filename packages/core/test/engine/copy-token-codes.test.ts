import { describe, expect, it } from "vitest";
import { copyStores, type Storage } from "../../src/index.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { offer, opened } from "../support/embedded-bot.ts";

type Place = () => Promise<Storage>;

function aDatabase(): Place {
  const database = new SimulatedDatabase();
  return async () => database.open();
}

function aDirectory(): Place {
  const disk = simulatedDisk();
  return () => openOn(disk);
}

const TOKENS = { tokens: "1" };
const TEXTS = ["You can buy a zebra here.", "Penguins live on ice.", "A hound in a car."];
const QUESTION = "is a hound in a car on the ice";

async function filled(place: Place): Promise<unknown> {
  const { engine, bot } = await opened(await place(), TOKENS);
  for (const [i, body] of TEXTS.entries()) await bot.createArticle({ title: `Page ${i}`, body });
  await bot.whenUpgraded();
  const answer = await bot.search(QUESTION);
  await engine.close();
  return answer;
}

async function copied(from: Place, to: Place, embedders = { fake: offer([], TOKENS) }): Promise<void> {
  const [source, target] = [await from(), await to()];
  try {
    await copyStores(source, target, { embedders });
  } finally {
    await source.close();
    await target.close();
  }
}

/** What the bot answers, and the texts that its embedder has read for it. */
async function usedIn(place: Place): Promise<{ answer: unknown; read: readonly string[] }> {
  const { engine, bot, fakes } = await opened(await place(), TOKENS);
  await bot.whenUpgraded();
  const answer = await bot.search(QUESTION);
  await engine.close();
  return { answer, read: fakes.flatMap(({ passages }) => passages) };
}

describe.each([
  ["a directory", "a database", aDirectory, aDatabase],
  ["a database", "a directory", aDatabase, aDirectory],
  ["a database", "another", aDatabase, aDatabase],
] as const)("a copy from %s to %s", (_from, _to, from, to) => {
  it("has the embedder read nothing again, and the same answers", async () => {
    const [source, target] = [from(), to()];
    const answer = await filled(source);
    await copied(source, target);
    expect(await usedIn(target)).toEqual({ answer, read: [] });
  });

  it("gets the token codes that an earlier copy could not bring", async () => {
    const [source, target] = [from(), to()];
    const answer = await filled(source);
    const broken = { languages: ["en"], open: () => Promise.reject(new Error("it is not installed")) };
    await copied(source, target, { fake: broken });
    await copied(source, target);
    expect(await usedIn(target)).toEqual({ answer, read: [] });
  });
});

it("a copy without the embedder has all texts read again", async () => {
  const [source, target] = [aDirectory(), aDatabase()];
  const answer = await filled(source);
  const none = { languages: ["en"], open: () => Promise.reject(new Error("it is not installed")) };
  await copied(source, target, { fake: none });
  const { answer: again, read } = await usedIn(target);
  expect(again).toEqual(answer);
  expect(read.length).toBeGreaterThan(0);
});
