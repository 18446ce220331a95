import { availableParallelism } from "node:os";
import { Semaphore } from "@loredex/core";
import { type Conversion, ConversionError } from "../convert/conversion.ts";
import { CONVERSION_MEMORY_BYTES_DEFAULT, CONVERSION_SECONDS_DEFAULT } from "../limits.ts";
import { type ConversionLimits, ConverterProcess, type Ending, type Outcome } from "./converter-process.ts";
import type { FileToConvert } from "./messages.ts";
import { convertProgram, type Program } from "./program.ts";

/** More processes would take the memory of more files, and the disk and the bot are no faster. */
const PROCESSES_MAX = 2;

/** Factor of waiting time: a file is still read on a machine this many times overloaded. */
const WAIT_FACTOR = 10;

export interface IsolationOptions extends Partial<ConversionLimits> {
  /** The program of its processes. Tests replace it. */
  readonly program?: Program;
}

/**
 * Converts files in separate processes, which start on demand and continue with the next file. A file that takes too much memory or time, or ends its process,
 * is refused with a message; no other file is harmed.
 */
export class IsolatedConverter {
  /** Number of files that are converted at the same time. */
  readonly parallel = Math.min(PROCESSES_MAX, availableParallelism());
  readonly #limits: ConversionLimits;
  readonly #program: Program | undefined;
  readonly #idle: ConverterProcess[] = [];
  readonly #processes = new Set<ConverterProcess>();
  readonly #places = new Semaphore(this.parallel);
  #isClosed = false;

  constructor({ memoryBytesMax, secondsMax, waitSecondsMax, program }: IsolationOptions = {}) {
    const seconds = secondsMax ?? CONVERSION_SECONDS_DEFAULT;
    this.#limits = {
      memoryBytesMax: memoryBytesMax ?? CONVERSION_MEMORY_BYTES_DEFAULT,
      secondsMax: seconds,
      waitSecondsMax: waitSecondsMax ?? seconds * WAIT_FACTOR,
    };
    this.#program = program;
  }

  /** @throws ConversionError with a message for the file's owner */
  async convert(file: FileToConvert): Promise<Conversion> {
    const outcome = await this.#places.run(() => this.#outcomeOf(file));
    if (outcome.kind === "converted") return outcome.conversion;
    if (outcome.kind === "refused") throw new ConversionError(outcome.message, outcome.line);
    throw new ConversionError(this.#words(outcome.why));
  }

  /** Ends all processes. Their files are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#processes].map((process) => process.close()));
  }

  async #outcomeOf(file: FileToConvert): Promise<Outcome> {
    if (this.#isClosed) return { kind: "ended", why: "closed" };
    const process = this.#idle.pop() ?? this.#started();
    const wasUsed = process.isUsed;
    const outcome = await process.convert(file);
    if (!process.isSpent) this.#idle.push(process);
    else {
      this.#processes.delete(process);
      await process.close();
    }
    // Memory left over from earlier files does not count against this one.
    const isSure = outcome.kind !== "ended" || outcome.why === "time" || outcome.why === "wait" || !wasUsed;
    return isSure ? outcome : this.#outcomeOf(file);
  }

  #started(): ConverterProcess {
    const process = new ConverterProcess(this.#limits, this.#program ?? convertProgram());
    this.#processes.add(process);
    return process;
  }

  #words(why: Ending): string {
    const { memoryBytesMax, secondsMax, waitSecondsMax } = this.#limits;
    switch (why) {
      case "memory":
        return `it needs more memory than ${Math.round(memoryBytesMax / 1_048_576)} MiB to be read; divide it into several, or allow more`;
      case "time":
        return `it was not read within ${inSeconds(secondsMax)} of computing; divide it into several, or allow more`;
      case "wait":
        return `it was not read within ${inSeconds(waitSecondsMax)}; read it again when the machine and its disk are less busy, or allow more`;
      case "start":
        return "the program that converts files cannot be started";
      case "closed":
        return "the import was stopped";
      case "unknown":
        return "it cannot be read: the program that converts it ended";
    }
  }
}

function inSeconds(seconds: number): string {
  return seconds === 1 ? "1 second" : `${seconds} seconds`;
}
