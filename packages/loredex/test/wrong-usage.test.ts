import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COMMANDS, wordsOf } from "../src/commands/all.ts";
import { acme } from "./support/acme.ts";
import { run } from "./support/run.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

describe("wrong usage", () => {
  it.each([
    [["nonsense"], 'no command "nonsense"'],
    [["bot", "fly"], 'no command "bot fly"; "bot" can do create, list, show, set or remove\n'],
    [["source", "frobnicate"], 'no command "source frobnicate"; "source" can do list, move or remove\n'],
    [["import", "a", "b", "-"], "the standard input has no path: say with --source NAME"],
    [["bot"], 'say what "bot" should do: create, list, show, set or remove\n"loredex help bot" says more.\n'],
    [["--quota", "9", "bot", "list"], "--quota is no option of every command, and only those may stand before one"],
    [["bot", "create"], "NAME is missing"],
    [["search", "shop"], "QUERY is missing"],
    [["status", "shop", "id"], "active|inactive|pending is missing"],
    [["bot", "create", "a", "b"], "one argument too many"],
    [["bot", "create", "a", "--quota", "many"], "whole number"],
    [["bot", "create", "a", "--quota", "1", "--quota", "2"], "--quota is given twice; which value is meant?"],
    [["bot", "create", "a\u200bb"], "name must have no control, formatting or other invisible characters"],
    [["bot", "create", "a", "--quota", "1,5"], "whole number"],
    [["bot", "create", "a", "--quota=-1"], "whole number"],
    [["bot", "create", "a", "--language", "klingon"], "one of en, multi"],
    [["bot", "create", "a", "--quality", "good"], "one of best, fast"],
    [["serch", "shop", "refunds"], 'no command "serch"; did you mean "loredex search"?\n"loredex help" lists'],
    [["bot", "lsit"], 'no command "bot lsit"; did you mean "loredex bot list"?'],
    [["search", "a", "b", "--topk", "3"], "there is no option --topk; did you mean --top-k?\n"],
    [["search", "a", "-x"], "there is no option -x; put -- before what begins with a dash and is none\n"],
    [["bot", "list", "--colour"], "there is no option --colour; put -- before"],
    [["bot", "list", "--json=yes"], "--json is true or false"],
    [["bot", "list", "--data"], "--data"],
    [["--data"], '--data takes a value: --data DIR\n"loredex help" lists all commands.\n'],
    [["--json", "--config"], '--config takes a value: --config FILE\n"loredex help" lists all commands.\n'],
    [["bot", "list", "--data", ""], "--data"],
    [["bot", "remove", "a"], "--yes"],
    [
      ["bot", "set", "a"],
      "nothing to set: give --name, --quota, --rate, --bytes, --bytes-per-minute, --import-bytes, --language, --embedder, --quality, --question-log, --no-question-log, --question-log-days or --gap-score",
    ],
    [["list", "a", "--type", "EXTERNAL"], "one of WEBPAGE"],
    [["list", "a", "--status", "off"], "one of active"],
    [["status", "a", "b", "off"], "one of active"],
    [["agent", "set", "a", "b"], "either"],
    [["channel", "set", "a", "b", "--active", "--inactive"], "either"],
    [["import", "a"], "PATH-or-URL... is missing"],
    [["import", "a", "b", "--type", "QNA"], "one of DOCUMENT"],
    [["import", "a", "b", "--no-wait", "--wait-vectors"], "contradict"],
    [["search", "a", "two", "words"], "quotes"],
    [["search", "a", "b", "--top-k", "0"], "1 to 100"],
    [["search", "a", "b", "--top-k", "101"], "1 to 100"],
    [["suggest", "a", "b", "--limit", "21"], "1 to 20"],
    [["serve", "--port", "65536"], "65535"],
    [["serve", "--port", "http"], "whole number"],
    [["serve", "--metrics-host", "0.0.0.0"], "give --metrics-port too"],
    [["serve", "--console-port", "9000"], "--console-port is about the console: give --console too"],
    [["serve", "--console-host", "0.0.0.0"], "--console-host is about the console: give --console too"],
    [["serve", "--console-private-addresses"], "give --console too"],
    [["serve", "--console", "--console-host", "0.0.0.0"], "give --console-port too"],
    [["serve", "--console", "--console-port", "8080"], "--console-port must be another than --port"],
    [["serve", "--console", "--console-port", "9464", "--metrics-port", "9464"], "--console-port must be another"],
    [["serve", "--health-host", "0.0.0.0"], "give --health-port too"],
    [["serve", "--memory", "much"], "number of bytes such as 4g"],
    [["serve", "--memory", "0"], "number of bytes such as 4g"],
    [["serve", "--search-deadline", "soon"], "a time such as 10s"],
    [["serve", "--search-deadline", "0"], "a time such as 10s"],
    [["serve", "--search-deadline", "9999999m"], "a time such as 10s"],
    [["serve", "--requests-max", "0"], "whole number of 1 or more"],
    [["serve", "--embedders", "minilm,bert"], "minilm, multilingual, static, openai, none"],
    [["serve", "--embedders", "none,minilm"], "stands alone"],
    [["serve", "--graph", "faiss"], '--graph must be one of built-in, hnswlib, not "faiss"'],
    [["serve", "--log", "xml"], "json, text"],
    [["serve", "--metrics-port", "8080"], "another than --port"],
    [["serve", "--log-level", "all"], "debug, info, warn, error, silent"],
    [["serve", "--memory", "1.5g"], "number of bytes such as 4g"],
    [["serve", "--memory", "4"], "--memory takes at least 1m, not 4 bytes; write 4m for MiB, write 4g for GiB"],
    [
      ["serve", "--memory-max", "10k"],
      "--memory-max takes at least 1m, not 10240 bytes; write 10m for MiB, write 10g for GiB",
    ],
    [
      ["serve", "--rerank-memory", "64"],
      "--rerank-memory takes at least 64k, not 64 bytes; write 64k for KiB, write 64m for MiB",
    ],
    [["serve", "--rerank-memory", "-"], "takes 0, or a number of bytes such as 4g"],
    [["serve", "--body-max", "1"], "--body-max takes at least 1k, not 1 byte; write 1k for KiB, write 1m for MiB"],
    [
      ["bot", "create", "a", "--bytes", "10"],
      "--bytes takes at least 1k, not 10 bytes; write 10k for KiB, write 10m for MiB",
    ],
    [["bot", "set", "a", "--bytes-per-minute", "1023b"], "--bytes-per-minute takes at least 1k, not 1023 bytes"],
    [["import", "a", "b", "--file-memory", "1"], "--file-memory takes at least 256m, not 1 byte; write 1g for GiB"],
    [["import", "a", "b", "--file-memory", "65g"], '--file-memory takes at most 64g, not "65g"'],
  ])("%j ends with 2 and says why", async (argv, why) => {
    const { code, err, out } = await run(...argv);
    expect(err).toContain(why);
    expect(err.split("\n")).toEqual([
      expect.stringMatching(/^loredex: /),
      expect.stringMatching(/^"loredex help.*\.$/),
      "",
    ]);
    expect(code).toBe(2);
    expect(out).toBe("");
  });

  it("shows an example of each command of a group", async () => {
    const { out } = await run("help", "source");
    expect(out).toMatch(
      /\n\nExamples:\n {2}loredex source list acme\n {2}loredex source move .*\n {2}loredex source rem.*--yes\n/,
    );
    expect((await run("help")).out).not.toContain("Example");
  });

  it("shows all commands to whoever names none, and one line to whoever mistypes one", async () => {
    expect((await run()).err).toContain("loredex import BOT PATH-or-URL...");
    expect((await run("nonsense")).err).toBe(
      'loredex: there is no command "nonsense"\n"loredex help" lists all commands.\n',
    );
  });

  it("says its version", async () => {
    const { version } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
    expect(await run("--version")).toEqual({ code: 0, out: `${version}\n`, err: "" });
  });

  it("makes no data directory", async () => {
    const data = join(await temporaryDirectory(), "data");
    for (const option of ["--quota=many", "--rate=1.5", "--quality=good", "--language=klingon"]) {
      expect(await run("bot", "create", "acme", option, "--data", data)).toMatchObject({ code: 2, out: "" });
      expect(existsSync(data)).toBe(false);
    }
  });

  it("is what the engine refuses as well", async () => {
    const { at } = await acme();
    for (const [why, ...argv] of [
      ["at least 1 character", "search", "acme", ""],
      ["at least 1 character", "suggest", "acme", ""],
      ["known filter", "search", "acme", "refunds", "--filter", "team=billing"],
      ["one of none", "bot", "set", "acme", "--embedder", "nope"],
      ["at least 1 character", "bot", "set", "acme", "--name", ""],
      ["at least 1 character", "agent", "add", "acme", ""],
    ] as const) {
      const { code, err, out } = await at(...argv);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(why);
      expect(err).toMatch(new RegExp(`^loredex: [^\\n]+\\n"loredex help ${argv[0]}.*" says more\\.\\n$`));
    }
  });

  it("is shown without letting it steer the terminal", async () => {
    for (const argv of [["\u001b[2J"], ["bot", "show", "\u001b[2J", "\u001b[2J"], ["bot", "list", "--\u001b[2J"]]) {
      expect((await run(...argv)).err).not.toContain("\u001b");
    }
  });

  it("is helped by --help, for all commands and for each", async () => {
    const overview = await run("--help");
    expect(overview.code).toBe(0);
    expect(await run("help")).toEqual(overview);
    for (const command of COMMANDS) {
      expect(overview.out).toContain(`loredex ${command.usage}`);
      for (const argv of [
        [...wordsOf(command), "--help"],
        [...wordsOf(command), "-h"],
      ]) {
        const help = await run(...argv);
        expect(help).toMatchObject({ code: 0, err: "", out: expect.stringContaining(command.summary) });
        for (const option of Object.keys(command.options)) expect(help.out).toContain(`--${option}`);
      }
    }
    const group = await run("key", "--help");
    expect(group.out).toContain("key rotate");
    expect(group.out).not.toContain("bot create");
    expect(await run("help", "key")).toEqual(group);
    expect(await run("help", "key", "rotate")).toEqual(await run("key", "rotate", "--help"));
    for (const argv of [
      ["help", "keys"],
      ["keys", "--help"],
    ]) {
      expect(await run(...argv)).toMatchObject({ code: 2, out: "", err: expect.stringContaining('no command "keys"') });
    }
  });
});
