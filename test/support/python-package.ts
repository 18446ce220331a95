import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const INSTALL_MS_MAX = 300_000;

/** Where a PyPI package is kept between runs, below the folder of the test that needs it; a new clone installs it anew. */
export function environmentOf(pinned: string, folder: string): string {
  return join(folder, ".cache", pinned.replace(/\W+/g, "-"));
}

/** Installs the package there where that has not been done; why it can't be had here, if so. */
export function whyNotInstalled(pinned: string, environment: string): string | undefined {
  if (process.platform === "win32") return "it is installed on Linux and macOS only";
  if (existsSync(environment)) return undefined;
  mkdirSync(dirname(environment), { recursive: true });
  const making = `${environment}-${process.pid}`;
  try {
    const steps: [string, readonly string[]][] = [
      ["python3", ["-m", "venv", making]],
      [join(making, "bin", "python"), ["-m", "pip", "install", "--quiet", "--no-input", pinned]],
    ];
    for (const [program, args] of steps) {
      const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: INSTALL_MS_MAX });
      const said = (error?.message ?? stderr ?? "").trim().split("\n").at(-1) ?? "";
      if (status !== 0) return `"${program === "python3" ? "python3 -m venv" : "pip install"}" failed: ${said}`;
    }
    // Whole or not at all: what is cut off is made again. It is run as a module, so that the move does no harm.
    renameSync(making, environment);
    return undefined;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}
