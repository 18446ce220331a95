import { CorruptError, type ErrorCode, isDamage, isDefect, isShortOfMemory, LoredexError } from "../model/errors.ts";
import type { BotFault } from "../model/faults.ts";
import { FAULT_RETRY_MS_MAX, FAULT_RETRY_MS_MIN } from "../model/options.ts";
import type { Clock } from "../platform/clock.ts";
import type { LogEvent, Logger } from "../platform/log-event.ts";

/** A bot that could not be opened, or in which a defect showed. */
interface FailedOpening {
  readonly fault: BotFault;
  /** Code of the error. Its message may name another file each time. */
  readonly code: ErrorCode;
  /** The error for callers that use the bot. */
  readonly error: LoredexError;
  /** Until this time of the monotonic clock the bot is refused with the same error, so that not every request reads its files again. */
  readonly retryAtMs: number;
  readonly pauseMs: number;
}

/**
 * The bots that cannot be opened or cannot be written to, and why. Each change is logged once, however many callers use the bot meanwhile.
 * A fault that may pass by itself is tried again, after pauses that grow.
 * A damaged bot is quarantined: it is refused until it is repaired and the engine is opened again. So is a bot in which a defect showed.
 * In a storage that other nodes use, a damaged bot may be repaired meanwhile, and data of the catalog may be restored: it is tried again each minute.
 */
export class BotFaults {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #isShared: boolean;
  readonly #openings = new Map<string, FailedOpening>();
  /** The fault that all bots have. */
  #all: BotFault | undefined;
  readonly #writes = new Map<string, { readonly fault: BotFault; readonly code: ErrorCode }>();

  /** @param isShared whether other nodes use the storage too */
  constructor(clock: Clock, logger: Logger, isShared = false) {
    this.#clock = clock;
    this.#logger = logger;
    this.#isShared = isShared;
  }

  /** The fault of a bot now; undefined if it has none. */
  of(id: string): BotFault | undefined {
    return this.#openings.get(id)?.fault ?? this.#all ?? this.#writes.get(id)?.fault;
  }

  /** Makes all bots read-only until a restart. */
  allReadOnly({ message }: LoredexError): void {
    this.#all = { kind: "readOnly", message };
  }

  /** All faults of single bots, by bot id. */
  all(): Map<string, BotFault> {
    return new Map([...this.#writes, ...this.#openings].map(([id, { fault }]) => [id, fault]));
  }

  /** Ids of bots whose files this process may not use. Whether that has been repaired can be checked without opening them. */
  get forbidden(): string[] {
    return [...this.#openings].filter(([, { code }]) => code === "NO_ACCESS").map(([id]) => id);
  }

  /** Refuses a bot whose last opening failed, while it is too early to try again. @throws LoredexError the error of that opening */
  refuseEarly(id: string): void {
    const failed = this.#openings.get(id);
    if (failed !== undefined && this.#clock.monotonicMs() < failed.retryAtMs) throw failed.error;
  }

  /** Records that a bot could not be opened. Returns the error for the caller. */
  openingFailed(id: string, error: unknown): unknown {
    if (isDamage(error)) {
      const retryAtMs = this.#isShared ? this.#clock.monotonicMs() + FAULT_RETRY_MS_MAX : Number.POSITIVE_INFINITY;
      const fault = { kind: "damaged", message: error.message } as const;
      const isTold = this.#openings.get(id)?.code === error.code;
      this.#openings.set(id, { fault, code: error.code, error, retryAtMs, pauseMs: 0 });
      if (!isTold) this.#logger(quarantineEvent(id, error, this.#isShared));
      return error;
    }
    if (isDefect(error)) return this.defectFound(id, error);
    if (!isOfDisk(error) && !isShortOfMemory(error)) return error;
    const before = this.#openings.get(id);
    // A full disk has no pause, since space may come back at any moment. A fault that only a check has found starts with the shortest pause.
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

  /** Quarantines a bot in which a defect showed: its state may be wrong. Returns the error for later callers. */
  defectFound(id: string, cause: LoredexError): LoredexError {
    const message = `${cause.message} The bot is refused until the server is started again; the others are served.`;
    const error = new LoredexError("BOT_QUARANTINED", message, { cause });
    const [fault, retryAtMs] = [{ kind: "damaged", message } as const, Number.POSITIVE_INFINITY];
    this.#openings.set(id, { fault, code: cause.code, error, retryAtMs, pauseMs: 0 });
    this.#logger({ level: "error", event: "botQuarantined", message, botId: id, error: cause });
    return error;
  }

  /** Whether a bot is refused until the engine is opened again. */
  isQuarantined(id: string): boolean {
    return this.#openings.get(id)?.retryAtMs === Number.POSITIVE_INFINITY;
  }

  /** Records bots whose files a check found unusable. They are logged in one line, and calls still try to open them. */
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

  /** Records that a bot's files can be used again, or that it was opened. */
  usable(id: string): void {
    if (!this.#openings.delete(id)) return;
    this.#logger({ level: "info", event: "botUsable", message: "The bot can be used again.", botId: id });
  }

  /** Records that a write to a bot's log failed. */
  writeFailed(id: string, error: unknown): void {
    if (!isOfWriting(error)) return;
    const { code, message: reason } = error;
    const fault: BotFault = { kind: code === "READ_ONLY" ? "readOnly" : "notWritable", message: reason };
    const before = this.#writes.get(id);
    this.#writes.set(id, { fault, code });
    if (before?.code === code || this.#all !== undefined) return;
    const rest =
      fault.kind === "notWritable" ? "Writes to a bot fail, reading still works; each new write tries again. " : "";
    this.#logger({ level: "error", event: "botNotWritable", message: rest + reason, botId: id });
  }

  /** Records that a write succeeded, or that the bot was opened again. */
  written(id: string): void {
    if (!this.#writes.delete(id)) return;
    this.#logger({ level: "info", event: "botWritable", message: "The bot can be written to again.", botId: id });
  }

  /** Forgets a bot that was removed. */
  forget(id: string): void {
    this.#openings.delete(id);
    this.#writes.delete(id);
  }
}

/** Maximum number of ids in one line of the log. */
const TOLD_MAX = 10;

/** Whether an error of opening a bot stays the same until the engine is opened again. */
export function isLasting(error: unknown): boolean {
  return isDamage(error) || (error instanceof LoredexError && error.code === "BOT_QUARANTINED");
}

/** Whether an error says that this process may not use a file. */
export function isForbidden(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "NO_ACCESS";
}

/** Codes of errors that the disk causes. */
const OF_DISK: ReadonlySet<ErrorCode> = new Set(["NO_ACCESS", "STORAGE_FAILED", "DISK_FULL"]);

function isOfDisk(error: unknown): error is LoredexError {
  return error instanceof LoredexError && OF_DISK.has(error.code);
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

function quarantineEvent(botId: string, error: LoredexError, isShared: boolean): LogEvent {
  const place = error instanceof CorruptError ? error.place : {};
  const until = isShared
    ? "it is repaired, which is tried each minute"
    : "it is repaired and the server is started again";
  const message = `The bot is refused until ${until}; the others are served. ${error.message}`;
  return { level: "error", event: "botQuarantined", message, botId, ...place };
}
