import { CorruptError, type ErrorCode, LoredexError } from "../domain/errors.ts";
import type { BotFault } from "../domain/faults.ts";
import { FAULT_RETRY_MS_MAX, FAULT_RETRY_MS_MIN } from "../domain/options.ts";
import type { Clock } from "../runtime/clock.ts";
import type { LogEvent, Logger } from "../runtime/log-event.ts";

/** A bot that could not be opened. */
interface FailedOpening {
  readonly fault: BotFault;
  /** Why. The words may name another file each time. */
  readonly code: ErrorCode;
  /** What to tell whoever asks for the bot. */
  readonly error: LoredexError;
  /** Until then it is refused with the same error: reading much of it again for every request helps nobody. */
  readonly retryAtMs: number;
  readonly pauseMs: number;
}

/**
 * Which bots cannot be used, or cannot be written to, and why. Each change is logged once, however many ask for the bot meanwhile.
 * What may pass by itself is tried again, after pauses that grow; a damaged store is refused until it is repaired and the engine is
 * opened again.
 */
export class BotFaults {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #openings = new Map<string, FailedOpening>();
  /** The fault of every bot. */
  #all: BotFault | undefined;
  readonly #writes = new Map<string, { readonly fault: BotFault; readonly code: ErrorCode }>();

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  /** What is wrong with a bot now. */
  of(id: string): BotFault | undefined {
    return this.#openings.get(id)?.fault ?? this.#all ?? this.#writes.get(id)?.fault;
  }

  /** No bot can be written to until a restart. */
  allReadOnly({ message }: LoredexError): void {
    this.#all = { kind: "readOnly", message };
  }

  /** All bots with a fault, by their ids. */
  all(): Map<string, BotFault> {
    return new Map([...this.#writes, ...this.#openings].map(([id, { fault }]) => [id, fault]));
  }

  /** Those whose files this process may not use: for these it can be seen from outside whether that has been mended. */
  get forbidden(): string[] {
    return [...this.#openings].filter(([, { code }]) => code === "NO_ACCESS").map(([id]) => id);
  }

  /** @throws LoredexError what a bot's last opening failed with, while it is too early to try again */
  refuseEarly(id: string): void {
    const failed = this.#openings.get(id);
    if (failed !== undefined && this.#clock.monotonicMs() < failed.retryAtMs) throw failed.error;
  }

  /** A bot could not be opened. Gives the error to tell. */
  openingFailed(id: string, error: unknown): unknown {
    if (isDamage(error)) {
      this.#openings.set(id, {
        fault: { kind: "damaged", message: error.message },
        code: error.code,
        error,
        retryAtMs: Number.POSITIVE_INFINITY,
        pauseMs: 0,
      });
      this.#logger(quarantineEvent(id, error));
      return error;
    }
    if (!isOfDisk(error) && !isShortOfMemory(error)) return error;
    const before = this.#openings.get(id);
    // Room may come back at any moment, and one that was only found by a look has not been tried.
    const isFull = error.code === "DISK_FULL";
    const isShort = isShortOfMemory(error);
    const grown = isShort ? 0 : (before?.pauseMs ?? 0) * 2;
    const pauseMs = isFull ? 0 : Math.min(FAULT_RETRY_MS_MAX, grown || FAULT_RETRY_MS_MIN);
    const failed = inaccessible(error, this.#clock.monotonicMs() + pauseMs, pauseMs);
    this.#openings.set(id, failed);
    if (before?.code !== failed.code) {
      const message = `A bot cannot be opened; it is tried again by itself. ${error.message}`;
      this.#logger({ level: "error", event: "botInaccessible", message, botId: id });
    }
    return isFull ? error : failed.error;
  }

  /** A look at the files found that these cannot be used. They are told in one line, and tried all the same when they are asked for. */
  foundForbidden(found: ReadonlyMap<string, LoredexError>): void {
    for (const [id, error] of found) this.#openings.set(id, inaccessible(error, 0, 0));
    const [first] = found.values();
    if (first === undefined) return;
    const ids = [...found.keys()].slice(0, TOLD_MAX).join(", ");
    const more = found.size > TOLD_MAX ? ` and ${found.size - TOLD_MAX} more` : "";
    const count = found.size === 1 ? "One bot" : `${found.size} bots`;
    const message = `${count} cannot be opened, which is tried again by itself: ${ids}${more}. ${first.message}`;
    this.#logger({ level: "error", event: "botsInaccessible", message });
  }

  /** The files of a bot may be used again, or it has been opened. */
  usable(id: string): void {
    if (!this.#openings.delete(id)) return;
    this.#logger({ level: "info", event: "botUsable", message: "The bot can be used again.", botId: id });
  }

  /** A record could not be written. */
  writeFailed(id: string, error: unknown): void {
    if (!isOfWriting(error)) return;
    const { code, message: reason } = error;
    const fault: BotFault = { kind: code === "READ_ONLY" ? "readOnly" : "notWritable", message: reason };
    const before = this.#writes.get(id);
    this.#writes.set(id, { fault, code });
    if (before?.code === code || this.#all !== undefined) return;
    const rest =
      fault.kind === "notWritable" ? "Writes to a bot fail, reading goes on; each new write tries again. " : "";
    this.#logger({ level: "error", event: "botNotWritable", message: rest + reason, botId: id });
  }

  /** A record was written, or the bot was opened anew. */
  written(id: string): void {
    if (!this.#writes.delete(id)) return;
    this.#logger({ level: "info", event: "botWritable", message: "The bot can be written to again.", botId: id });
  }

  /** The bot is gone. */
  forget(id: string): void {
    this.#openings.delete(id);
    this.#writes.delete(id);
  }
}

/** So many ids stand in one line of the log. */
const TOLD_MAX = 10;

/** Stored bytes that cannot be read by this version: nothing but a repair mends it. */
export function isDamage(error: unknown): error is LoredexError {
  return error instanceof LoredexError && (error.code === "CORRUPT" || error.code === "UNSUPPORTED_FORMAT");
}

/** Whether an error says that this process may not use a file. */
export function isForbidden(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "NO_ACCESS";
}

/** What the disk can do to whoever uses it. */
const OF_DISK: ReadonlySet<ErrorCode> = new Set(["NO_ACCESS", "STORAGE_FAILED", "DISK_FULL"]);

function isOfDisk(error: unknown): error is LoredexError {
  return error instanceof LoredexError && OF_DISK.has(error.code);
}

/** Whether there was too little memory for it. */
export function isShortOfMemory(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "OUT_OF_MEMORY";
}

function isOfWriting(error: unknown): error is LoredexError {
  return isOfDisk(error) || (error instanceof LoredexError && error.code === "READ_ONLY");
}

function inaccessible(cause: LoredexError, retryAtMs: number, pauseMs: number): FailedOpening {
  const { message } = cause;
  const told = `The bot cannot be opened; it is tried again by itself. ${message}`;
  const error = isShortOfMemory(cause) ? cause : new LoredexError("BOT_INACCESSIBLE", told, { cause });
  return { fault: { kind: "inaccessible", message }, code: cause.code, error, retryAtMs, pauseMs };
}

function quarantineEvent(botId: string, error: LoredexError): LogEvent {
  const place = error instanceof CorruptError ? error.place : {};
  const message = `The bot is refused until it is repaired and the server is started again; the others go on. ${error.message}`;
  return { level: "error", event: "botQuarantined", message, botId, ...place };
}
