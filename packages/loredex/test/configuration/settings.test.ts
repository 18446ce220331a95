import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { optionsOf } from "../../src/arguments/parse.ts";
import { ALL_OPTIONS, COMMANDS } from "../../src/commands/all.ts";
import { keyOf, type Option, settable, variableOf } from "../../src/configuration/option.ts";
import { runIn } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

type Row = { readonly name: string; readonly value?: unknown; readonly from: string; readonly default?: string };

async function inForce(environment: Record<string, string>, ...argv: string[]): Promise<ReadonlyMap<string, Row>> {
  const { code, out, err } = await runIn(environment, "config", "--json", ...argv);
  expect([code, err]).toEqual([0, ""]);
  const { settings }: { settings: Row[] } = JSON.parse(out);
  return new Map(settings.map((row) => [row.name, row]));
}

async function configFile(content: unknown): Promise<string> {
  const path = join(await temporaryDirectory(), "loredex.config.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

/** A value that an option takes, as a text and as JSON. */
function sample(option: Option): readonly [text: string, json: unknown] {
  switch (option.kind) {
    case "switch":
      return ["true", true];
    case "choice":
      return [option.choices[0] ?? "", option.choices[0]];
    case "list":
      return [option.choices.slice(0, 2).join(", "), option.choices.slice(0, 2)];
    case "duration":
      return ["2.5s", 2_500];
    case "bytes":
      return ["4g", 4_294_967_296];
    case "count":
    case "number":
      return [String(option.max ?? option.min ?? 7), option.max ?? option.min ?? 7];
    default:
      return ["/x y", "/x y"];
  }
}

describe("every setting", () => {
  // The rows are asked for with --json.
  it.each(settable(ALL_OPTIONS, "file").filter((name) => name !== "json"))(
    "%s is read from the environment and from the file, in this order",
    async (name) => {
      const option = ALL_OPTIONS[name];
      if (option === undefined) throw new Error("unknown");
      const [text, json] = sample(option);
      const config = await configFile({ [keyOf(name)]: option.kind === "duration" ? text : json });
      const shown = option.secret === true ? "********" : json;
      expect((await inForce({}, "--config", config)).get(keyOf(name))).toMatchObject({ value: shown, from: config });
      const variable = variableOf(name);
      expect((await inForce({ [variable]: text, LOREDEX_CONFIG: config })).get(keyOf(name))).toMatchObject({
        value: shown,
        from: variable,
      });
    },
  );

  it("is one setting, whichever command has it", () => {
    const seen = new Map<string, Option>();
    for (const command of COMMANDS) {
      for (const [name, option] of Object.entries(optionsOf(command))) {
        if (option.setting === false) continue;
        const { help: _help, default: _default, excludes: _excludes, ...shape } = option;
        const {
          help: _otherHelp,
          default: _otherDefault,
          excludes: _otherExcludes,
          ...other
        } = seen.get(name) ?? option;
        expect([name, shape]).toEqual([name, other]);
        seen.set(name, option);
      }
    }
    expect(seen.size).toBeGreaterThan(10);
  });

  it("is named alike in all three places", () => {
    const names = fc.stringMatching(/^[a-z]+(-[a-z0-9]+){0,3}$/);
    fc.assert(
      fc.property(names, names, (one, other) => {
        expect(variableOf(one)).toMatch(/^LOREDEX_[A-Z0-9_]+$/);
        expect(keyOf(one)).toMatch(/^[a-z][A-Za-z0-9]*$/);
        if (one !== other) expect(variableOf(one)).not.toBe(variableOf(other));
      }),
    );
    expect(["top-k", "data", "openai-api-key"].map(keyOf)).toEqual(["topK", "data", "openaiApiKey"]);
  });
});

describe("what is said with a command", () => {
  it("goes before the environment, and that before the file", async () => {
    const config = await configFile({ data: "./in-file", json: true });
    const rows = await inForce({ LOREDEX_DATA: "/in-environment" }, "--config", config, "--data", "/said");
    expect(rows.get("data")).toMatchObject({ value: "/said", from: "--data" });
    expect((await runIn({}, "config", "--config", config)).out).toMatch(/^\{/);
    expect((await runIn({ LOREDEX_JSON: "true" }, "config", "--json=false")).out).toMatch(/^SETTING/);
  });

  it("goes before a setting that contradicts it", async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, "a.md"), "# A\n\nb\n");
    const environment = { LOREDEX_DATA: join(directory, "data"), LOREDEX_WAIT_VECTORS: "true" };
    await runIn(environment, "bot", "create", "acme", "--embedder", "none");
    expect((await runIn(environment, "import", "acme", join(directory, "a.md"), "--no-wait")).code).toBe(0);
    const both = { ...environment, LOREDEX_NO_WAIT: "true" };
    expect((await runIn(both, "import", "acme", join(directory, "a.md"))).err).toContain("contradict each other");
  });
});

describe("a setting", () => {
  it("holds for the commands that have it", async () => {
    const data = join(await temporaryDirectory(), "data");
    const environment = { LOREDEX_DATA: data, LOREDEX_QUOTA: "2_000", LOREDEX_EMBEDDER: "none", LOREDEX_JSON: "true" };
    await runIn(environment, "bot", "create", "acme");
    await runIn(environment, "bot", "set", "acme", "--rate", "5");
    expect(JSON.parse((await runIn(environment, "bot", "list")).out)).toMatchObject([
      { quotaCharacters: 2_000, rateCharactersPerMinute: 5, embedder: "none" },
    ]);
    // What a new bot gets is no change of one that is there.
    await runIn({ ...environment, LOREDEX_QUOTA: "9" }, "bot", "set", "acme", "--rate", "6");
    expect(JSON.parse((await runIn(environment, "bot", "list")).out)).toMatchObject([{ quotaCharacters: 2_000 }]);
  });

  it("of a path in a file is meant from where the file lies", async () => {
    const config = await configFile({ $schema: "./schema.json", data: "./kept" });
    expect((await inForce({ LOREDEX_CONFIG: config })).get("data")?.value).toBe(join(config, "..", "kept"));
  });

  it("of a size may be 0 where none of it makes sense, and nowhere else", async () => {
    const config = await configFile({ rerankMemory: 0 });
    expect((await inForce({}, "--config", config)).get("rerankMemory")).toMatchObject({ value: 0 });
    expect((await inForce({ LOREDEX_RERANK_MEMORY: "0" })).get("rerankMemory")).toMatchObject({ value: 0 });
    expect((await runIn({ LOREDEX_MEMORY: "0" }, "config")).err).toContain("LOREDEX_MEMORY takes a number of bytes");
  });

  it("that is empty in the environment is not there", async () => {
    expect((await inForce({ LOREDEX_PORT: "", LOREDEX_OPENAI_API_KEY: " " })).get("port")).toMatchObject({
      from: "default",
      default: "8080",
    });
  });

  it("that is secret is shown nowhere", async () => {
    const secret = "sk-not-to-be-seen";
    const config = await configFile({ openaiApiKey: secret });
    for (const [environment, ...argv] of [
      [{ LOREDEX_OPENAI_API_KEY: secret }],
      [{ LOREDEX_OPENAI_API_KEY: secret }, "--json"],
      [{}, "--config", config],
      [{ LOREDEX_OPENAI_BASE_URL: `http://${secret}:${secret}@host/v1?api_key=${secret}`, LOREDEX_OPENAI_MODEL: "m" }],
    ] as const) {
      const { out, err } = await runIn(environment, "config", ...argv);
      expect(out).toContain("********");
      expect(out + err).not.toContain(secret);
    }
    expect(
      (await runIn({ LOREDEX_CONFIG: await configFile({ openaiApiKey: 77_777_777 }) }, "config")).err,
    ).not.toContain("77777777");
  });
});

describe("a mistake stops every command with two lines", () => {
  it.each([
    [{ LOREDEX_PORT: "http" }, 'LOREDEX_PORT takes a whole number from 0 to 65535, not "http"'],
    [{ LOREDEX_MEMORY: "much" }, "LOREDEX_MEMORY takes a number of bytes such as 4g"],
    [{ LOREDEX_JSON: "yes" }, 'LOREDEX_JSON is true or false, not "yes"'],
    [{ LOREDEX_QUALITY: "good" }, "LOREDEX_QUALITY must be one of best, fast"],
    [{ LOREDEX_OPENAI_WEIGHT: "much" }, "LOREDEX_OPENAI_WEIGHT takes a number from 0 to 1"],
    [{ LOREDEX_PROT: "1" }, "there is no setting LOREDEX_PROT; did you mean LOREDEX_PORT?"],
    [{ LOREDEX_OPENAI_BASEURL: "x" }, "did you mean LOREDEX_OPENAI_BASE_URL?"],
    [{ LOREDEX_YES: "true" }, "LOREDEX_YES cannot stand in the environment: --yes is said with the command"],
    [{ LOREDEX_CONFIG: "/nowhere/at/all.json" }, "/nowhere/at/all.json cannot be read"],
  ])("%j", async (environment, why) => {
    for (const argv of [["bot", "list"], ["serve"], ["config"]]) {
      const { code, out, err } = await runIn(environment, ...argv);
      expect([code, out]).toEqual([2, ""]);
      expect(err).toContain(why);
      expect(err.split("\n")).toEqual([expect.any(String), '"loredex help config" says more.', ""]);
    }
  });

  it.each([
    ["{", "is no valid JSON"],
    ["[]", "must hold one JSON object"],
    [Buffer.from([0x7b, 0xff]).toString("latin1"), "is no valid JSON"],
    [{ prot: 1 }, 'there is no setting "prot", which stands in FILE; did you mean "port"?'],
    [{ "top-k": 1 }, 'did you mean "topK"?'],
    [{ LOREDEX_TOP_K: 1 }, 'did you mean "topK"?'],
    [{ loglvel: 1, topk: 1 }, '"loglvel"'],
    [{ nonsense: 1 }, '"loredex config" lists what can be set'],
    [{ port: "8080" }, '"port" in FILE takes a number, not a string'],
    [{ port: 1.5 }, '"port" in FILE takes a whole number from 0 to 65535, not "1.5"'],
    [{ json: "true" }, '"json" in FILE takes true or false, not a string'],
    [{ data: "" }, '"data" in FILE takes a path'],
    [{ yes: true }, '"yes" cannot stand in FILE: --yes is said with the command that needs it'],
    [{ config: "other.json" }, '"config" cannot stand in FILE'],
    ['{"__proto__": 1}', 'there is no setting "__proto__"'],
    ['{"port": 1, "data": "\\":{", "po\\u0072t": 2}', '"port" stands twice in FILE'],
  ])("a file with %j", async (content, why) => {
    const config = await configFile(content);
    const { code, err } = await runIn({}, "bot", "list", "--config", config);
    expect(code).toBe(2);
    expect(err).toContain(why.replace("FILE", config));
    expect(err.split("\n")).toHaveLength(3);
  });

  it("but no command that helps", async () => {
    for (const argv of [["--help"], ["help", "serve"], ["serve", "--help"], ["completion", "bash"], ["--version"]]) {
      expect(await runIn({ LOREDEX_PORT: "x" }, ...argv)).toMatchObject({ code: 0, err: "" });
    }
  });
});

it("a file of settings that is none is told at once, also a pipe into which nobody writes", async () => {
  const directory = await temporaryDirectory();
  expect(await runIn({}, "config", "--config", directory)).toMatchObject({
    code: 2,
    err: `loredex: ${directory} cannot be read: this is a folder\n"loredex help config" says more.\n`,
  });
  if (process.platform === "win32") return;
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  expect((await runIn({ LOREDEX_CONFIG: pipe }, "config")).err).toContain(`${pipe} cannot be read: this is no file\n`);
});

it("config shows values as they were written, and never as a default what a file says", async () => {
  const config = await configFile({ memory: "4g", searchDeadline: "2m", bodyMax: 1_048_576 });
  const { out } = await runIn({ LOREDEX_FILE_MEMORY: "512m " }, "config", "--config", config);
  expect(out).toMatch(/^memory +4g +\//m);
  expect(out).toMatch(/^searchDeadline +2m +\//m);
  expect(out).toMatch(/^bodyMax +1048576 +\//m);
  expect(out).toMatch(/^fileMemory +512m +LOREDEX_FILE_MEMORY$/m);
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  process.chdir(join(config, ".."));
  const lines = (await runIn({}, "config")).out.split("\n");
  expect(lines.find((line) => line.startsWith("config "))).toMatch(/loredex\.config\.json +the working directory$/);
});

it("a variable that begins as ours do, and resembles none, is told and changes nothing", async () => {
  const { code, err } = await runIn({ LOREDEX_DIRECTORY: "/srv" }, "config");
  expect([code, err]).toEqual([
    0,
    "LOREDEX_DIRECTORY in the environment is no setting of Loredex, and changes nothing.\n",
  ]);
});

it("what clients and Kubernetes put there is theirs", async () => {
  const environment = {
    LOREDEX_URL: "http://127.0.0.1:8080",
    LOREDEX_KEY: "lore_x",
    LOREDEX_SERVICE_HOST: "10.0.0.1",
    LOREDEX_SERVICE_PORT: "80",
    LOREDEX_SERVICE_PORT_HTTP: "80",
    LOREDEX_PORT: "tcp://10.0.0.1:80",
    LOREDEX_PORT_80_TCP: "tcp://10.0.0.1:80",
    LOREDEX_PORT_80_TCP_ADDR: "10.0.0.1",
  };
  expect((await inForce(environment)).get("port")).toMatchObject({ from: "default" });
});
