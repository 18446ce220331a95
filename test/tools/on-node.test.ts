import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { freshEnvironment } from "../../tools/on-node/environment.mjs";
import { readmeCommands } from "../../tools/on-node/readme-commands.mjs";
import { ShellLine } from "../../tools/on-node/shell-line.mjs";
import { warningsIn } from "../../tools/on-node/silence.mjs";
import { versionOf } from "../../tools/on-node/versions.mjs";
import { ROOT } from "../tidy/source-files.ts";

const WHERE = { cwd: tmpdir(), env: process.env, quiet: true };

async function readme(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-on-node-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await writeFile(join(directory, "README.md"), text);
  return directory;
}

describe("trying another Node", () => {
  it("takes the two commands from the README", async () => {
    expect(readmeCommands(ROOT)).toEqual({ start: "npm ci && npm start", test: "npm ci && npm test" });
    const other = await readme("```sh\nnpm i && npm start # serves\nnpm test\n```\n");
    expect(readmeCommands(other)).toEqual({ start: "npm i && npm start", test: "npm test" });
    const third = await readme("```sh\nnpm ci && npm start\n```\n");
    expect(() => readmeCommands(third)).toThrow("two commands");
  });

  it("knows the oldest one that package.json promises", () => {
    expect(versionOf("oldest")).toMatch(/^\d+\.\d+\.\d+$/);
    expect(versionOf("newest")).toMatch(/^\d+$/);
    expect(versionOf("24.1")).toBe("24.1");
    expect(() => versionOf("lts; rm")).toThrow("no version of Node");
  });

  it("gives the commands a person's environment, with that Node first", () => {
    const env = {
      HOME: "/home/ann",
      npm_package_name: "workspace",
      npm_config_local_prefix: "/checkout",
      npm_config_registry: "a person's own",
      INIT_CWD: "/checkout",
      NODE_OPTIONS: "--no-deprecation",
      TESTS_SHORT: "1",
      TESTS_EXPECT_ALL: "1",
      PATH: "/checkout/node_modules/.bin:/checkout2/bin:/npm/node-gyp-bin:/usr/bin",
    };
    const fresh = {
      HOME: "/home/ann",
      npm_config_registry: "a person's own",
      PATH: "/new/bin:/checkout2/bin:/usr/bin",
    };
    expect(freshEnvironment(env, "/checkout", "/new/bin", { scripts: false })).toEqual(fresh);
    // Where install scripts run no part may be missing, if whoever runs this has said so.
    const whole = { ...fresh, TESTS_EXPECT_ALL: "1" };
    expect(freshEnvironment(env, "/checkout", "/new/bin", { scripts: true })).toEqual(whole);
  });

  it("hears every warning of npm and Node, except npm's of the machine's own settings", () => {
    const warnings = [
      'npm warn Unknown project config "a". This will stop working.',
      "npm WARN deprecated glob@7.2.3",
      "(node:12) [DEP0040] DeprecationWarning: The `punycode` module is deprecated.",
      "(node:12) MaxListenersExceededWarning: Possible EventTarget memory leak detected.",
    ];
    const others = [
      'npm warn Unknown user config "nodedir".',
      "added 232 packages in 50s",
      "warn: the demo's encoder is not here",
      " ✓ says npm warn when it should",
    ];
    expect(warningsIn([...others, ...warnings, ...others].join("\r\n"))).toEqual(warnings);
  });
});

describe("a line in a shell", () => {
  it("is heard while it runs, and is stopped with all that it started", async () => {
    const line = new ShellLine("sleep 600 & echo ready; wait", WHERE);
    expect(await line.printed("ready")).toBe(true);
    line.signal("SIGKILL");
    // The pipe is closed only when the last of them is gone.
    expect(await line.ended).toBe("SIGKILL");
  });

  it("that ends without what was waited for says so, and how it ended", async () => {
    const line = new ShellLine("echo out; echo err >&2; exit 3", WHERE);
    expect(await line.printed("never")).toBe(false);
    expect(await line.ended).toBe("3");
    expect(line.output).toContain("out\n");
    expect(line.output).toContain("err\n");
    line.signal("SIGINT");
  });
});
