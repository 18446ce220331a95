import { type Ended, run, usersEnvironment } from "./users-machine.ts";

export interface NpmEnded extends Ended {
  /** What it said beside what it was asked for, line by line; without what it says of this machine's own settings. */
  readonly said: readonly string[];
}

const OF_THIS_MACHINE = /^npm (warn|WARN) (Unknown (user|global|env|builtin) config|config )/;
const OF_ITS_WORK = /^(added \d+ packages?|up to date|changed \d+ packages?|found 0 vulnerabilities|npm notice.*)/;

/** Runs npm as a user does, who has set nothing. */
export async function npm(
  args: readonly string[],
  cwd: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<NpmEnded> {
  const env = usersEnvironment({
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    ...settings,
  });
  const ended = await run("npm", args, { cwd, env });
  const lines = `${ended.out}\n${ended.err}`.split("\n").map((line) => line.trimEnd());
  return {
    ...ended,
    said: lines.filter((line) => line !== "" && !OF_THIS_MACHINE.test(line) && !OF_ITS_WORK.test(line)),
  };
}

/** The registry that this machine's npm asks. */
export async function registryUrl(cwd: string): Promise<string> {
  return (await npm(["config", "get", "registry"], cwd)).out.trim();
}

/** What does not come within this does not come. */
const ANSWER_MS_MAX = 20_000;
/** What a page's reader has. */
const READERS_PROGRAMS = ["bash", "curl", "jq"];

/**
 * Why nothing can be tried as installed here, or undefined if it can: no registry, or a program is missing that a page's reader has. Where
 * TESTS_REGISTRY=needed says that it must be tried, as in CI, it throws.
 */
export async function whyNotInstalled(): Promise<string | undefined> {
  const why = (await whyNoRegistry()) ?? (await whyNoPrograms());
  if (why !== undefined && process.env.TESTS_REGISTRY === "needed") throw new Error(why);
  return why;
}

async function whyNoRegistry(): Promise<string | undefined> {
  const { code, said } = await npm(["view", "yaml", "version", "--fetch-retries=0"], process.cwd(), {
    npm_config_fetch_timeout: String(ANSWER_MS_MAX),
  });
  return code === 0 ? undefined : `the registry of packages cannot be reached: ${said[0] ?? "npm said nothing"}`;
}

async function whyNoPrograms(): Promise<string | undefined> {
  for (const program of READERS_PROGRAMS) {
    const ended = await run(program, ["--version"], { cwd: process.cwd() }).catch(() => undefined);
    if (ended?.code !== 0) return `${program} is not installed`;
  }
  return undefined;
}
