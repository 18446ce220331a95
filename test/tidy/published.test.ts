import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { strayReferences } from "./published-references.ts";

/** Every package as it is published, but without its types. */
function publishedPackages(): string[] {
  const modules = join(inject("built"), "node_modules");
  const names = readdirSync(modules).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(modules, name)).map((inner) => join(name, inner)) : [name],
  );
  return names.map((name) => join(modules, name)).filter((directory) => existsSync(join(directory, "package.json")));
}

it("published code refers to nothing outside of its package, and to no package that a user may lack", () => {
  const packages = publishedPackages();
  expect(packages.length).toBeGreaterThanOrEqual(10);
  expect(packages.flatMap(strayReferences)).toEqual([]);
});

it("would be caught if it did", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-published-"));
  try {
    const manifest = { name: "pack", dependencies: { there: "1" }, optionalDependencies: { maybe: "1" } };
    await writeFile(join(directory, "package.json"), JSON.stringify(manifest));
    await mkdir(join(directory, "dist"));
    const code = [
      'import "./index.js"; import { readFile } from "node:fs/promises"; import "there/part"; import "pack"; import "#own";',
      "const name = 'maybe'; await import(name); new URL('../package.json', where);",
      'export * from "maybe";',
      "const load = () => import('maybe/part');",
      'createRequire(import.meta.url).resolve("tsx");',
      'const file = new URL("../package.json", import.meta.url);',
      'const checkout = "../../tsconfig.json";',
      'import "./missing.js";',
    ];
    await writeFile(join(directory, "dist", "index.js"), code.join("\n"));
    expect(strayReferences(directory)).toEqual([
      "pack dist/index.js:3: maybe is not among the dependencies that every user has",
      "pack dist/index.js:4: maybe/part is not among the dependencies that every user has",
      "pack dist/index.js:5: tsx is not among the dependencies that every user has",
      "pack dist/index.js:6: ../package.json is an address that bundlers resolve",
      "pack dist/index.js:7: ../../tsconfig.json is outside of the package",
      "pack dist/index.js:8: ./missing.js is not there",
    ]);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
