import { runCommandLine } from "../../src/command-line.ts";
import { CapturedTerminal } from "./captured-terminal.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function run(...argv: readonly string[]): Promise<Outcome> {
  const terminal = new CapturedTerminal();
  const code = await runCommandLine(argv, terminal);
  return { code, out: terminal.output, err: terminal.errors };
}
