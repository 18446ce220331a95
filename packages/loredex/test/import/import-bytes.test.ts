import { readFile } from "node:fs/promises";
import { findServerSocket } from "@loredex/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveOperator } from "../../src/operator/operator-server.ts";
import { socketOperator } from "../../src/operator/socket-operator.ts";
import { acme } from "../support/acme.ts";
import { documentLine, writeFiles } from "../support/files.ts";
import { openForImport, why } from "../support/import-kit.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Documents of one length each; `b` is longer than all others together. */
const LINES = ["a", "b", "c", "d"].map((id) => documentLine(id, "x".repeat(id === "b" ? 2_000 : 100))).join("\n");

describe("an import into a bot whose imports are bounded", () => {
  it.each(["directly", "through a running server"])("brings what fits and names what does not, %s", async (way) => {
    const kit = await openForImport();
    let { operator } = kit;
    if (way !== "directly") {
      const directory = await temporaryDirectory();
      const server = await serveOperator(kit.operator, { directory, logger: () => undefined });
      operator = socketOperator((await findServerSocket(directory)) ?? "");
      onTestFinished(async () => {
        await operator.close();
        await server.close();
      });
    }
    await operator.setBot("bot", { importBytes: 2_000 });
    await kit.write({ "all.jsonl": LINES });
    const report = await kit.import(["all.jsonl"], { operator, sync: true });
    expect(report).toMatchObject({ added: 3, failed: 1, notSynced: [kit.at("all.jsonl")] });
    expect(report.problems).toMatchObject([{ place: `${kit.at("all.jsonl")}:2` }]);
    expect(why(report)).toMatch(/document "b" adds 2\d{3} bytes, .* of the 2000 that --import-bytes allows/);
    expect(Object.keys(await kit.texts())).toEqual(["a", "c", "d"]);
    const { stats } = await operator.showBot("bot");
    expect(stats).toMatchObject({ importBytes: 2_000 });
    expect(stats.importBytesUsed).toBeLessThanOrEqual(2_000);
    await operator.setBot("bot", { importBytes: "none" });
    expect(await kit.import(["all.jsonl"], { operator })).toMatchObject({ added: 1, unchanged: 3, failed: 0 });
  });

  it("fails at its end, and is told what holds and what is used of it, until the bound is taken away", async () => {
    const { directory, folder, at, json } = await acme();
    expect(await json("bot", "set", "acme", "--import-bytes", "2k", "--embedder", "none")).toMatchObject({
      importBytes: 2_048,
    });
    await writeFiles(folder, { "b.md": `# B\n\n${"b".repeat(2_000)}\n` });
    const imported = await at("import", "acme", folder);
    expect(imported.code).toBe(1);
    expect(imported.err).toMatch(
      /^\S+\/handbook\/b\.md: Import bound exceeded: the document "file:handbook\/b\.md" adds \d+ bytes, .* take \d+ of the 2048 that --import-bytes allows\. Remove documents, or set a higher bound \(loredex bot set BOT --import-bytes SIZE\)\.\n2 added, 0 changed, 0 unchanged, 1 failed\n$/,
    );
    expect((await at("sync", "acme")).code).toBe(1);
    const asJson = await at("import", "acme", folder, "--json");
    expect([asJson.code, JSON.parse(asJson.out)]).toMatchObject([1, { unchanged: 2, failed: 1, problems: [{}] }]);
    const { bot, stats } = await json("bot", "show", "acme");
    expect([bot.importBytes, stats.importBytes]).toEqual([2_048, 2_048]);
    expect((await at("bot", "show", "acme")).out).toContain(
      `\n  imports      ${stats.importBytesUsed} bytes of 2 KiB\n`,
    );
    const file = `${directory}/acme.backup`;
    await at("backup", "acme", file);
    expect((await readFile(file)).length).toBeGreaterThan(0);
    expect((await at("restore", file, "--as", "copy")).code).toBe(0);
    expect(await json("bot", "show", "copy")).toMatchObject({
      bot: { importBytes: 2_048 },
      stats: { importBytes: 2_048 },
    });
    await at("bot", "set", "acme", "--import-bytes", "none");
    expect((await at("import", "acme", folder)).code).toBe(0);
    expect((await at("bot", "show", "acme")).out).toMatch(/\n {2}imports {6}[\d.]+ KiB\n/);
  });

  it("is a setting of the bot, and no option of an import", async () => {
    const { folder, at } = await acme();
    expect((await at("import", "acme", folder, "--import-bytes", "1m")).code).toBe(2);
    expect((await at("bot", "set", "acme", "--import-bytes", "auto")).code).toBe(2);
    const { out } = await at("bot", "create", "new", "--import-bytes", "1m", "--embedder", "none", "--json");
    expect(JSON.parse(out)).toHaveProperty("key");
    expect((await at("bot", "show", "new")).out).toMatch(/\n {2}imports {6}0 bytes of 1 MiB\n/);
  });
});
