import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const TOOLS = fileURLToPath(new URL("../../tools/", import.meta.url));

/** The programs that make models run for hours on another machine, so no test runs them. That their modules are there is seen without. */
it.each(["encoder", "static-embedder"])("the python modules of tools/%s import modules that are there", (tool) => {
  const files = readdirSync(join(TOOLS, tool), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".py"),
  );
  expect(files.length).toBeGreaterThan(10);
  const missing = files.flatMap((file) => {
    const source = readFileSync(join(TOOLS, tool, file), "utf8");
    return [...source.matchAll(/^from (\.?)([\w.]*) import/gm)].flatMap(([line, dot, module = ""]) => {
      const [room = ""] = module.split(".");
      const base = dot === "." ? join(TOOLS, tool, dirname(file)) : join(TOOLS, tool);
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
