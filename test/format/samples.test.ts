import { createReadStream } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { EMBEDDED_TEXTS_VERSION } from "../../packages/core/src/query/embedded-texts.ts";
import { embedders, knownOf } from "./known.ts";

const SAMPLES = fileURLToPath(new URL("samples", import.meta.url));
const names = await readdir(SAMPLES);

/** `texts` is the version of the texts that the sample has vectors of. */
async function opened(directory: string, texts: number): Promise<Engine> {
  const { offers, texts: embedded } = embedders();
  const engine = await Engine.open({ directory, embedders: offers });
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

it("there is a sample of the format as it is", () => {
  expect(names).toContain("0.1.0-sources");
});

/** What was written by a version that was released has to be read by every later one. */
describe.each(names)("the format of %s", (name) => {
  const sample = join(SAMPLES, name);
  const expected = async () => {
    const { full, short, ...said } = JSON.parse(await readFile(join(sample, "expected.json"), "utf8"));
    // Before samples said so, texts were by the third rules, and no source had arguments.
    const before = { sources: [], owned: [] };
    return { texts: 3, ...said, full: { ...before, ...full }, short: { ...before, ...short } };
  };

  it("is whole, opens with all that was in it, goes on, and opens again", async () => {
    const directory = await emptyDirectory();
    await cp(join(sample, "directory"), directory, { recursive: true });
    const { key, full, short, texts } = await expected();
    const engine = await opened(directory, texts);
    expect(await engine.verify()).toMatchObject({ isWhole: true });
    expect(engine.listBots().map((bot) => bot.name)).toEqual(["full", "short"]);
    expect(engine.authenticate(key)?.name).toBe("full");
    expect(await knownOf(await engine.bot("full"))).toEqual(full);
    expect(await knownOf(await engine.bot("short"))).toEqual(short);
    const { article } = await (await engine.bot("full")).createArticle({ title: "One more", body: "It goes on." });
    await (await engine.bot("full")).snapshot();
    await engine.close();
    const again = await opened(directory, EMBEDDED_TEXTS_VERSION);
    expect(await (await again.bot("full")).listArticles()).toHaveLength(full.articles.length + 1);
    expect((await (await again.bot("full")).getArticle(article.id))?.body).toBe("It goes on.");
  });

  it("opens without its snapshots' newer one, and without the index in it", async () => {
    const directory = await emptyDirectory();
    await cp(join(sample, "directory"), directory, { recursive: true });
    const { full, texts } = await expected();
    const store = join(directory, "stores", `bot-${full.info.id}`);
    const newest =
      (await readdir(store))
        .filter((file) => file.endsWith("search-index.section"))
        .sort()
        .at(-1) ?? "";
    expect(newest).not.toBe("");
    await rm(join(store, newest));
    expect(await knownOf(await (await opened(directory, texts)).bot("full"))).toEqual(full);
  });

  it("has a backup that can be restored", async () => {
    const { key, full, texts } = await expected();
    const engine = await opened(await emptyDirectory(), texts);
    await engine.restore(createReadStream(join(sample, "full.backup")));
    expect(engine.authenticate(key)?.name).toBe("full");
    expect(await knownOf(await engine.bot("full"))).toEqual(full);
  });
});
