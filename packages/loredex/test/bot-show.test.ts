import { join } from "node:path";
import { Engine } from "@loredex/core";
import { expect, it } from "vitest";
import { languageLine } from "../src/commands/bot.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

it("bot show says how far a bot's words are read in its new language", () => {
  expect(languageLine("de-CH", undefined)).toBe("de-CH");
  expect(languageLine("de-CH", { documents: 4_000, documentsRead: 1_200 })).toBe(
    "de-CH: 1,200 of 4,000 documents read in it; until all are, questions are answered by the words of the language before",
  );
});

it("bot show says what is used of the quotas and of the rate, and when the window is empty", async () => {
  const directory = join(await temporaryDirectory(), "data");
  await run("bot", "create", "b", "--embedder", "none", "--quota", "1000", "--data", directory);
  const show = async (...more: string[]): Promise<string> =>
    (await run("bot", "show", "b", "--data", directory, ...more)).out;
  expect(await show()).toContain("\n  last minute  0 of 15,000 characters\n");
  const engine = await Engine.open({ directory, background: false });
  await (await engine.bot("b")).createArticle({ title: "Refunds", body: "x".repeat(93) });
  await engine.close();
  const shown = await show();
  expect(shown).toContain("\n  characters   100 of 1,000\n");
  expect(shown).toMatch(/\n {2}last minute {2}100 of 15,000 characters; the window is empty in \d+ seconds?\n/);
  expect(shown).toMatch(/\n {2}bytes {8}204 bytes of 32 MiB; in the last minute 204 bytes of /);
  const { stats } = JSON.parse(await show("--json"));
  expect(stats).toMatchObject({ rateUsed: 100, rateResetSeconds: expect.any(Number), characterUsed: 100 });
});

it("bot create tells the limits that an integrator meets first, on stderr, and nothing of them with --json", async () => {
  const data = ["--embedder", "none", "--data", join(await temporaryDirectory(), "data")];
  const made = await run("bot", "create", "a", ...data);
  expect(made.out).not.toContain("1,000,000");
  expect(made.err).toMatch(
    /^Its articles may have 1,000,000 characters in all, and 15,000 may be added in a minute\. To change them: loredex bot set [0-9a-f]{24} --quota N --rate N\n$/,
  );
  const other = await run("bot", "create", "b", "--quota", "2_000", "--rate", "300", ...data);
  expect(other.err).toContain("may have 2,000 characters in all, and 300 may be added in a minute");
  expect((await run("bot", "create", "c", "--json", ...data)).err).toBe("");
  // The line is one to type.
  const [, id = ""] = /bot set ([0-9a-f]+) /.exec(other.err) ?? [];
  expect((await run("bot", "set", id, "--quota", "5000", "--rate", "400", ...data.slice(2))).code).toBe(0);
});
