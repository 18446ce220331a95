import { languageOf } from "../domain/language-tags.ts";
import { isCount } from "../domain/validation.ts";
import type { KnownFigures, OpenBotFigures } from "../domain/work.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Logger } from "../runtime/log-event.ts";
import { readJson } from "../runtime/read-json.ts";
import { Turns } from "../runtime/steps.ts";

/** Figures that changed are written this often, and at the end: a crash loses at most what came later. */
const WRITE_MS = 60_000;

export interface KeptFiguresDeps {
  /** Where they lie between two runs. What it gives back has been verified by nobody. */
  readonly cache: {
    read(): Promise<Uint8Array | undefined>;
    write(figures: Uint8Array): Promise<void>;
  };
  /** Figures of the bots that are open. */
  readonly open: () => readonly OpenBotFigures[];
  /** Whether there is such a bot. */
  readonly isKnown: (id: string) => boolean;
  readonly clock: Clock;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/**
 * The last known figures of every bot, open or not, over restarts. Those of a bot that is not open say as of when they are: they are exact unless the
 * process that held it crashed within {@link WRITE_MS} of its last change. They are derived: where they are lost, a bot's figures are unknown until it is opened.
 */
export class KeptFigures {
  readonly #deps: KeptFiguresDeps;
  /** Of bots that are not open. */
  readonly #closed = new Map<string, KnownFigures>();
  readonly #closing = new AbortController();
  #hasChanged = false;
  #writing: Promise<void> | undefined;

  constructor(deps: KeptFiguresDeps) {
    this.#deps = deps;
  }

  /** Takes over what an earlier run left. Never rejects. */
  async load(): Promise<void> {
    const bytes = await this.#deps.cache.read().catch(() => undefined);
    if (bytes === undefined || bytes.length === 0) return;
    await new Turns(this.#deps.clock).take(this.#readIn(bytes));
  }

  *#readIn(bytes: Uint8Array): Generator<void, void> {
    const text = new TextDecoder();
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(LINE_BREAK, at);
      const end = found === -1 ? bytes.length : found;
      const entry = entryOf(text.decode(bytes.subarray(at, end)));
      if (entry !== undefined && this.#deps.isKnown(entry.id)) this.#closed.set(entry.id, entry.figures);
      at = end + 1;
      yield;
    }
  }

  /** A bot has something else now. */
  changed(): void {
    this.#hasChanged = true;
    this.#writing ??= this.#writeLater();
  }

  /** A bot is not open any more. */
  closed(figures: OpenBotFigures): void {
    this.#closed.set(figures.id, { ...knownOf(figures), asOf: this.#now() });
    this.changed();
  }

  forget(id: string): void {
    if (this.#closed.delete(id)) this.changed();
  }

  /** What was known of a bot when it was last open. */
  closedOf(id: string): KnownFigures | undefined {
    return this.#closed.get(id);
  }

  /** The figures of an open bot, with its last write where it does not know it: imported documents do not say when they were written. */
  completed(figures: OpenBotFigures): OpenBotFigures {
    const { lastWriteAt = this.#closed.get(figures.id)?.lastWriteAt } = figures;
    return { ...figures, ...(lastWriteAt === undefined ? {} : { lastWriteAt }) };
  }

  /** Of each bot of which something is known. */
  all(): Map<string, KnownFigures> {
    const all = new Map(this.#closed);
    for (const figures of this.#deps.open()) all.set(figures.id, knownOf(figures));
    return all;
  }

  /** Writes what has changed. Every bot must be closed. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#writing;
    await this.#write();
  }

  async #writeLater(): Promise<void> {
    const { signal } = this.#closing;
    do {
      await this.#deps.sleep(WRITE_MS, signal);
      if (!signal.aborted) await this.#write();
      // What changes while it is written waits for the next time.
    } while (this.#hasChanged && !signal.aborted);
    this.#writing = undefined;
  }

  async #write(): Promise<void> {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    try {
      const pieces: Uint8Array[] = [];
      await new Turns(this.#deps.clock).take(this.#encode(pieces));
      await this.#deps.cache.write(Buffer.concat(pieces));
    } catch (error) {
      const message =
        "The figures of bots could not be kept: after a restart they are unknown until each bot is opened.";
      this.#deps.logger({ level: "warn", event: "figuresNotKept", message, error });
    }
  }

  *#encode(pieces: Uint8Array[]): Generator<void, void> {
    const asOf = this.#now();
    for (const [id, figures] of this.all()) {
      if (this.#deps.isKnown(id))
        pieces.push(Buffer.from(`${JSON.stringify({ id, figures: { asOf, ...figures } })}\n`));
      yield;
    }
  }

  #now(): string {
    return new Date(this.#deps.clock.wallMs()).toISOString();
  }
}

/** What is true of a bot that is not open as well. */
function knownOf({ id: _id, diskBytes: _disk, memoryBytes: _memory, ...known }: OpenBotFigures): KnownFigures {
  return known;
}

const LINE_BREAK = 0x0a;

type Count = Exclude<keyof KnownFigures, "lastWriteAt" | "asOf" | "writtenIn">;

/** Those that a line must have. */
const COUNTS: Readonly<Record<Count, true>> = {
  articles: true,
  documents: true,
  characterUsed: true,
  quotaCharacters: true,
  indexQueue: true,
  indexFailures: true,
  texts: true,
  vectors: true,
  documentsWaiting: true,
  documentsGivenUp: true,
  signsWaiting: true,
  signsGivenUp: true,
  embedderFailures: true,
};

/** Undefined for a line that is none, or that another version wrote. */
function entryOf(line: string): { readonly id: string; readonly figures: KnownFigures } | undefined {
  try {
    const { id, figures } = fieldsOf(readJson(line));
    const given = fieldsOf(figures);
    const counts = Object.keys(COUNTS).map((name) => [name, given[name]] as const);
    const { lastWriteAt, asOf, writtenIn } = given;
    if (typeof id !== "string" || !counts.every(([, count]) => isCount(count)) || !isInstant(asOf)) return undefined;
    if (lastWriteAt !== undefined && !isInstant(lastWriteAt)) return undefined;
    const language = typeof writtenIn === "string" && languageOf(writtenIn) !== undefined ? { writtenIn } : {};
    const times = { ...language, ...(lastWriteAt === undefined ? {} : { lastWriteAt }), asOf };
    // Boundary: each field was checked.
    return { id, figures: { ...Object.fromEntries(counts), ...times } as unknown as KnownFigures };
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isInstant(value: unknown): boolean {
  return typeof value === "string" && !Number.isNaN(Date.parse(value));
}
