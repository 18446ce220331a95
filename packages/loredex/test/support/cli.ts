import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inject, onTestFinished } from "vitest";
import { withoutSettings } from "../../../../test/support/no-settings.ts";
import type { Outcome } from "./run.ts";

/** The command line as it is installed; see `test/built`. */
export const CLI = join(inject("built"), "node_modules", "loredex", "bin", "loredex.js");
const TSCONFIG = fileURLToPath(new URL("../../../../tsconfig.json", import.meta.url));
const LOADER = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href;

type Process = ChildProcessByStdio<null, Readable, Readable>;

/** Where and as whom a program is run; by default where and as whom the tests are. */
export interface ProcessSurroundings {
  readonly cwd?: string;
  /** Number of a user; needs root. */
  readonly user?: number;
  /** A program that runs ours in its own place, with its arguments: `strace -D`, for example. */
  readonly behind?: readonly string[];
  /** In place of the tests' own environment; what the loader needs is added. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** What a program needs to run from its sources, and no setting of whoever runs the tests. */
export function commandEnvironment(): Record<string, string | undefined> {
  return { ...withoutSettings(process.env), TSX_TSCONFIG_PATH: TSCONFIG };
}

/** A program, by default the command line, for whoever starts it in another way. */
export function commandOf(args: readonly string[], program: string = CLI): [program: string, ...args: string[]] {
  const loader = program.endsWith(".ts") ? ["--import", LOADER] : [];
  return [process.execPath, ...loader, program, ...args];
}

function startProgram(
  program: string,
  args: readonly string[],
  { cwd, user, behind = [], environment: given = commandEnvironment() }: ProcessSurroundings,
): Process {
  const command = commandOf(args, program);
  const [first = command[0], ...rest] = [...behind, ...command];
  const child = spawn(first, rest, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...given, TSX_TSCONFIG_PATH: TSCONFIG },
    ...(cwd === undefined ? {} : { cwd }),
    ...(user === undefined ? {} : { uid: user, gid: user }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** Runs the program as an operator does, and waits for its end. */
export function loredex(args: readonly string[], surroundings: ProcessSurroundings = {}): Promise<Ended> {
  return runProgram(CLI, args, surroundings);
}

/** What a process said, how it ended, and which it was. */
export interface Ended extends Outcome {
  readonly pid: number;
}

/** Runs a program and waits for its end. */
export async function runProgram(
  program: string,
  args: readonly string[],
  surroundings: ProcessSurroundings = {},
): Promise<Ended> {
  const child = startProgram(program, args, surroundings);
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { code: Number(code), out, err, pid: child.pid ?? 0 };
}

/** The program, to be stopped on its way. */
export function startLoredex(args: readonly string[]): StartedProcess {
  const child = startProgram(CLI, args, {});
  const said = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    err += piece;
  });
  return {
    err: () => err,
    told: async (signal) => {
      const answered = once(child.stderr, "data");
      child.kill(signal);
      await answered;
    },
    stop: async (signal) => {
      child.kill(signal);
      const [out, err, [code, by]] = await said;
      return { out, err, ended: code === null ? String(by) : Number(code) };
    },
  };
}

interface StartedProcess {
  /** Everything on stderr so far. */
  readonly err: () => string;
  /** Sends a signal and waits until the program says something. */
  readonly told: (signal: NodeJS.Signals) => Promise<void>;
  /** Sends a signal and waits for the end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<Stopped>;
}

interface Stopped {
  readonly out: string;
  readonly err: string;
  /** The exit code, or the name of the signal. */
  readonly ended: number | string;
}

/** `loredex serve`, ready. */
export interface ServeProcess {
  readonly pid: number;
  readonly url: string;
  /** Everything on stdout so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Sends a signal and waits for the end. Resolves with the exit code, or the signal's name. */
  readonly stop: (signal: "SIGTERM" | "SIGINT" | "SIGKILL") => Promise<number | string>;
}

/** Starts `loredex serve` on a free port and waits until it is ready. @param place a data directory, or the address of a database */
export async function startServer(
  place: string,
  surroundings: ProcessSurroundings = {},
  options: readonly string[] = ["--drain", "0s"],
): Promise<ServeProcess> {
  const child = startProgram(
    CLI,
    ["serve", place.includes("://") ? "--store" : "--data", place, "--port", "0", ...options],
    surroundings,
  );
  let [out, err] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (piece: string) => {
    err += piece;
  });
  const exited = once(child, "exit");
  const ready = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (piece: string) => {
      out += piece;
      if (out.includes("\n")) resolve();
    });
  });
  await Promise.race([
    ready,
    exited.then(() => {
      throw new Error(`the server ended: ${err}`);
    }),
  ]);
  const stop = async (signal: NodeJS.Signals): Promise<number | string> => {
    child.kill(signal);
    const [code, by] = await exited;
    return code === null ? String(by) : Number(code);
  };
  return { pid: child.pid ?? 0, url: /http:\S+/.exec(out)?.[0] ?? "", out: () => out, err: () => err, stop };
}
