import { createReadStream } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine, type EngineOptions } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { EMBEDDED_TEXTS_VERSION } from "../../packages/core/src/index/embedded-texts.ts";
import { type Asked, administeredOf, embedders, knownOf } from "./known.ts";

const SAMPLES = fileURLToPath(new URL("samples", import.meta.url));
const names = await readdir(SAMPLES);

/** The time at which a sample is read: that of its writing, where its sessions and questions end with time. */
function clockAt(atMs: number | undefined): Pick<EngineOptions, "clock"> {
  return atMs === undefined ? {} : { clock: { wallMs: () => atMs, monotonicMs: () => performance.now() } };
}

interface Opening {
  /** Version of the texts that the sample has vectors of. */
  readonly texts: number;
  readonly atMs?: number;
}

async function opened(directory: string, { texts, atMs }: Opening, sample: string): Promise<Engine> {
  const { offers, texts: embedded } = embedders(sample);
  const engine = await Engine.open({ directory, embedders: offers, ...clockAt(atMs) });
  onTestFinished(async () => {
    await engine.close();
    // The vectors are those of the sample: only what has no place there is embedded. Other texts get vectors of their own.
    const again = embedded.filter((text) => !text.startsWith("One more"));
    if (texts === EMBEDDED_TEXTS_VERSION) expect(again).toEqual([]);
    else expect(again).not.toEqual([]);
  });
  return engine;
}

async function emptyDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-sample-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

it("there is a sample of the format as it is, with every store", async () => {
  expect(names).toEqual(expect.arrayContaining(["0.1.0-languages", "0.1.0-signs", "0.1.0-sources"]));
  const { administered, full } = JSON.parse(await readFile(join(SAMPLES, "0.1.0-console", "expected.json"), "utf8"));
  expect([administered.list.length, administered.mayTry, full.insights.questions.length]).toEqual([6, false, 4]);
  expect(full.times).toHaveLength(full.documents.length);
});

/** What was written by a version that was released has to be read by every later one. */
describe.each(names)("the format of %s", (name) => {
  const sample = join(SAMPLES, name);
  const expected = async () => {
    const {
      key,
      texts = 3,
      atMs,
      administered,
      ...bots
    } = JSON.parse(await readFile(join(sample, "expected.json"), "utf8"));
    // Before samples said so, texts were by the third rules, and no source had arguments.
    for (const bot of Object.keys(bots)) bots[bot] = { sources: [], owned: [], ...bots[bot] };
    return { key, at: { texts, atMs }, full: bots.full, bots, administered };
  };
  const knownIn = async (engine: Engine, bots: Record<string, { asked?: Asked[] }>) => {
    const known: Record<string, unknown> = {};
    for (const [bot, { asked }] of Object.entries(bots)) known[bot] = await knownOf(engine, bot, asked);
    return known;
  };

  it("is whole, opens with all that was in it, goes on, and opens again", async () => {
    const directory = await emptyDirectory();
    await cp(join(sample, "directory"), directory, { recursive: true });
    const { key, full, bots, at, administered } = await expected();
    const engine = await opened(directory, at, name);
    expect(await engine.verify()).toMatchObject({ isWhole: true });
    expect(engine.listBots().map((bot) => bot.name)).toEqual(Object.keys(bots));
    expect(engine.authenticate(key)?.name).toBe("full");
    expect(await knownIn(engine, bots)).toEqual(bots);
    if (administered !== undefined) expect(await administeredOf(engine, administered)).toEqual(administered);
    const { article } = await (await engine.bot("full")).createArticle({ title: "One more", body: "It goes on." });
    await (await engine.bot("full")).snapshot();
    await engine.close();
    const again = await opened(directory, { ...at, texts: EMBEDDED_TEXTS_VERSION }, name);
    expect(await (await again.bot("full")).listArticles()).toHaveLength(full.articles.length + 1);
    expect((await (await again.bot("full")).getArticle(article.id))?.body).toBe("It goes on.");
  });

  it("opens without its snapshots' newer one, and without the index in it", async () => {
    const directory = await emptyDirectory();
    await cp(join(sample, "directory"), directory, { recursive: true });
    const { bots, at } = await expected();
    let removed = 0;
    for (const store of await readdir(join(directory, "stores"))) {
      const files = await readdir(join(directory, "stores", store));
      const newest = files
        .filter((file) => file.endsWith("search-index.section"))
        .sort()
        .at(-1);
      if (newest === undefined) continue;
      await rm(join(directory, "stores", store, newest));
      removed += 1;
    }
    expect(removed).toBeGreaterThan(0);
    expect(await knownIn(await opened(directory, at, name), bots)).toEqual(bots);
  });

  it("has a backup that can be restored", async () => {
    const { key, full, at } = await expected();
    const engine = await opened(await emptyDirectory(), at, "a backup, which has no signs");
    await engine.restore(createReadStream(join(sample, "full.backup")));
    expect(engine.authenticate(key)?.name).toBe("full");
    expect(await knownIn(engine, { full })).toEqual({ full });
  });
});
