import { copyFile, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { FakeEmbedder } from "../../core/test/support/fake-embedder.ts";
import { connectOperator } from "../src/operator/connect.ts";
import { engineOperator } from "../src/operator/engine-operator.ts";
import { serveOperator } from "../src/operator/operator-server.ts";
import { serve } from "../src/serve.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const logger = () => undefined;

async function acme() {
  const folder = await temporaryDirectory();
  const directory = join(folder, "data");
  const engine = await Engine.open({ directory });
  const { bot, key } = await engine.createBot({ name: "acme", quotaCharacters: 5_000 });
  const acme = await engine.bot("acme");
  await acme.createArticle({ title: "Plums", body: "Plums are blue." });
  await acme.importDocument({
    resourceDocId: "p",
    type: "WEBPAGE",
    content: [{ md: "Pears are green. ".repeat(9_000) }],
  });
  await engine.close();
  const in_ =
    (data: string) =>
    (...argv: readonly string[]): Promise<Outcome> =>
      run(...argv, "--data", data);
  return {
    folder,
    directory,
    bot,
    key,
    at: in_(directory),
    elsewhere: in_(join(folder, "other")),
    file: join(folder, "acme.backup"),
  };
}

async function serving(directory: string): Promise<string> {
  const server = await serve({ directory, port: 0 });
  onTestFinished(() => server.close());
  return server.url;
}

describe.each(["directly", "through running servers"])("backup and restore, %s", (way) => {
  it("carry a bot to another directory, where its key opens it", async () => {
    const { folder, directory, bot, key, at, elsewhere, file } = await acme();
    if (way !== "directly") await serving(directory);
    const before = await at("search", "acme", "plums and pears", "--json");
    const taken = JSON.parse((await at("backup", "acme", file, "--json")).out);
    const { size, mode } = await stat(file);
    expect(taken).toEqual({
      bot: bot.id,
      file,
      bytes: size,
      derivedBytes: 0,
      takenAt: expect.stringMatching(/^20.*Z$/),
    });
    expect(mode & 0o777).toBe(0o600);
    expect((await readFile(file)).includes(key)).toBe(false);
    if (way !== "directly") await serving(join(folder, "other"));
    expect(await elsewhere("restore", file)).toMatchObject({
      code: 0,
      err: expect.stringContaining("is back, with the key that it had."),
    });
    expect((await elsewhere("search", "acme", "plums and pears", "--json")).out).toBe(before.out);
    const shown = JSON.parse((await elsewhere("bot", "show", bot.id, "--json")).out);
    expect(shown).toMatchObject({ bot: { id: bot.id, quotaCharacters: 5_000, hasKey: true }, stats: { articles: 1 } });
    expect((await elsewhere("verify")).code).toBe(0);

    expect(await elsewhere("restore", file)).toMatchObject({ code: 1, err: expect.stringContaining("--as NAME") });
    const copy = JSON.parse((await elsewhere("restore", file, "--as", "copy & more", "--json")).out);
    expect(copy).toEqual({ bot: expect.stringMatching(/^[0-9a-f]{24}$/), key: expect.stringMatching(/^lore_/) });
    expect((await elsewhere("search", "copy & more", "plums and pears", "--json")).out).toBe(before.out);
  });

  it("do not speak of a key where there is none", async () => {
    const { at, elsewhere, file } = await acme();
    await at("key", "revoke", "acme");
    await at("backup", "acme", file);
    expect((await elsewhere("restore", file)).err).toContain('is back, without a key, as it was: "loredex key rotate"');
  });

  it("refuse what is damaged before anything is made or touched", async () => {
    const { folder, directory, at, elsewhere, file } = await acme();
    await at("backup", "acme", file);
    const [short, changed] = [join(folder, "short"), join(folder, "changed")];
    await copyFile(file, short);
    await truncate(short, (await stat(file)).size - 1);
    const bytes = await readFile(file);
    bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeFile(changed, bytes);
    if (way !== "directly") await serving(directory);
    for (const damaged of [short, changed]) {
      for (const command of [elsewhere, at]) {
        const { code, err } = await command("restore", damaged, "--as", "copy");
        expect({ code, err }).toEqual({
          code: 1,
          err: expect.stringMatching(/^loredex: The backup is damaged before byte /),
        });
      }
    }
    await expect(stat(join(folder, "other"))).rejects.toThrow("ENOENT");
    expect(JSON.parse((await at("bot", "list", "--json")).out)).toHaveLength(1);
    expect(await at("restore", join(folder, "none"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be read: there is no such file"),
    });
  });

  it("are checked by the one that restores as well, who tells it however much was still to come", async () => {
    const { directory, at, file } = await acme();
    await at("backup", "acme", file);
    if (way !== "directly") await serving(directory);
    const operator = await connectOperator({ kind: "directory", directory }, { create: false, logger });
    const bytes = await readFile(file);
    async function* source(damaged: Buffer) {
      yield damaged;
      for (let i = 0; i < 40; i += 1) yield Buffer.alloc(1_000_000);
    }
    const early = Buffer.from(bytes);
    early.writeUInt8(7, 0);
    await expect(operator.restore(source(early), "copy")).rejects.toMatchObject({ code: "CORRUPT" });
    await expect(operator.restore(source(bytes), "copy")).rejects.toThrow("something follows its end");
    await expect(operator.restore(source(bytes.subarray(0, -9)), "copy")).rejects.toMatchObject({ code: "CORRUPT" });
    expect((await operator.listBots()).map(({ name }) => name)).toEqual(["acme"]);
    await operator.close();
  });

  it("leave no half backup and none in place of another file", async () => {
    const { directory, at, file } = await acme();
    if (way !== "directly") await serving(directory);
    expect(await at("backup", "nobody", file)).toMatchObject({ code: 1, err: expect.stringContaining("no bot") });
    await expect(stat(file)).rejects.toThrow("ENOENT");
    await expect(stat(`${file}.part`)).rejects.toThrow("ENOENT");
    await writeFile(file, "precious");
    expect(await at("backup", "acme", file)).toMatchObject({ code: 1, err: expect.stringContaining("already") });
    expect(await readFile(file, "utf8")).toBe("precious");
  });
});

it("a backup with derived data is asked for through a running server as well, and restored there with all of it", async () => {
  const { folder, file } = await acme();
  const at = async (name: string) => {
    const directory = join(folder, name);
    const fake = new FakeEmbedder({ tokens: "1" });
    const embedders = { fake: { languages: ["en"], open: async () => fake } };
    const engine = await Engine.open({ directory, embedders });
    const server = await serveOperator(engineOperator(engine), { directory, logger });
    onTestFinished(async () => {
      await server.close();
      await engine.close();
    });
    return { engine, fake, run: (...argv: readonly string[]) => run(...argv, "--data", directory) };
  };
  const [here, there] = [await at("here"), await at("there")];
  await here.engine.createBot({ name: "shop" });
  const shop = await here.engine.bot("shop");
  await shop.createArticle({ title: "Plums", body: "Plums are blue." });
  await shop.whenUpgraded();
  const taken = await here.run("backup", "shop", file, "--with-derived");
  expect(taken).toMatchObject({
    code: 0,
    err: expect.stringMatching(/, of which [1-9][\d,.]* (?:bytes|KiB) are derived data\.\n$/),
  });
  expect(await there.run("restore", file, "--wait-vectors")).toMatchObject({ code: 0 });
  expect(there.fake.passages).toEqual([]);
  expect(await (await there.engine.bot("shop")).search("plums")).toEqual(await shop.search("plums"));
});
