import { fragmentAt, fragmentCountOf, type IndexedDocument, plainFragment } from "../index/indexed-document.ts";
import type { SearchIndex } from "../index/search-index.ts";
import { languageOf } from "../model/language-tags.ts";
import type { BotInfo } from "../model/types.ts";
import type { OpenBotFigures } from "../model/work.ts";
import type { Clock } from "../platform/clock.ts";
import { type Sliced, TimeSlices } from "../scheduling/time-slices.ts";

/** The most documents that are read: the newest. */
const DOCUMENTS_MAX = 32;
/** The most text that is read of each document, in UTF-16 units, and in fragments. */
const SAMPLE_UNITS = 1_000;
const SAMPLE_FRAGMENTS = 64;
/** With less text than this in total, the language found may be chance. */
const TOLD_UNITS_MIN = 300;
/** One language is named if it has at least this share of the text in other languages. */
const SAME_SHARE = 0.75;
/** Documents that are passed over per step. */
const SLICE_DOCUMENTS = 512;
/** This share of the documents must come or go before the newest are read again in the background: so each change pays for reading two documents at most. */
const CHANGED_SHARE = 0.5;

/** Languages that are told apart too badly to warn of one in a bot of the other. */
const NEAR: readonly ReadonlySet<string>[] = [new Set(["da", "no"]), new Set(["hr", "sr"])];

/** Finds the language of texts. */
export interface LanguageReader {
  /** Whether a text is plainly English: needs nothing that is loaded. */
  isPlainlyEnglish(text: string): boolean;
  /** The detector of other languages: loaded by the first call. */
  teller(): Promise<{
    knows(language: string): boolean;
    tell(text: string): string | undefined;
    /** Whether a text in this language has sentences, which a list of names or figures has not. */
    hasSentences(text: string, language: string): boolean;
  }>;
}

/** The known language of a bot's documents, and the receiver of changes. */
export interface WrittenLanguageSurroundings {
  readonly reader: LanguageReader;
  /** The result when the bot was last open. */
  readonly lastKnown: string | undefined;
  /** Called when the result has changed. */
  readonly onKnown: (writtenIn: string | undefined) => void;
}

export interface WrittenLanguageDeps {
  readonly index: SearchIndex;
  readonly clock: Clock;
  readonly info: () => Pick<BotInfo, "language">;
  readonly written: WrittenLanguageSurroundings;
  /** Whether the newest documents are read in the background. */
  readonly background: boolean;
}

/**
 * Finds out whether a bot's newest documents are in another language than the bot's. Reads at most {@link DOCUMENTS_MAX} documents, the first
 * {@link SAMPLE_UNITS} of each, in time slices. Only the result is stored, beside the bot's figures.
 */
export class WrittenLanguage {
  readonly #deps: WrittenLanguageDeps;
  #found: string | undefined;
  /** The state of the index and the bot's language when documents were last read. */
  #readAt = "";
  #readAtChanges = 0;
  #reading: Promise<void> | undefined;
  #isClosed = false;

  constructor(deps: WrittenLanguageDeps) {
    this.#deps = deps;
    this.#found = deps.written.lastKnown;
  }

  /** The language of most of its newest documents, or `auto` for several, if that is not the bot's; else undefined. */
  get figures(): Pick<OpenBotFigures, "writtenIn"> {
    return this.#found === undefined ? {} : { writtenIn: this.#found };
  }

  /** Whether enough has changed to read the newest documents again. */
  get isDue(): boolean {
    const { changes, count } = this.#deps.index.documents;
    if (!this.#deps.background || this.#isClosed || this.#readAt === "" || this.#reading !== undefined) return false;
    return changes - this.#readAtChanges >= Math.max(1, count * CHANGED_SHARE);
  }

  /** Reads the newest documents, unless nothing has changed since the last time. Never rejects. */
  async refresh(): Promise<void> {
    // A running read may have passed over newer documents.
    await this.#reading;
    this.#reading ??= this.#refresh()
      .catch(() => undefined)
      .finally(() => {
        this.#reading = undefined;
        // Documents that came meanwhile asked in vain.
        if (this.isDue) void this.refresh();
      });
    await this.#reading;
  }

  /** Stops reading. */
  close(): void {
    this.#isClosed = true;
  }

  async #refresh(): Promise<void> {
    const { index, info, clock, written } = this.#deps;
    const { changes } = index.documents;
    // First of all: a reading that fails, as that of a removed bot does, must not be due again at once.
    this.#readAtChanges = changes;
    const own = languageOf(info().language) ?? "";
    const state = `${own} ${changes}`;
    if (state === this.#readAt) return;
    const isWanted = (): boolean => !this.#isClosed;
    const slices = new TimeSlices(clock);
    const found = own === "auto" || own === "multi" ? undefined : await this.#read(own, slices, isWanted);
    if (this.#isClosed) return;
    this.#readAt = state;
    if (found === this.#found) return;
    this.#found = found;
    written.onKnown(found);
  }

  async #read(own: string, slices: TimeSlices, isWanted: () => boolean): Promise<string | undefined> {
    const { index, written } = this.#deps;
    const samples = (await slices.run(samplesOf(index.documents), isWanted)) ?? [];
    const isOpen = own === "en" ? (sample: string) => !written.reader.isPlainlyEnglish(sample) : () => true;
    const left = samples.filter(isOpen);
    // Most bots are English and fed in English: nothing is loaded for them.
    if (unitsOf(left) * 2 <= unitsOf(samples) || unitsOf(left) < TOLD_UNITS_MIN) return undefined;
    const teller = await written.reader.teller();
    if (!teller.knows(own)) return undefined;
    const told = new Map([[own, unitsOf(samples) - unitsOf(left)]]);
    const telling = function* (): Sliced<void> {
      for (const sample of left) {
        const found = teller.tell(sample);
        // A list of names or figures may stand in any bot.
        const language = found === undefined || teller.hasSentences(sample, found) ? found : own;
        if (language !== undefined) told.set(language, (told.get(language) ?? 0) + sample.length);
        yield;
      }
    };
    await slices.run(telling(), isWanted);
    return mostlyWrittenIn(own, told);
  }
}

/** The result for these texts; undefined if most are in the bot's own language, or too little text has a known language. */
export function mostlyWrittenIn(own: string, units: ReadonlyMap<string, number>): string | undefined {
  const near = NEAR.find((languages) => languages.has(own));
  const others = [...units].filter(([language]) => language !== own && near?.has(language) !== true);
  const sumOf = (counts: readonly (readonly [string, number])[]): number =>
    counts.reduce((sum, [, count]) => sum + count, 0);
  const other = sumOf(others);
  if (other < TOLD_UNITS_MIN || other * 2 <= sumOf([...units])) return undefined;
  const [most] = others.sort(([, a], [, b]) => b - a);
  return most !== undefined && most[1] >= SAME_SHARE * sumOf([...units]) ? most[0] : "auto";
}

function unitsOf(samples: readonly string[]): number {
  return samples.reduce((sum, { length }) => sum + length, 0);
}

/** The beginnings of the newest documents, without code. */
function* samplesOf(documents: Iterable<IndexedDocument>): Sliced<string[]> {
  const newest: IndexedDocument[] = [];
  let passed = 0;
  for (const document of documents) {
    if (++passed % SLICE_DOCUMENTS === 0) yield;
    const oldest = newest.at(-1);
    if (newest.length === DOCUMENTS_MAX && oldest !== undefined && document.version <= oldest.version) continue;
    const at = newest.findIndex(({ version }) => version < document.version);
    newest.splice(at < 0 ? newest.length : at, 0, document);
    if (newest.length > DOCUMENTS_MAX) newest.pop();
  }
  const samples: string[] = [];
  for (const document of newest) {
    samples.push(sampleOf(document));
    yield;
  }
  return samples;
}

function sampleOf(document: IndexedDocument): string {
  let sample = document.document.titles
    .slice(0, 1)
    .join("")
    .slice(0, SAMPLE_UNITS / 2);
  const fragments = Math.min(fragmentCountOf(document), SAMPLE_FRAGMENTS);
  for (let fragment = 0; fragment < fragments && sample.length < SAMPLE_UNITS; fragment++) {
    const { reading, startOffset, endOffset } = fragmentAt(document, fragment);
    if (reading === "code") continue;
    const isLong = endOffset - startOffset > 4 * SAMPLE_UNITS;
    sample += `\n${isLong ? document.markdown.slice(startOffset, startOffset + SAMPLE_UNITS) : plainFragment(document, fragment)}`;
  }
  return sample.slice(0, SAMPLE_UNITS);
}
