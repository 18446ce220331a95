import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { build } from "esbuild";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { ROOT } from "../tidy/source-files.ts";
import { npm } from "./npm.ts";
import { directoryElsewhere, removeDirectoriesAfterwards, run } from "./users-machine.ts";

/** Ours, by folder of the packed files: what `npm install loredex` brings, and no package that is optional. */
const OURS = ["loredex", "@loredex/console", "@loredex/core", "@loredex/encoder", "@loredex/http"].concat([
  "@loredex/import",
  "@loredex/minilm",
  "@loredex/openai",
]);
const OPTIONAL = ["@loredex/hnswlib", "@loredex/mcp", "@loredex/multilingual", "hnswlib-node", "onnxruntime-node"];

const APP = `import { Engine, serve } from "loredex";
const engine = await Engine.open();
await engine.createBot({ name: "acme", embedder: "none" });
console.log(engine.listBots().map(({ name }) => name).join(), typeof serve);
await engine.close();
`;

removeDirectoriesAfterwards();

describe("a program that esbuild bundles, where only loredex is installed", () => {
  let project: string;

  beforeAll(async () => {
    project = await directoryElsewhere();
    await writeFile(join(project, "app.mjs"), APP);
    await unpackOurs(join(project, "node_modules"));
    await linkOthers(join(project, "node_modules"));
  });

  it("lacks every optional package, and what it lacks would be missed", async () => {
    for (const name of OPTIONAL) expect(existsSync(join(project, "node_modules", name))).toBe(false);
    const stdin = { contents: 'await import("@loredex/multilingual")', resolveDir: project };
    const common = { bundle: true, platform: "node", format: "esm", write: false, logLevel: "silent" } as const;
    await expect(build({ ...common, stdin })).rejects.toThrow('Could not resolve "@loredex/multilingual"');
  });

  it.each([
    { format: "esm", minify: false },
    { format: "esm", minify: true },
  ] as const)("is built with all code inside: %o", async (options) => {
    const { errors, warnings } = await build({ ...bundled("app.mjs"), ...options, write: false });
    expect([...errors, ...warnings].map(({ text }) => text)).toEqual([]);
  });

  it("is built with the packages outside, and runs", async () => {
    await build({ ...bundled("app.mjs"), format: "esm", packages: "external", outfile: join(project, "out.mjs") });
    const ended = await run(process.execPath, ["out.mjs"], { cwd: project });
    expect(ended).toEqual({ code: 0, out: "acme function\n", err: "" });
  });

  function bundled(file: string) {
    // Of the program: the project of the tests has paths that lead into the sources.
    const common = {
      absWorkingDir: project,
      bundle: true,
      platform: "node",
      tsconfigRaw: {},
      logLevel: "silent",
    } as const;
    return { ...common, entryPoints: [file] };
  }
});

/** Packs our packages as they are built for the tests, and unpacks them as npm does. */
async function unpackOurs(modules: string): Promise<void> {
  const built = OURS.map((name) => join(inject("built"), "node_modules", name));
  await mkdir(join(modules, "packed"), { recursive: true });
  const { code, out, err } = await npm(
    ["pack", "--json", "--pack-destination", join(modules, "packed"), ...built],
    ROOT,
  );
  if (code !== 0) throw new Error(`npm pack failed: ${err}`);
  for (const { name, filename } of JSON.parse(out) as { name: string; filename: string }[]) {
    const target = join(modules, name);
    await mkdir(target, { recursive: true });
    const unpacked = await run(
      "tar",
      ["-xzf", join(modules, "packed", filename), "-C", target, "--strip-components=1"],
      {
        cwd: modules,
      },
    );
    if (unpacked.code !== 0) throw new Error(`tar failed: ${unpacked.err}`);
  }
}

/** Links what others have made, without a registry: as it is installed for this project. */
async function linkOthers(modules: string): Promise<void> {
  const from = join(ROOT, "node_modules");
  for (const name of await othersIn(from)) {
    await mkdir(join(modules, name, ".."), { recursive: true });
    await symlink(join(from, name), join(modules, name));
  }
}

async function othersIn(modules: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(ROOT, "package-lock.json"), "utf8")) as {
    packages: Record<string, unknown>;
  };
  const names = Object.keys(packages).flatMap((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []);
  const isOurs = (name: string): boolean => name === "loredex" || name.startsWith("@loredex/");
  return names.filter(
    (name) => !isOurs(name) && !OPTIONAL.includes(name) && existsSync(join(modules, name, "package.json")),
  );
}
