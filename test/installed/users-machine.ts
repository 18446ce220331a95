import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join, sep } from "node:path";
import { afterAll } from "vitest";

/** What a program has said when it is over. */
export interface Ended {
  /** The exit code; -1 after a signal. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Where this machine gets packages from. Whatever else npm hands to what it runs is this checkout's own. */
const KEPT_OF_NPM =
  /^npm_config_(registry|cache|cafile|proxy|https_proxy|noproxy|strict_ssl|userconfig|globalconfig|nodedir)$/i;
const OUR_OWN =
  /^(npm_|LOREDEX_|TESTS_|VITEST|TEST$|NODE_ENV$|NODE_OPTIONS$|INIT_CWD$|PORT$|FORCE_COLOR$|DEV$|PROD$|MODE$|SSR$)/i;

/** The environment of somebody who knows nothing of this checkout: none of its settings, none of its programs. */
export function usersEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => KEPT_OF_NPM.test(name) || !OUR_OWN.test(name));
  const path = (process.env.PATH ?? "").split(delimiter).filter((place) => !place.split(sep).includes("node_modules"));
  return { ...Object.fromEntries(kept), PATH: path.join(delimiter), NO_COLOR: "1", ...more };
}

/** Runs a program to its end. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = usersEnvironment(), input = "" }: { cwd: string; env?: NodeJS.ProcessEnv; input?: string },
): Promise<Ended> {
  const child = spawn(command, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    out += piece;
  });
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    err += piece;
  });
  child.stdin.on("error", () => {}).end(input);
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, out, err }));
  });
}

/** A directory outside of this checkout, which is gone when the tests of the file that asks for it are over. */
export async function directoryElsewhere(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "loredex-user-"));
  elsewhere.push(directory);
  return directory;
}

const elsewhere: string[] = [];

/** To be called once in a test file that asks for directories. */
export function removeDirectoriesAfterwards(): void {
  afterAll(async () => {
    for (const directory of elsewhere.splice(0)) await rm(directory, { recursive: true, force: true });
  });
}
