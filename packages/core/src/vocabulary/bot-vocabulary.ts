import type { Analyzer } from "../analysis/analyzer.ts";
import type { BotState } from "../log/state.ts";
import { vocabularyHeapBytes } from "../log/vocabulary-table.ts";
import { type ContentChangeOptions, contentCondition, requireContent } from "../model/entity-tags.ts";
import { CONTENT_CHANGE_OPTIONS } from "../model/option-tables.ts";
import type { RecordOf } from "../model/records.ts";
import { requireArguments } from "../model/require-options.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import type { Clock } from "../platform/clock.ts";
import { frozen } from "../platform/frozen.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import type { OperationMeter, Sliced, TimeSlices } from "../scheduling/time-slices.ts";
import { CompiledVocabulary } from "./compiled-vocabulary.ts";
import { parseInSlices } from "./shape.ts";

/** Dependencies of {@link BotVocabulary}. */
export interface BotVocabularyDeps {
  readonly state: Pick<BotState, "vocabulary">;
  /** The write path. */
  readonly ingest: { setVocabulary(record: RecordOf<"vocabularySet">): Promise<void> };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
  /** The time slices in which a vocabulary is read. */
  readonly slices: TimeSlices;
  readonly clock: Pick<Clock, "monotonicMs">;
}

/** Compiles the vocabulary of a question, with the analyzer of the index; undefined without a vocabulary. */
export type VocabularyOf = (analyzer: Analyzer, meter: OperationMeter) => Sliced<CompiledVocabulary | undefined>;

interface Compiled {
  readonly analyzer: Analyzer;
  readonly compiled: CompiledVocabulary;
}

/** A vocabulary that a search tried instead of the bot's. */
interface Tried {
  readonly text: string | undefined;
  readonly vocabulary: Vocabulary;
  readonly bytes: number;
  readonly usedMs: number;
}

/** How long a tried vocabulary is kept after its last question, in milliseconds. */
const TRIED_MS = 60_000;

/** The vocabulary of one bot, and what its searches make of it. */
export class BotVocabulary {
  readonly #deps: BotVocabularyDeps;
  /** By vocabulary, the bot's or a tried one: it is let go with that. */
  readonly #compiled = new WeakMap<Vocabulary, Compiled>();
  /** Changes, one after the other: each is decided on the result of the one before. */
  readonly #changes = new SerialQueue();
  /** The last tried vocabulary, so that an evaluation reads it once. */
  #tried: Tried | undefined;

  constructor(deps: BotVocabularyDeps) {
    this.#deps = deps;
  }

  /** The vocabulary, frozen: searches work on the same data. */
  get(): Vocabulary {
    return frozen(this.#deps.state.vocabulary.current);
  }

  /** Replaces the whole vocabulary, if that matches `ifMatch`. Resolves with the new one. @throws ValidationError, LoredexError `CONTENT_CHANGED` */
  async set(input: unknown, options: ContentChangeOptions = {}): Promise<Vocabulary> {
    const { slices, ready, state, ingest } = this.#deps;
    requireArguments("Bot.setVocabulary", { options }, { options: CONTENT_CHANGE_OPTIONS });
    const tags = contentCondition(options);
    const vocabulary = frozen(await slices.run(parseInSlices(input)));
    await ready();
    await this.#changes.run(async () => {
      requireContent(tags, state.vocabulary.current);
      await ingest.setVocabulary({ kind: "vocabularySet", vocabulary });
    });
    return vocabulary;
  }

  /** The vocabulary that a question tries instead of the bot's. @throws ValidationError */
  async tried(input: unknown): Promise<VocabularyOf> {
    const vocabulary = await this.#read(input);
    return (analyzer, meter) => this.#compile(vocabulary, analyzer, meter);
  }

  /** The bot's own vocabulary, as it is when the question is analyzed. */
  readonly own: VocabularyOf = (analyzer, meter) => this.#own(analyzer, meter);

  /** About how much memory the tried vocabulary takes that is kept, in bytes. */
  get triedBytes(): number {
    return this.#kept()?.bytes ?? 0;
  }

  *#own(analyzer: Analyzer, meter: OperationMeter): Sliced<CompiledVocabulary | undefined> {
    this.#kept();
    const { vocabulary } = this.#deps.state;
    return vocabulary.isEmpty ? undefined : yield* this.#compile(vocabulary.current, analyzer, meter);
  }

  *#compile(vocabulary: Vocabulary, analyzer: Analyzer, meter: OperationMeter): Sliced<CompiledVocabulary> {
    const known = this.#compiled.get(vocabulary);
    if (known?.analyzer === analyzer) return known.compiled;
    const compiled = yield* CompiledVocabulary.of(vocabulary, analyzer, meter);
    this.#compiled.set(vocabulary, { analyzer, compiled });
    return compiled;
  }

  /** The tried vocabulary; lets it go {@link TRIED_MS} after its last question. */
  #kept(): Tried | undefined {
    if (this.#tried !== undefined && this.#deps.clock.monotonicMs() - this.#tried.usedMs >= TRIED_MS)
      this.#tried = undefined;
    return this.#tried;
  }

  async #read(tried: unknown): Promise<Vocabulary> {
    const text = textOf(tried);
    const known = this.#kept();
    const isKnown = text !== undefined && known?.text === text;
    const vocabulary = isKnown ? known.vocabulary : await this.#deps.slices.run(parseInSlices(tried, "vocabulary."));
    const bytes = vocabularyHeapBytes(vocabulary) + 2 * (text?.length ?? 0);
    this.#tried = { text, vocabulary, bytes, usedMs: this.#deps.clock.monotonicMs() };
    return vocabulary;
  }
}

/** The same text for the same vocabulary; undefined for a value that is no plain data. */
function textOf(tried: unknown): string | undefined {
  try {
    return JSON.stringify(tried);
  } catch {
    return undefined;
  }
}
