import { join } from "node:path";
import { Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { serve } from "../src/index.ts";
import { logLines } from "../src/log/log-lines.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";
import { writeFiles } from "./support/files.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

/** What an operator is told of settings that cost answers: one line with the command that mends it, the same wherever it is said. */

const GERMAN = `# Erstattung

Rückzahlungen werden innerhalb von vierzehn Tagen auf das Konto überwiesen, von dem bezahlt wurde.

# Versand

Pakete kommen in zwei bis drei Werktagen an, und an Feiertagen wird nicht zugestellt.

# Konto

Ihr Kennwort ändern Sie in den Einstellungen, nachdem Sie sich angemeldet haben. Unser Kundendienst ist werktags von neun bis siebzehn Uhr für Sie erreichbar.
`;

describe("a bot that is fed in another language than its own", () => {
  it("is named by import, sync, eval, bot show, bot list, doctor and the log, and no more once it is mended", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "hilfe.md": GERMAN });
    const data = ["--data", join(directory, "data")];
    await run("bot", "create", "b", "--embedder", "static", ...data);
    const [{ id }] = JSON.parse((await run("bot", "list", "--json", ...data)).out);
    const mend = `loredex bot set ${id} --language de --embedder multilingual`;
    const story = `Most of its newest documents are written in de, and its language is en: questions find less. To mend it, index its documents again, with vectors of multilingual: ${mend}`;

    const imported = await run("import", "b", join(directory, "hilfe.md"), ...data);
    expect(imported).toMatchObject({ code: 0, err: `1 added, 0 changed, 0 unchanged\n${story}\n` });
    expect((await run("sync", "b", ...data)).err).toMatch(new RegExp(`0 added.*\\n${story}\\n$`));
    await writeFiles(directory, {
      "golden.jsonl": '{"question":"Wann kommt mein Paket?","expected":[{"id":"file:hilfe.md"}]}\n',
    });
    expect((await run("eval", "b", join(directory, "golden.jsonl"), ...data)).err).toContain(`${story}\n`);
    expect((await run("bot", "show", "b", ...data)).out).toContain(`  advice       ${story}\n`);
    expect(JSON.parse((await run("bot", "show", "b", "--json", ...data)).out).advice).toEqual([
      { kind: "otherLanguage", writtenIn: "de", mend, story },
    ]);
    const listed = await run("bot", "list", ...data);
    expect(listed.out).toContain("ok, holds de");
    expect(listed.out).toContain(`\nb: ${story}\n`);
    const doctor = async (): Promise<{ passed: boolean; checks: { name: string }[] }> =>
      JSON.parse((await run("doctor", "--json", ...data)).out);
    const check = { name: "bot", state: "note", message: `b: ${story}`, mend };
    expect((await doctor()).checks).toContainEqual(check);

    const log = new CapturedTerminal();
    const server = await serve({ directory: join(directory, "data"), port: 0, logger: logLines(log) });
    expect(log.errors.match(/ warn otherLanguage 1 bot: /g)).toHaveLength(1);
    expect(log.errors).toContain(`To mend it: ${mend}`);
    expect((await doctor()).checks).toContainEqual(check);
    const set = await run("bot", "set", "b", "--language", "de", ...data);
    expect(set).toMatchObject({ code: 0, err: expect.stringContaining("Its embedder is still static, which") });
    expect((await run("bot", "list", ...data)).out).not.toContain("loredex bot set");
    expect((await doctor()).checks.filter(({ name }) => name === "bot")).toEqual([]);
    await server.close();
    expect((await run("import", "b", join(directory, "hilfe.md"), ...data)).err).not.toContain(story);
    const again = `made again by a running server, or at the next \`loredex import ${id} … --wait-vectors\``;
    // The vectors of these two are in one space.
    expect((await run("bot", "set", "b", "--embedder", "minilm", ...data)).err).not.toContain(again);
    expect((await run("bot", "set", "b", "--embedder", "multilingual", ...data)).err).toContain(again);
  });
});

describe("a bot without an embedder, made before there was one for its language", () => {
  it("is named by bot show, bot list, doctor and the log, and no more once it is mended", async () => {
    const directory = join(await temporaryDirectory(), "data");
    const older = await Engine.open({ directory, embedders: {} });
    const { bot } = await older.createBot({ name: "b" });
    await older.close();
    const story = `Found by words alone, and not by the embedder minilm, which new bots of its language get. Unless that was chosen: loredex bot set ${bot.id} --embedder minilm`;
    const data = ["--data", directory];
    expect((await run("bot", "show", "b", ...data)).out).toContain(`  advice       ${story}\n`);
    const listed = await run("bot", "list", ...data);
    expect(listed.out).toContain("ok, words alone");
    expect(listed.out).toContain(`\nb: ${story}\n`);
    expect((await run("doctor", ...data)).out).toMatch(/^note {3}bot +b: Found by words alone, .* --embedder minilm$/m);
    const log = new CapturedTerminal();
    const server = await serve({ directory, port: 0, logger: logLines(log) });
    expect(log.errors.match(/ info wordsAlone 1 bot: /g)).toHaveLength(1);
    expect(log.errors).toContain(`loredex bot set ${bot.id} --embedder minilm`);
    await run("bot", "set", "b", "--embedder", "static", ...data);
    expect((await run("bot", "list", ...data)).out).not.toContain("loredex bot set");
    await server.close();
  });
});
