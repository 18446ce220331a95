import { readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { whyNotInstalled } from "./npm.ts";
import { environmentOf, installedProject, type Project } from "./project.ts";
import { type Ended, removeDirectoriesAfterwards, run } from "./users-machine.ts";

/** What a user is told of an encoder that is not whole is the same everywhere, and does mend it. */

const { platform, arch } = process;
const LIBRARIES: Readonly<Record<string, string>> = {
  linux: "libonnxruntime.so.1.17.0",
  darwin: "libonnxruntime.1.17.0.dylib",
  win32: "onnxruntime.dll",
};
const LIBRARY = join("onnxruntime-node", "bin", "napi-v3", platform, arch, LIBRARIES[platform] ?? "");
const MODEL = join("@loredex", "minilm", "model");

const zero = async (path: string): Promise<void> => writeFile(path, Buffer.alloc((await readFile(path)).length));
const STATES: readonly (readonly [what: string, path: string, spoil: (path: string) => Promise<void>])[] = [
  ["a library that is gone", LIBRARY, rm],
  ["a library filled with zeros", LIBRARY, zero],
  ["a library cut off", LIBRARY, (path) => truncate(path, 5_000_000)],
  ["a model cut off", join(MODEL, "encoder.int8.onnx"), (path) => truncate(path, 1_000)],
  ["a tokenizer that is gone", join(MODEL, "tokenizer.json"), rm],
  ["a manifest that is none", join(MODEL, "manifest.json"), (path) => writeFile(path, "{")],
];

const why = await whyNotInstalled();
removeDirectoriesAfterwards();

describe.skipIf(why !== undefined)(`an installed encoder${why === undefined ? "" : ` (did not run: ${why})`}`, () => {
  let project: Project;
  beforeAll(async () => {
    project = await installedProject({ scripts: false });
  });

  const loredex = (...args: string[]): Promise<Ended> =>
    run("loredex", args, { cwd: project.directory, env: environmentOf(project) });
  /** The state that `doctor` finds the encoder in. */
  const found = async (): Promise<{ state: string; message: string; mend?: string }> => {
    const { checks } = JSON.parse((await loredex("doctor", "--json")).out);
    return checks.find(({ name }: { name: string }) => name === "embedder minilm");
  };

  it.each(STATES)("with %s is told in one story, whose command mends it", async (what, path, spoil) => {
    const bot = what.replaceAll(" ", "-");
    await spoil(join(project.directory, "node_modules", path));
    const created = await loredex("bot", "create", bot);
    const { state, message, mend = "" } = await found();
    expect(state).toBe("wrong");
    expect(created.code).toBe(0);
    expect(created.err.split("\n").slice(1)).toEqual([message, ""]);
    expect((await loredex("bot", "show", bot)).out).toContain(`  missing      ${message}\n`);
    expect(message.endsWith(`To mend it: ${mend}`)).toBe(true);
    expect(mend).toMatch(/^rm -r ".*" && npm install$/);
    const mended = await run("bash", ["-c", mend], { cwd: project.directory });
    expect(mended.code).toBe(0);
    expect(await found()).toMatchObject({ state: "ok" });
    expect((await loredex("bot", "show", bot)).out).not.toContain("missing");
  });
});
