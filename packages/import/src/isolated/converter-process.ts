import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import type { Conversion } from "../convert/conversion.ts";
import type { FileToConvert, FromProgram, ToProgram } from "./messages.ts";
import type { Program } from "./program.ts";
import { LAST_WORD } from "./serve-conversions.ts";

/** Limits of converting one file. */
export interface ConversionLimits {
  /** Memory of the whole process. */
  readonly memoryBytesMax: number;
  /** CPU time of the process. */
  readonly secondsMax: number;
  /** Time by the clock. It also passes while a busy machine delays the process, or its disk does not answer. */
  readonly waitSecondsMax: number;
}

export type Outcome =
  | { readonly kind: "converted"; readonly conversion: Conversion }
  | { readonly kind: "refused"; readonly message: string; readonly line?: number }
  | { readonly kind: "ended"; readonly why: Ending };

/** `start`: before it could be given a file. `wait`: the clock limit, although the CPU limit was not reached. */
export type Ending = "memory" | "time" | "wait" | "start" | "closed" | "unknown";

/** A process that takes more than this share of its memory after a file is not used for another. */
const LEFT_OVER_MAX = 1 / 2;

/** A start takes a fraction of a second. */
const START_SECONDS_MAX = 60;

/** A process that converts one file at a time. While it is idle it does not keep the host program running. */
export class ConverterProcess {
  readonly #process: ChildProcess;
  readonly #limits: ConversionLimits;
  readonly #ended: Promise<void>;
  #isReady = false;
  #ending: Ending | undefined;
  #lastWord = "";
  #lastId = 0;
  #memoryBytes = 0;
  #stopWatching = (): void => undefined;
  #settle: ((outcome: Outcome) => void) | undefined;

  constructor(limits: ConversionLimits, program: Program) {
    this.#limits = limits;
    this.#process = fork(program.path, [String(limits.memoryBytesMax), String(limits.secondsMax)], {
      execArgv: [...program.execArgv, `--max-old-space-size=${Math.ceil(limits.memoryBytesMax / 1_048_576)}`],
      env: environment(),
      serialization: "advanced",
      // The lifeline, which closes when this program ends, and the process's last word on its own end.
      stdio: ["pipe", "ignore", "ignore", "ipc", "pipe"],
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once("error", () => {
        // It was never started, and so does not end.
        if (this.#process.pid === undefined) resolve();
      });
      this.#process.once("close", () => resolve());
    });
    this.#process.on("message", (message: FromProgram) => this.#hear(message));
    const word = this.#process.stdio[LAST_WORD] as Readable | null | undefined;
    word?.on("data", (piece) => {
      this.#lastWord += String(piece);
    });
    for (const pipe of [this.#process.stdin, word]) pipe?.on("error", () => undefined);
    this.#keepsProgramRunning(false);
    void this.#ended.then(() => this.#end());
  }

  /** True if it has ended, or takes so much memory that the next file would have too little. */
  get isSpent(): boolean {
    return this.#ending !== undefined || this.#memoryBytes > this.#limits.memoryBytesMax * LEFT_OVER_MAX;
  }

  /** True if it was given a file before. */
  get isUsed(): boolean {
    return this.#lastId > 0;
  }

  /** Converts a file. Never rejects. Call it only after the file before has been answered. */
  convert(file: FileToConvert): Promise<Outcome> {
    if (this.#ending !== undefined) return Promise.resolve({ kind: "ended", why: this.#ending });
    this.#lastId += 1;
    const message: ToProgram = { id: this.#lastId, file };
    return new Promise((resolve) => {
      this.#settle = (outcome) => {
        this.#stopWatching();
        this.#settle = undefined;
        resolve(outcome);
      };
      this.#watch();
      // The end of the process tells the caller that there is no answer.
      this.#process.send(message, () => undefined);
    });
  }

  /** Resolves when the process has ended. Its file is answered. */
  async close(): Promise<void> {
    this.#kill("closed");
    await this.#ended;
  }

  /** Starts the time limit. A file's time begins when the process could read it. */
  #watch(): void {
    const [seconds, why] = this.#isReady
      ? [this.#limits.waitSecondsMax, "wait" as const]
      : [START_SECONDS_MAX, "start" as const];
    this.#stopWatching();
    this.#stopWatching = afterRunning(seconds * 1_000, () => this.#kill(why));
  }

  #kill(why: Ending): void {
    this.#ending ??= why;
    // The caller waits for the end, which comes when the pipes are closed as well. Without this, a program that does nothing else would end before.
    this.#keepsProgramRunning(true);
    this.#process.kill("SIGKILL");
  }

  #hear(message: FromProgram): void {
    if (message.kind === "ready") {
      this.#isReady = true;
      if (this.#settle !== undefined) this.#watch();
    } else if (message.id === this.#lastId) {
      this.#memoryBytes = message.memoryBytes;
      const { message: words, line } = message.kind === "refused" ? message : { message: "", line: undefined };
      this.#settle?.(
        message.kind === "converted"
          ? { kind: "converted", conversion: message.conversion }
          : { kind: "refused", message: words, ...(line === undefined ? {} : { line }) },
      );
    }
  }

  #end(): void {
    // V8 ends the process in this way when its own memory is full.
    const isFull = this.#lastWord !== "" || this.#process.signalCode === "SIGABRT" || this.#process.exitCode === 134;
    this.#ending ??= this.#lastWord === "time" ? "time" : isFull ? "memory" : this.#isReady ? "unknown" : "start";
    this.#settle?.({ kind: "ended", why: this.#ending });
  }

  /** Of a process that lives, only the timer of a file being converted keeps the host program running. */
  #keepsProgramRunning(is: boolean): void {
    const { channel, stdin, stdio } = this.#process;
    const pipes = [stdin, stdio[LAST_WORD]].filter((pipe) => pipe instanceof Socket);
    for (const handle of [this.#process, channel, ...pipes]) {
      if (is) handle?.ref();
      else handle?.unref();
    }
  }
}

/** Variables that a process needs to start. Keys and locale of the host program are not for a process that reads untrusted files. */
const KEPT = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"];

function environment(): Record<string, string> {
  const kept = KEPT.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // With one time zone, a file gives the same document everywhere. Within Electron, this starts a Node.js and not a window.
  return { ...Object.fromEntries(kept), TZ: "UTC", ELECTRON_RUN_AS_NODE: "1" };
}

/** Number of parts in which a limit is counted. */
const PARTS = 6;

/**
 * Calls `end` after `ms` milliseconds, and returns a function that cancels it. Time in which this program was stopped (from the keyboard, or asleep with the
 * machine) counts as at most a sixth of the limit: the awaited process stood still as well.
 */
function afterRunning(ms: number, end: () => void): () => void {
  let left = PARTS;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return;
    clearInterval(timer);
    end();
  }, ms / PARTS);
  return () => clearInterval(timer);
}
