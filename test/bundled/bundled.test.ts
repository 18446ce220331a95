import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const source = (name: string): string => join(ROOT, "packages", name, "src", "index.ts");

/** What the program does with a directory, said on stdout; what goes wrong, as one line on stderr. */
const APP = `
import { Engine, openEnglishStatic } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
const [what, directory] = process.argv.slice(2);
const work = {
  directory: async () => {
    const engine = await Engine.open({ directory });
    await engine.createBot({ name: "b" });
    console.log(engine.listBots().map(({ name }) => name).join());
    await engine.close();
  },
  static: async () => console.log((await openEnglishStatic()).embed("x").length > 0 ? "opened" : ""),
  encoder: async () => {
    await (await openMiniLm({ workers: 1 })).close();
    console.log("opened");
  },
};
await work[what]().catch(({ message, mend = "" }) => console.error(message, mend));
`;

let folder: string;

beforeAll(async () => {
  // Beside the packages as they are built, so that what stays outside of a bundle is found as in the project of a user.
  folder = await mkdtemp(join(inject("built"), "bundled-"));
  await writeFile(join(folder, "app.mjs"), APP);
  const entryPoints = [join(folder, "app.mjs")];
  // A user's project has no paths that lead into the sources.
  const common = { entryPoints, bundle: true, platform: "node", format: "esm", tsconfigRaw: {} } as const;
  const outside = await build({ ...common, packages: "external", outfile: join(folder, "outside.mjs") });
  const banner =
    'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);';
  const inside = await build({
    ...common,
    outfile: join(folder, "inside.mjs"),
    alias: {
      "@loredex/core": source("core"),
      "@loredex/encoder": source("encoder"),
      "@loredex/minilm": source("minilm"),
    },
    // Packages of CommonJS ask for it.
    banner: { js: banner },
    logLevel: "silent",
  });
  expect([...outside.errors, ...inside.errors]).toEqual([]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function run(bundle: "inside" | "outside", what: "directory" | "static" | "encoder") {
  const args = [join(folder, `${bundle}.mjs`), what, join(folder, `${bundle}-data`)];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  return { stdout, stderr };
}

describe("a program that was bundled", () => {
  it("works with the packages outside of its bundle", () => {
    expect(run("outside", "directory")).toEqual({ stdout: "b\n", stderr: "" });
    expect(run("outside", "static")).toEqual({ stdout: "opened\n", stderr: "" });
  });

  it.each(["directory", "static", "encoder"] as const)("is told what to do when they are in it: %s", (what) => {
    const { stdout, stderr } = run("inside", what);
    expect(stdout).toBe("");
    expect(stderr).toContain("If this program was bundled, leave the packages of Loredex out of the bundle");
    expect(stderr).not.toContain("Check the disk");
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
