import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Schemathesis, a PyPI package that makes requests of every kind from an OpenAPI document and holds the answers against it. */

const PACKAGE = "schemathesis==4.32.5";
const HERE = fileURLToPath(new URL(".", import.meta.url));
/** Kept between runs; a new clone installs it anew. */
const VENV = join(HERE, ".cache", PACKAGE.replace(/\W+/g, "-"));
const INSTALL_MS_MAX = 300_000;

/** Installs it where that has not been done; why it can't be had here, if so. */
export function whyNoSchemathesis(): string | undefined {
  if (process.platform === "win32") return "It is installed on Linux and macOS only.";
  if (existsSync(VENV)) return undefined;
  mkdirSync(join(HERE, ".cache"), { recursive: true });
  const making = `${VENV}-${process.pid}`;
  try {
    const steps: [string, readonly string[]][] = [
      ["python3", ["-m", "venv", making]],
      [join(making, "bin", "python"), ["-m", "pip", "install", "--quiet", "--no-input", PACKAGE]],
    ];
    for (const [program, args] of steps) {
      const { status, error, stderr } = spawnSync(program, args, { encoding: "utf8", timeout: INSTALL_MS_MAX });
      const said = (error?.message ?? stderr ?? "").trim().split("\n").at(-1) ?? "";
      if (status !== 0) return `"${program === "python3" ? "python3 -m venv" : "pip install"}" failed: ${said}`;
    }
    // Whole or not at all: what is cut off is made again. It is run as a module, so that the move does no harm.
    renameSync(making, VENV);
    return undefined;
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

export interface Fuzzing {
  /** File of the document. */
  readonly document: string;
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** Its own options, such as the phases to run. */
  readonly options: readonly string[];
}

/** Runs it to its end; what it reports, unless it found nothing. */
export function findingsOf({ document, url, key, seed, options }: Fuzzing): Promise<string | undefined> {
  const given = ["--url", url, "--header", `x-api-key: ${key}`, "--seed", String(seed), ...options];
  const always = ["--checks", "all", "--continue-on-failure", "--no-color"];
  const args = ["-m", "schemathesis.cli", "--config-file", join(HERE, "schemathesis.toml"), "run", document];
  const child = spawn(join(VENV, "bin", "python"), [...args, ...given, ...always], {
    env: { ...process.env, PYTHONPATH: HERE, PYTHONDONTWRITEBYTECODE: "1", SCHEMATHESIS_HOOKS: "schemathesis_hooks" },
    // It keeps what it found beside itself.
    cwd: dirname(document),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (status) => resolve(status === 0 ? undefined : said));
  });
}
