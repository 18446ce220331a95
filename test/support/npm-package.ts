import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const INSTALL_MS_MAX = 300_000;

/** Where a package of npm is kept between runs that is none of ours, below the folder of the test that needs it. */
export function folderOf(pinned: string, folder: string): string {
  return join(folder, ".cache", pinned.replace(/\W+/g, "-"));
}

/** Installs the package there where that has not been done, without its install scripts; why it can't be had here, if so. */
export function whyNotInstalled(pinned: string, folder: string): string | undefined {
  if (process.platform === "win32") return "it is installed on Linux and macOS only";
  if (existsSync(folder)) return undefined;
  mkdirSync(dirname(folder), { recursive: true });
  const making = `${folder}-${process.pid}`;
  try {
    mkdirSync(making);
    writeFileSync(join(making, "package.json"), '{ "private": true }');
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", pinned];
    const options = { cwd: making, encoding: "utf8", timeout: INSTALL_MS_MAX } as const;
    const { status, error, stderr } = spawnSync("npm", args, options);
    if (status !== 0) return `"npm install" failed: ${(error?.message ?? stderr).trim().split("\n")[0] ?? ""}`;
    // Whole or not at all: what is cut off is made again.
    renameSync(making, folder);
    return undefined;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
