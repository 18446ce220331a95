import { runCommandLine } from "../../src/command-line.ts";
import type { Environment } from "../../src/configuration/environment.ts";
import { CapturedTerminal } from "./captured-terminal.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with nothing set. */
export function run(...argv: readonly string[]): Promise<Outcome> {
  return runIn({}, ...argv);
}

/** The same in an environment. */
export async function runIn(environment: Environment, ...argv: readonly string[]): Promise<Outcome> {
  const terminal = new CapturedTerminal();
  const code = await runCommandLine(argv, terminal, environment);
  return { code, out: terminal.output, err: terminal.errors };
}
