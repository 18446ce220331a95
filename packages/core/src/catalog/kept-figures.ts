import { languageOf } from "../model/language-tags.ts";
import { isCount } from "../model/validation.ts";
import type { KnownFigures, OpenBotFigures } from "../model/work.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/log-event.ts";
import { readJson } from "../platform/read-json.ts";
import { TimeSlices } from "../scheduling/time-slices.ts";

/** Interval between writes of changed figures, in milliseconds. They are written at the end as well; a crash loses at most later changes. */
const WRITE_MS = 60_000;

/** Dependencies of {@link KeptFigures}. */
export interface KeptFiguresDeps {
  /** The cache that holds figures between two runs. The bytes that it returns are not verified. */
  readonly cache: {
    read(): Promise<Uint8Array | undefined>;
    write(figures: Uint8Array): Promise<void>;
  };
  /** Whether other nodes write the cache too: then theirs are read before each write, and the later figures of a bot are kept. */
  readonly isShared: boolean;
  /** Figures of the bots that are open. */
  readonly open: () => readonly OpenBotFigures[];
  /** Whether a bot exists. */
  readonly isKnown: (id: string) => boolean;
  readonly clock: Clock;
  /** Resolves after that many milliseconds, or when the signal is aborted. Keeps no process alive. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly logger: Logger;
}

/**
 * The last known figures of every bot, open or not, kept over restarts. Figures of a bot that is not open have the time of their last update, `asOf`.
 * They are exact, unless the process that held the bot crashed within {@link WRITE_MS} of its last change, or another node has changed the bot since.
 * They are derived: if they are lost, a bot's figures are unknown until it is opened.
 */
export class KeptFigures {
  readonly #deps: KeptFiguresDeps;
  /** Figures by bot id, as of when the bot was last open. */
  readonly #closed = new Map<string, KnownFigures>();
  readonly #closing = new AbortController();
  #hasChanged = false;
  #writing: Promise<void> | undefined;

  constructor(deps: KeptFiguresDeps) {
    this.#deps = deps;
  }

  /** Loads the figures that an earlier run or another node stored. Never rejects. */
  async load(): Promise<void> {
    const bytes = await this.#deps.cache.read().catch(() => undefined);
    if (bytes === undefined || bytes.length === 0) return;
    await new TimeSlices(this.#deps.clock).run(this.#readIn(bytes));
  }

  *#readIn(bytes: Uint8Array): Generator<void, void> {
    const text = new TextDecoder();
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(LINE_BREAK, at);
      const end = found === -1 ? bytes.length : found;
      const entry = entryOf(text.decode(bytes.subarray(at, end)));
      if (entry !== undefined && this.#deps.isKnown(entry.id)) this.#learn(entry.id, entry.figures);
      at = end + 1;
      yield;
    }
  }

  /** Takes stored figures, unless later ones are known. */
  #learn(id: string, figures: KnownFigures): void {
    const { asOf: known = "" } = this.#closed.get(id) ?? {};
    if ((figures.asOf ?? "") > known) this.#closed.set(id, figures);
  }

  /** Records that the figures of a bot have changed, and schedules a write. */
  changed(): void {
    this.#hasChanged = true;
    this.#writing ??= this.#writeLater();
  }

  /** Records the figures of a bot that has been closed. */
  closed(figures: OpenBotFigures): void {
    this.#closed.set(figures.id, { ...knownOf(figures), asOf: this.#now() });
    this.changed();
  }

  forget(id: string): void {
    if (this.#closed.delete(id)) this.changed();
  }

  /** The figures of a bot as of when it was last open; undefined if unknown. */
  closedOf(id: string): KnownFigures | undefined {
    return this.#closed.get(id);
  }

  /** Adds the last write to the figures of an open bot that does not know it: imported documents hold no time of their write. */
  completed(figures: OpenBotFigures): OpenBotFigures {
    const { lastWriteAt = this.#closed.get(figures.id)?.lastWriteAt } = figures;
    return { ...figures, ...(lastWriteAt === undefined ? {} : { lastWriteAt }) };
  }

  /** The figures of every bot that has known figures. */
  all(): Map<string, KnownFigures> {
    const all = new Map(this.#closed);
    for (const figures of this.#deps.open()) all.set(figures.id, knownOf(figures));
    return all;
  }

  /** Writes changed figures. Every bot must be closed before. */
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
      // Changes during a write wait for the next write.
    } while (this.#hasChanged && !signal.aborted);
    this.#writing = undefined;
  }

  async #write(): Promise<void> {
    if (!this.#hasChanged) return;
    this.#hasChanged = false;
    try {
      if (this.#deps.isShared) await this.load();
      const pieces: Uint8Array[] = [];
      await new TimeSlices(this.#deps.clock).run(this.#encode(pieces));
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

/** The figures that also hold for a bot that is not open. */
function knownOf({ id: _id, diskBytes: _disk, memoryBytes: _memory, ...known }: OpenBotFigures): KnownFigures {
  return known;
}

const LINE_BREAK = 0x0a;

type Count = Exclude<keyof KnownFigures, "lastWriteAt" | "asOf" | "writtenIn">;

/** The counts that every line must have. */
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
  tokenCodesWaiting: true,
  tokenCodesGivenUp: true,
  embedderFailures: true,
};

/** Reads a line of the cache; undefined if it is invalid, or if another version wrote it. */
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
