/** All error codes, and the errors that carry them. Codes are stable: callers may switch on them. */

export type ErrorCode =
  /** The input breaks a rule. `violations` names the broken rules. */
  | "VALIDATION"
  | "ARTICLE_NOT_FOUND"
  /** The article has changed since the given tag was made; see `ArticleChangeOptions.ifMatch`. */
  | "ARTICLE_CHANGED"
  /** The vocabulary or the golden questions have changed since the given tag was made; see `ContentChangeOptions.ifMatch`. */
  | "CONTENT_CHANGED"
  /** The given metadata identifies several articles. */
  | "SEVERAL_ARTICLES"
  /** The idempotency key was used before, with another body. */
  | "IDEMPOTENCY_KEY_REUSED"
  | "DOCUMENT_NOT_FOUND"
  | "BOT_NOT_FOUND"
  | "BOT_EXISTS"
  /** There is no key of that name. */
  | "KEY_NOT_FOUND"
  /** There is a key of that name already. */
  | "KEY_EXISTS"
  /** The bot is not damaged: there is nothing to salvage. */
  | "BOT_IS_WHOLE"
  /** The question log has no search with that request id in the last 24 hours. */
  | "QUESTION_NOT_FOUND"
  /** No run with that id is kept. */
  | "RUN_NOT_FOUND"
  | "REGISTRATION_NOT_FOUND"
  | "SOURCE_NOT_FOUND"
  /** There is a source of that name already. */
  | "SOURCE_EXISTS"
  /** The bot's articles would exceed its character quota. */
  | "QUOTA_EXCEEDED"
  /** The characters added in 60 seconds would exceed the bot's rate. */
  | "RATE_EXCEEDED"
  /** The bot's articles would exceed its byte quota. */
  | "QUOTA_BYTES_EXCEEDED"
  /** The bytes of articles written in 60 seconds would exceed the bot's rate. */
  | "RATE_BYTES_EXCEEDED"
  /** The bot's imported documents would exceed `importBytes`. */
  | "IMPORT_BYTES_EXCEEDED"
  /** The bot has reached its capacity; see `BOT_BYTES_MAX`. */
  | "BOT_FULL"
  /** A defect of Loredex showed in the bot: what it holds in memory cannot be trusted. It is refused until the engine is opened again. */
  | "BOT_QUARANTINED"
  /** The process is short of memory: writes that grow a bot are refused for now; see `EngineOptions.memoryMaxBytes`. */
  | "OUT_OF_MEMORY"
  /** Another program holds the data directory. */
  | "DIRECTORY_IN_USE"
  /** The data directory belongs to another user than this process runs as. Nothing was changed. */
  | "WRONG_USER"
  /** Stored bytes are not what was written. */
  | "CORRUPT"
  /** The store was written by a newer version. */
  | "UNSUPPORTED_FORMAT"
  /** The disk is full. Reads continue. */
  | "DISK_FULL"
  /** The process has no file descriptor left. Operations that need one work again when some are closed. */
  | "TOO_MANY_OPEN_FILES"
  /** Writes are refused: an fsync failed, or files were removed or replaced while the engine ran. Reads continue; a restart recovers. */
  | "READ_ONLY"
  /** This process may not read or write a file of the data directory: permissions, or a disk that is mounted read-only. */
  | "NO_ACCESS"
  /** The bot's files cannot be opened: permissions, or a failing disk. The engine retries by itself. */
  | "BOT_INACCESSIBLE"
  /** Another node has written to the bot or the catalog meanwhile. The engine decides again; a caller sees it only if its time is over. */
  | "CONFLICT"
  /** The shared storage does not answer. Writes are refused; open bots answer searches for a while. */
  | "UNREACHABLE"
  /** The history that a handle of a store knows is not the stored one any more. The engine opens the store again. */
  | "REPLACED"
  /** A read or write of the disk failed for another reason. */
  | "STORAGE_FAILED"
  /** Something that cannot be has happened: a defect of Loredex. The message says what; see `must`. */
  | "INTERNAL"
  /** The engine or the bot has been closed. */
  | "CLOSED";

/** One broken rule. */
export interface Violation {
  readonly message: string;
  /** Dotted name of the field, for example `options.topK` or `activeOn.0.channel`. */
  readonly field: string;
  /** The rule's name, for example `required`, `string`, `minLength`, `unknownField`. */
  readonly type: string;
}

/** Every error that Loredex throws on purpose. */
export class LoredexError extends Error {
  override readonly name: string = "LoredexError";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(
      message.length > MESSAGE_UNITS_MAX ? `${message.slice(0, MESSAGE_UNITS_MAX).toWellFormed()}…` : message,
      options,
    );
    this.code = code;
  }
}

/** Most UTF-16 units of a message. Names of any length may stand in it. */
const MESSAGE_UNITS_MAX = 8_192;

/** The place where stored bytes differ from the written ones. */
export interface DamagePlace {
  /** Path of the file. */
  readonly file: string;
  /** Byte offset in it. */
  readonly offset: number;
  /** Sequence number of the record that should be there. */
  readonly sequence: number;
}

/** A `CORRUPT` error with its place. */
export class CorruptError extends LoredexError {
  override readonly name = "CorruptError";
  readonly place: DamagePlace;
  constructor(message: string, place: DamagePlace) {
    super("CORRUPT", message);
    this.place = place;
  }
}

/** The input breaks at least one rule. Nothing was changed. */
export class ValidationError extends LoredexError {
  override readonly name = "ValidationError";
  /** The first {@link VIOLATIONS_MAX} broken rules. */
  readonly violations: readonly Violation[];
  /** The number of all broken rules. */
  readonly count: number;
  constructor(violations: readonly Violation[], count = violations.length) {
    super("VALIDATION", violations.map((violation) => violation.message).join("; "));
    this.violations = violations;
    this.count = count;
  }
}

/** The write would take the bot's articles over its quota. Nothing was charged. */
export class QuotaExceededError extends LoredexError {
  override readonly name = "QuotaExceededError";
  constructor(
    readonly excessCharacters: number,
    readonly usedCharacters: number,
    readonly quotaCharacters: number,
  ) {
    super(
      "QUOTA_EXCEEDED",
      `Character quota exceeded by ${excessCharacters}: ${usedCharacters} characters are used of a total limit of ${quotaCharacters}. Delete or shorten articles, or ask the operator for a higher quota.`,
    );
  }
}

/** The write would add more characters than a minute allows. Nothing was charged. */
export class RateExceededError extends LoredexError {
  override readonly name = "RateExceededError";
  constructor(
    readonly addedCharacters: number,
    readonly rateCharactersPerMinute: number,
    /** When this very write would be admitted, in milliseconds from now; undefined if it never can be. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(
      "RATE_EXCEEDED",
      retryAfterMs === undefined
        ? `Character rate limit exceeded: this write adds ${addedCharacters} characters and the limit is ${rateCharactersPerMinute} a minute, so it can never be admitted at once. Create it shorter and extend it by updates, or ask the operator for a higher rate (loredex bot set BOT --rate N).`
        : `Character rate limit exceeded: ${rateCharactersPerMinute} characters may be added in a minute. Please try again later. For more in a minute, ask the operator for a higher rate (loredex bot set BOT --rate N).`,
    );
  }
}

/** The write would take the bot's articles over their byte quota. Nothing was charged. */
export class QuotaBytesExceededError extends LoredexError {
  override readonly name = "QuotaBytesExceededError";
  constructor(
    readonly addedBytes: number,
    readonly usedBytes: number,
    readonly quotaBytes: number,
  ) {
    super(
      "QUOTA_BYTES_EXCEEDED",
      `Byte quota exceeded: the articles of this bot take ${usedBytes} bytes of ${quotaBytes}, and this write adds ${addedBytes}. Metadata, sources and activeOn count too. Delete or shorten articles, or ask the operator for a higher quota.`,
    );
  }
}

/** The write has more bytes than a minute allows. Nothing was charged. */
export class RateBytesExceededError extends LoredexError {
  override readonly name = "RateBytesExceededError";
  constructor(
    readonly bytes: number,
    readonly rateBytesPerMinute: number,
    /** When this very write would be admitted, in milliseconds from now; undefined if it never can be. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(
      "RATE_BYTES_EXCEEDED",
      retryAfterMs === undefined
        ? `Byte rate limit exceeded: this article has ${bytes} bytes and ${rateBytesPerMinute} may be written in a minute, so it can never be admitted. Send it shorter, or ask the operator for a higher rate.`
        : `Byte rate limit exceeded: ${rateBytesPerMinute} bytes of articles may be written in a minute. Please try again later.`,
    );
  }
}

/** The document would take the bot's imported documents over `importBytes`. Nothing was changed. */
export class ImportBytesExceededError extends LoredexError {
  override readonly name = "ImportBytesExceededError";
  constructor(
    readonly resourceDocId: string,
    readonly addedBytes: number,
    readonly usedBytes: number,
    readonly importBytes: number,
  ) {
    super(
      "IMPORT_BYTES_EXCEEDED",
      `Import bound exceeded: the document ${JSON.stringify(resourceDocId)} adds ${addedBytes} bytes, and the imported documents of this bot take ${usedBytes} of the ${importBytes} that --import-bytes allows. Remove documents, or set a higher bound (loredex bot set BOT --import-bytes SIZE).`,
    );
  }
}

/** The message of a thrown value, which need not be an Error. */
export function reasonOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether an error says that something has happened which cannot be: a defect of Loredex. */
export function isDefect(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "INTERNAL";
}

/** Whether an error says that there was too little memory. */
export function isShortOfMemory(error: unknown): error is LoredexError {
  return error instanceof LoredexError && error.code === "OUT_OF_MEMORY";
}

/** Whether this version cannot read the stored bytes: only a repair helps. */
export function isDamage(error: unknown): error is LoredexError {
  return error instanceof LoredexError && (error.code === "CORRUPT" || error.code === "UNSUPPORTED_FORMAT");
}
