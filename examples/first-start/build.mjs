/** Builds the packages if one of them is not built, or older than its sources. */

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Everything in a package that its build depends on. Only core has `testing`, and only the console a page to build. */
const SOURCES = ["src", "testing", "package.json", "tsup.config.ts", "build-page.ts"];

/** What builds write. */
const DIST = "./dist/";

/**
 * @param {string} root the project's directory
 * @returns {boolean} whether it has built something
 * @throws if the build fails, with what it printed
 */
export function buildIfNeeded(root) {
  const packages = workspaces(root);
  if (packages.every(isBuilt)) return false;
  console.log("Building the packages: once, and whenever their sources have changed ...");
  // Started by npm, its own program is known; the name alone would need a shell on Windows.
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm?.endsWith("js") ? [process.execPath, npm, "run", "build"] : ["npm", "run", "build"];
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`The build failed.\n${error?.message ?? ""}${stdout}${stderr}`);
  return true;
}

/** @param {string} root */
function workspaces(root) {
  /** @type {{ workspaces: string[] }} */
  const { workspaces: names } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return names.map((name) => join(root, name));
}

/**
 * A build that was interrupted has not written everything that package.json promises.
 * @param {string} directory of a package
 */
export function isBuilt(directory) {
  /** @type {{ exports: Record<string, string | Record<string, string>> }} */
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  // Its bin is none of it: that is a source, which a build leaves as old as it is.
  const promised = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [entry] : Object.values(entry),
  );
  if (!promised.every((path) => existsSync(join(directory, path)))) return false;
  // What else it exports stands in the package as it is: no build makes that newer.
  const built = promised.filter((path) => path.startsWith(DIST)).map((path) => join(directory, path));
  const oldestBuiltMs = Math.min(...built.map((path) => statSync(path).mtimeMs));
  const sources = SOURCES.map((name) => join(directory, name)).filter((path) => existsSync(path));
  return sources.every((path) => newestMs(path) <= oldestBuiltMs);
}

/** @param {string} path of a file or a directory @returns {number} */
function newestMs(path) {
  const { mtimeMs } = statSync(path);
  if (!statSync(path).isDirectory()) return mtimeMs;
  // A file that was removed shows in the time of its directory.
  return Math.max(mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}
