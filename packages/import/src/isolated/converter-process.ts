import { type ChildProcess, fork } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Conversion } from "../convert/conversion.ts";
import { afterRunning } from "./after-running.ts";
import type { FileToConvert, FromProgram, ToProgram } from "./messages.ts";
import type { Program } from "./program.ts";
import { LAST_WORD } from "./serve-conversions.ts";

/** What one file may cost. */
export interface ConversionLimits {
  /** Memory of the whole process. */
  readonly memoryBytesMax: number;
  /** Time that the process itself computes. */
  readonly secondsMax: number;
  /** Time by the clock, in which a busy machine keeps it waiting, or its disk does not answer. */
  readonly waitSecondsMax: number;
}

export type Outcome =
  | { readonly kind: "converted"; readonly conversion: Conversion }
  | { readonly kind: "refused"; readonly message: string; readonly line?: number }
  | { readonly kind: "ended"; readonly why: Ending };

/** `start`: before it could be given anything. `wait`: the clock, though it has not computed for so long. */
export type Ending = "memory" | "time" | "wait" | "start" | "closed" | "unknown";

/** After a file a process that takes more than this part of what it may is not used for another. */
const LEFT_OVER_MAX = 1 / 2;

/** A start takes a fraction of a second. */
const START_SECONDS_MAX = 60;

/** One process that converts one file at a time. With nothing to do it does not keep the host program running. */
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
      // A lifeline, which ends when this program does, and what the process says of its end.
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
    this.#unref(word);
    void this.#ended.then(() => this.#end());
  }

  /** Whether it has ended, or takes so much memory that the next file had less than its due. */
  get isSpent(): boolean {
    return this.#ending !== undefined || this.#memoryBytes > this.#limits.memoryBytesMax * LEFT_OVER_MAX;
  }

  /** Whether it was given a file before. */
  get isUsed(): boolean {
    return this.#lastId > 0;
  }

  /** Never rejects. Only when the one before has been answered. */
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
      // Whoever waits learns from the end of the process that there is no answer.
      this.#process.send(message, () => undefined);
    });
  }

  /** Resolves when the process has ended. What it still had is answered. */
  async close(): Promise<void> {
    this.#process.ref();
    this.#kill("closed");
    await this.#ended;
  }

  /** A file's time begins when there is a process that could read it. */
  #watch(): void {
    const [seconds, why] = this.#isReady
      ? [this.#limits.waitSecondsMax, "wait" as const]
      : [START_SECONDS_MAX, "start" as const];
    this.#stopWatching();
    this.#stopWatching = afterRunning(seconds * 1_000, () => this.#kill(why));
  }

  #kill(why: Ending): void {
    this.#ending ??= why;
    // Whoever waits for the file waits for the end: without this a program that does nothing else would end before.
    this.#process.ref();
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
    // The engine of the language ends itself so where its own memory is full.
    const isFull = this.#lastWord !== "" || this.#process.signalCode === "SIGABRT" || this.#process.exitCode === 134;
    this.#ending ??= this.#lastWord === "time" ? "time" : isFull ? "memory" : this.#isReady ? "unknown" : "start";
    this.#settle?.({ kind: "ended", why: this.#ending });
  }

  /** The timer of a file that is converted keeps the host program running, and nothing else. */
  #unref(word: Readable | null | undefined): void {
    this.#process.unref();
    this.#process.channel?.unref();
    for (const pipe of [this.#process.stdin, word]) unref(pipe);
  }
}

function unref(pipe: Readable | Writable | null | undefined): void {
  if (pipe !== null && pipe !== undefined && "unref" in pipe && typeof pipe.unref === "function") pipe.unref();
}

/** What a process needs to start at all. Keys and tongues of the host program are not for one that reads strangers' files. */
const KEPT = ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"];

function environment(): Record<string, string> {
  const kept = KEPT.flatMap((name): [string, string][] => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  // A file gives the same document wherever it is read. In a program of Electron: a Node.js, not a window.
  return { ...Object.fromEntries(kept), TZ: "UTC", ELECTRON_RUN_AS_NODE: "1" };
}
