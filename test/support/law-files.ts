import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const TEST = /\.test\.ts$/;
const ASKS = /\blawRuns\b.*\bfrom ".*\/law-runs\.ts"/;
const PASSED_OVER = new Set(["node_modules", "dist", ".cache"]);

/**
 * The test files that ask how often their laws are tried, below the root of the project: they are in the quick suite and, in full, in the slow one.
 * By what they import, not by a list: a law that is tried fewer times here cannot be forgotten there.
 */
export function lawFiles(root: string): string[] {
  const folders = readdirSync(join(root, "packages")).map((name) => `packages/${name}/test`);
  const there = [...folders, "test"].filter((folder) => existsSync(join(root, folder)));
  return there.flatMap((folder) => testsBelow(root, folder)).sort();
}

function testsBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return PASSED_OVER.has(entry.name) ? [] : testsBelow(root, path);
    return TEST.test(path) && ASKS.test(readFileSync(join(root, path), "utf8")) ? [path] : [];
  });
}
