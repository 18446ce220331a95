import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine } from "loredex";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEMO, makeDemo, UNFINISHED } from "../../examples/first-start/demo-bot.mjs";

let root: string;
let engine: Engine;

/** A project with documentation of three pages. */
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "loredex-demo-bot-"));
  await mkdir(join(root, "docs", "more"), { recursive: true });
  await writeFile(join(root, "README.md"), "# A project\n\nWhat it is.\n");
  await writeFile(join(root, "docs", "keys.md"), "# Keys\n\nA key is rotated by `loredex key rotate`.\n");
  await writeFile(join(root, "docs", "more", "page.md"), "# More\n\nMore.\n");
  engine = await Engine.open({ embedders: {} });
});
afterEach(async () => {
  await engine.close();
  await rm(root, { recursive: true, force: true });
});

describe("the demo", () => {
  test("knows the project's pages by their paths, and three articles; its key opens it", async () => {
    const made = await makeDemo(engine, root);
    expect(made).toMatchObject({ documents: 3, articles: 3 });
    expect(engine.listBots().map(({ name }) => name)).toEqual([DEMO]);
    expect(engine.authenticate(made?.key)?.name).toBe(DEMO);
    const bot = await engine.bot(DEMO);
    expect((await bot.listDocuments()).map(({ resourceDocId, type }) => [resourceDocId, type])).toEqual([
      ["file:README.md", "DOCUMENT"],
      ["file:docs/keys.md", "DOCUMENT"],
      ["file:docs/more/page.md", "DOCUMENT"],
    ]);
    expect((await bot.search("rotate a key"))[0]?.similarTextParts[0]).toMatchObject({ start: 3, stop: 3 });
  });

  test("is made once", async () => {
    await makeDemo(engine, root);
    const before = engine.listBots();
    expect(await makeDemo(engine, root)).toBeUndefined();
    expect(engine.listBots()).toEqual(before);
  });

  test("is not there after a start that failed, and the next start makes it whole", async () => {
    await writeFile(join(root, "docs", "bad.md"), Uint8Array.of(0xff, 0, 1, 0));
    await expect(makeDemo(engine, root)).rejects.toThrow(/bad\.md.*no text/);
    expect(engine.findBot(DEMO)).toBeUndefined();
    expect(engine.findBot(UNFINISHED)).toBeDefined();

    await rm(join(root, "docs", "bad.md"));
    expect(await makeDemo(engine, root)).toMatchObject({ documents: 3, articles: 3 });
    expect(engine.listBots().map(({ name }) => name)).toEqual([DEMO]);
    expect(await (await engine.bot(DEMO)).stats()).toMatchObject({ articles: 3, documents: { DOCUMENT: 3 } });
  });
});
