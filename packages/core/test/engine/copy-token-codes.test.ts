import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { copyStores } from "../../src/index.ts";
import { type Disk, openOn, readWhole, simulatedDisk } from "../storage/kit.ts";
import { offer, opened } from "../support/embedded-bot.ts";
import { aDatabase, aDirectory, type Place } from "../support/places.ts";

/** All files below a directory, with a digest of their bytes. */
async function filesOf(disk: Disk, directory: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const name of await disk.fileSystem.readDirectory(directory)) {
    const path = `${directory}/${name}`;
    if ((await disk.fileSystem.stat(path))?.kind === "directory") {
      for (const [inside, bytes] of await filesOf(disk, path)) files.set(inside, bytes);
    } else files.set(path, digestOf(await readWhole(disk, path)));
  }
  return files;
}

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

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

  it("leaves the source with its token codes, also those of another version of the embedder", async () => {
    const [source, target] = [from(), to()];
    const answer = await filled(source);
    for (const tokens of ["2", TOKENS.tokens]) await copied(source, target, { fake: offer([], { tokens }) });
    expect(await usedIn(source)).toEqual({ answer, read: [] });
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

it("a copy changes no file of the source's stores", async () => {
  const disk = simulatedDisk();
  const source: Place = () => openOn(disk);
  await filled(source);
  const files = () => filesOf(disk, `${disk.directory}/stores`);
  const before = await files();
  expect([...before.keys()].join()).toMatch("signs-0000000001.blocks");
  for (const tokens of ["2", TOKENS.tokens]) {
    await copied(source, aDatabase(), { fake: offer([], { tokens }) });
    expect(await files()).toEqual(before);
  }
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
