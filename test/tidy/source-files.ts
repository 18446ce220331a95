import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The project's root. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

const SKIPPED = new Set(["node_modules", "dist", "data", ".git", "coverage", ".cache", ".tmp"]);

/** Every file below a folder of the project, as paths from the root with `/`, sorted. */
export function filesBelow(folder: string, extension: RegExp): string[] {
  const files: string[] = [];
  const walk = (directory: string): void => {
    for (const name of readdirSync(directory)) {
      if (SKIPPED.has(name)) continue;
      const path = join(directory, name);
      if (statSync(path).isDirectory()) walk(path);
      else if (extension.test(name)) files.push(relative(ROOT, path).replaceAll("\\", "/"));
    }
  };
  walk(join(ROOT, folder));
  return files.sort();
}

/** Whether a file becomes part of a published package: what programs use, or what core offers their tests. */
export function isPublished(file: string): boolean {
  return /^packages\/[^/]+\/(src|testing)\//.test(file);
}

export function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

const IMPORT = /^\s*(?:import|export)\s[^;]*?from\s+"([^"]+)"|^\s*import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** What a source text imports, types included. */
export function importsOf(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}
