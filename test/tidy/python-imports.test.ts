import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, ROOT, read } from "./source-files.ts";

/** The programs that make models run for hours on another machine, so no test runs them. That their modules are there is seen without. */
it.each(["encoder", "static-embedder"])("the python modules of tools/%s import modules that are there", (tool) => {
  const files = filesBelow(`tools/${tool}`, /\.py$/);
  expect(files.length).toBeGreaterThan(10);
  const missing = files.flatMap((file) => {
    return [...read(file).matchAll(/^from (\.?)([\w.]*) import/gm)].flatMap(([line, dot, module = ""]) => {
      const [room = ""] = module.split(".");
      const base = join(ROOT, dot === "." ? dirname(file) : `tools/${tool}`);
      const isOurs = dot === "." ? module !== "" : module.includes(".") && !PACKAGES.has(room);
      return isOurs && !existsSync(`${join(base, ...module.split("."))}.py`) ? [`${file}: ${line}`] : [];
    });
  });
  expect(missing).toEqual([]);
});

/** Packages of others whose modules have dots in their names. */
const PACKAGES: ReadonlySet<string> = new Set([
  "collections",
  "concurrent",
  "html",
  "onnxruntime",
  "safetensors",
  "urllib",
]);
