import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { serve } from "../src/serve.ts";
import { fetchOnce } from "./support/fetch-once.ts";
import { type Outcome, run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const SECRET = "zyxquor";

/** The files below a directory that hold the secret. */
async function filesWithSecret(directory: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(SECRET)) found.push(path);
  }
  return found;
}

async function withDeleted() {
  const folder = await temporaryDirectory();
  const directory = join(folder, "data");
  const engine = await Engine.open({ directory });
  const { bot } = await engine.createBot({ name: "acme" });
  const acme = await engine.bot("acme");
  await acme.createArticle({ title: "Plums", body: "Plums are blue." });
  const { article } = await acme.createArticle({ title: "Old", body: `The ${SECRET} is a secret.` });
  await acme.importDocument({ resourceDocId: "p", type: "WEBPAGE", content: [{ md: `Of ${SECRET}. `.repeat(9_000) }] });
  await acme.snapshot();
  await engine.close();
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", directory);
  return { folder, directory, id: bot.id, article: article.id, at };
}

describe.each(["directly", "through a running server"])("purge, %s", (way) => {
  it("makes what was deleted gone from every file, and says what it cannot know of", async () => {
    const { directory, id, article, at } = await withDeleted();
    const api = way === "directly" ? undefined : await serve({ directory, port: 0 });
    onTestFinished(() => api?.close());
    expect((await at("remove", "acme", "p")).code).toBe(0);
    const { key } = JSON.parse((await at("key", "rotate", "acme", "--json")).out);
    if (api !== undefined) {
      const headers = { "x-api-key": key };
      const answer = await fetchOnce(`${api.url}/api/v1/knowledge/${article}`, { method: "DELETE", headers });
      expect(answer.ok).toBe(true);
    } else {
      const engine = await Engine.open({ directory });
      await (await engine.bot("acme")).deleteArticle(article);
      await engine.close();
    }
    expect(await filesWithSecret(directory)).not.toEqual([]);
    await writeFile(join(directory, "stores", `bot-${id}`, "notes.txt"), "mine");
    const purged = await at("purge", "acme");
    expect(purged).toMatchObject({ code: 0, out: "" });
    expect(purged.err).toMatch(
      /Nothing that was deleted from acme is in the data directory any more: \d+ files with [\d,.]+ (?:bytes|KiB) went\./,
    );
    expect(purged.err).toContain("notes.txt in its directory is not Loredex's and was left alone.");
    expect(purged.err).toContain("Backups, exports and other copies made before still have it");
    expect(await filesWithSecret(directory)).toEqual([]);
    expect((await at("search", "acme", "plums")).out).toContain("Plums are blue");
    const again = JSON.parse((await at("purge", id, "--json")).out);
    expect(again).toMatchObject({ bot: id, foreign: ["notes.txt"] });
    expect((await at("purge", "nobody")).err).toContain("There is no bot");
  });

  it("leaves nothing of a bot that is removed", async () => {
    const { directory, at } = await withDeleted();
    const server = way === "directly" ? undefined : await serve({ directory, port: 0 });
    onTestFinished(() => server?.close());
    expect((await at("bot", "set", "acme", "--name", SECRET)).code).toBe(0);
    expect((await at("bot", "remove", SECRET, "--yes")).code).toBe(0);
    expect(await filesWithSecret(directory)).toEqual([]);
    expect(await readdir(join(directory, "stores"))).toEqual(["catalog"]);
  });

  it("refuses a damaged bot, with what can be done", async () => {
    const { directory, id, at } = await withDeleted();
    const store = join(directory, "stores", `bot-${id}`);
    const [segment = ""] = (await readdir(store)).filter((name) => name.endsWith(".log"));
    await writeFile(join(store, segment), "not a log any more");
    const server = way === "directly" ? undefined : await serve({ directory, port: 0 });
    onTestFinished(() => server?.close());
    const before = await readdir(store);
    const purged = await at("purge", "acme");
    expect(purged.code).toBe(1);
    expect(purged.err).toMatch(/acme is damaged.*Nothing was deleted\. Remove the bot/);
    expect(await readdir(store)).toEqual(before);
  });
});
