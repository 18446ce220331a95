import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve } from "../src/index.ts";
import { logLines } from "../src/log/log-lines.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";
import { writeFiles } from "./support/files.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";
import { withoutRuntime } from "./support/without-runtime.ts";

/** What an operator is told where the English encoder is missing: one line, the same wherever it is said. */

const STORY =
  /Passages are found by words and by the built-in static embedder, not by the embedder minilm: onnxruntime-node, which runs it, is not installed\. To mend it: npm install onnxruntime-node@\S+/g;

/** What a create says, without the line on the limits of the bot. */
const withoutLimits = (text: string): string => text.replace(/^Its articles may have .*\n/, "");

/** The story as often as it is told in a text. */
const toldIn = (text: string): string[] => text.match(STORY) ?? [];

describe("where the English encoder is missing, the same line says so", () => {
  it("in every command, once, and waiting for its vectors ends with 1", async () => {
    withoutRuntime();
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "page.md": "# The shop\n\nYou can buy a car here.\n" });
    const data = ["--data", join(directory, "data")];

    const created = await run("bot", "create", "b", ...data);
    expect(created.code).toBe(0);
    const [story] = toldIn(created.err);
    expect(withoutLimits(created.err)).toBe(`${story}\n`);

    const importing = ["import", "b", join(directory, "page.md"), ...data];
    const imported = await run(...importing);
    expect(imported).toMatchObject({ code: 0, err: `1 added, 0 changed, 0 unchanged\n${story}\n` });
    const left = await run(...importing, "--no-wait");
    expect(left).toMatchObject({ code: 0, err: `0 added, 0 changed, 1 unchanged\n${story}\n` });
    const waited = await run(...importing, "--wait-vectors");
    expect(waited).toMatchObject({ code: 1, err: `0 added, 0 changed, 1 unchanged\n${story}\n` });
    const asJson = await run(...importing, "--wait-vectors", "--json");
    expect(asJson).toMatchObject({ code: 1, err: `${story}\n` });

    const shown = await run("bot", "show", "b", ...data);
    expect(shown.out).toContain(`  missing      ${story}\n`);
    expect(shown.err).toBe("");
    const { vectors } = JSON.parse((await run("bot", "show", "b", "--json", ...data)).out).stats;
    expect(vectors.missing).toEqual({
      name: "minilm",
      why: "onnxruntime-node, which runs it, is not installed",
      mend: expect.stringMatching(/^npm install onnxruntime-node@\S+$/),
      instead: "static",
      story,
    });

    const asking = ["search", "b", "purchase automobile", ...data];
    expect((await run(...asking)).err).toBe(`${story}\n`);
    expect((await run(...asking)).out).toContain("The shop");
    expect((await run(...asking, "--quality", "fast")).err).toBe("");
    expect((await run("bot", "set", "b", "--embedder", "static", ...data)).err).toBe("");
    expect((await run("bot", "set", "b", "--embedder", "minilm", ...data)).err).toBe(`${story}\n`);
  });

  it("in the log of a server, once, before anybody has asked for it", async () => {
    withoutRuntime();
    const directory = join(await temporaryDirectory(), "data");
    const [story] = toldIn((await run("bot", "create", "b", "--data", directory)).err);
    const log = new CapturedTerminal();
    const server = await serve({ directory, port: 0, logger: logLines(log) });
    await expect.poll(() => log.errors).toContain(`warn embedderUnavailable ${story}\n`);
    await (await server.engine.bot("b")).createArticle({ title: "The shop", body: "You can buy a car here." });
    // Asked for now, it is opened, and cannot be.
    expect(await (await server.engine.bot("b")).whenUpgraded()).toMatchObject({ complete: false, missing: { story } });
    expect((await run("search", "b", "car", "--data", directory)).err).toBe(`${story}\n`);
    await server.close();
    expect(toldIn(log.errors)).toHaveLength(1);
  });

  it("and nowhere where no bot wants it", async () => {
    withoutRuntime();
    const directory = join(await temporaryDirectory(), "data");
    const created = await run("bot", "create", "b", "--embedder", "static", "--data", directory);
    expect(withoutLimits(created.err)).toBe("");
    const log = new CapturedTerminal();
    const server = await serve({ directory, port: 0, logger: logLines(log) });
    await (await server.engine.bot("b")).createArticle({ title: "The shop", body: "You can buy a car here." });
    expect(await (await server.engine.bot("b")).whenUpgraded()).toEqual({ complete: true, documentsGivenUp: 0 });
    await server.close();
    expect(toldIn(log.errors)).toEqual([]);
  });

  it("and the line to type where another language brings another embedder", async () => {
    withoutRuntime();
    const data = ["--data", join(await temporaryDirectory(), "data")];
    await run("bot", "create", "b", ...data);
    const followed = await run("bot", "set", "b", "--language", "de", ...data);
    expect(followed.err).toMatch(/^Its embedder is multilingual now, .*: loredex bot set \w+ --embedder minilm\n/);
    await run("bot", "set", "b", "--embedder", "minilm", ...data);
    const kept = await run("bot", "set", "b", "--language", "fr", ...data);
    expect(kept.err).toMatch(
      /^Its embedder is still minilm, which understands English only; for fr: loredex bot set \w+ --embedder multilingual\n/,
    );
  });
});
