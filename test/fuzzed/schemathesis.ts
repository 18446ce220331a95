import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { environmentOf, whyNotInstalled } from "../support/python-package.ts";

/** Schemathesis, a PyPI package that makes requests of every kind from an OpenAPI document and holds the answers against it. */

const PACKAGE = "schemathesis==4.32.5";
const HERE = fileURLToPath(new URL(".", import.meta.url));
const VENV = environmentOf(PACKAGE, HERE);

/** Why it can't be had here; undefined once it is installed. */
export function whyNoSchemathesis(): string | undefined {
  return whyNotInstalled(PACKAGE, VENV);
}

export interface Fuzzing {
  /** File of the document. */
  readonly document: string;
  readonly url: string;
  readonly key: string;
  readonly seed: number;
  /** Its own options, such as the phases to run. */
  readonly options: readonly string[];
  /** Ends it when the test has ended. */
  readonly signal: AbortSignal;
}

/** Runs it to its end; what it reports, unless it found nothing. */
export function findingsOf({ document, url, key, seed, options, signal }: Fuzzing): Promise<string | undefined> {
  const given = ["--url", url, "--header", `x-api-key: ${key}`, "--seed", String(seed), ...options];
  const always = ["--checks", "all", "--continue-on-failure", "--no-color"];
  const args = ["-m", "schemathesis.cli", "--config-file", join(HERE, "schemathesis.toml"), "run", document];
  const child = spawn(join(VENV, "bin", "python"), [...args, ...given, ...always], {
    env: { ...process.env, PYTHONPATH: HERE, PYTHONDONTWRITEBYTECODE: "1", SCHEMATHESIS_HOOKS: "schemathesis_hooks" },
    // It keeps what it found beside itself.
    cwd: dirname(document),
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (status) => resolve(status === 0 ? undefined : said));
  });
}
