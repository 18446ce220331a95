import type { Analyzer } from "../analysis/analyzer.ts";
import type { BotState } from "../log/state.ts";
import type { RecordOf } from "../model/records.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import { frozen } from "../platform/frozen.ts";
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
}

/** Compiles the vocabulary of a question, with the analyzer of the index; undefined without a vocabulary. */
export type VocabularyOf = (analyzer: Analyzer, meter: OperationMeter) => Sliced<CompiledVocabulary | undefined>;

interface Compiled {
  readonly vocabulary: Vocabulary;
  readonly analyzer: Analyzer;
  readonly compiled: CompiledVocabulary;
}

/** The vocabulary of one bot, and what its searches make of it. */
export class BotVocabulary {
  readonly #deps: BotVocabularyDeps;
  #compiled: Compiled | undefined;
  /** The last vocabulary that a search tried instead, so that an evaluation reads it once. */
  #tried: { readonly text: string | undefined; readonly vocabulary: Vocabulary } | undefined;
  #compiledTrial: Compiled | undefined;

  constructor(deps: BotVocabularyDeps) {
    this.#deps = deps;
  }

  /** The vocabulary, frozen: searches work on the same data. */
  get(): Vocabulary {
    return frozen(this.#deps.state.vocabulary.current);
  }

  /** Replaces the whole vocabulary. @throws ValidationError */
  async set(input: unknown): Promise<void> {
    const { slices, ready } = this.#deps;
    const vocabulary = await slices.run(parseInSlices(input));
    await ready();
    await this.#deps.ingest.setVocabulary({ kind: "vocabularySet", vocabulary });
  }

  /** The vocabulary that a question tries instead of the bot's. @throws ValidationError */
  async tried(input: unknown): Promise<VocabularyOf> {
    const vocabulary = await this.#read(input);
    return (analyzer, meter) => this.#trial(vocabulary, analyzer, meter);
  }

  /** The bot's own vocabulary, as it is when the question is analyzed. */
  readonly own: VocabularyOf = (analyzer, meter) => this.#own(analyzer, meter);

  *#own(analyzer: Analyzer, meter: OperationMeter): Sliced<CompiledVocabulary | undefined> {
    const { vocabulary } = this.#deps.state;
    if (vocabulary.isEmpty) {
      this.#compiled = undefined;
      return undefined;
    }
    this.#compiled = yield* compiledAs(this.#compiled, vocabulary.current, analyzer, meter);
    return this.#compiled.compiled;
  }

  *#trial(vocabulary: Vocabulary, analyzer: Analyzer, meter: OperationMeter): Sliced<CompiledVocabulary> {
    this.#compiledTrial = yield* compiledAs(this.#compiledTrial, vocabulary, analyzer, meter);
    return this.#compiledTrial.compiled;
  }

  async #read(tried: unknown): Promise<Vocabulary> {
    const text = textOf(tried);
    if (text !== undefined && this.#tried?.text === text) return this.#tried.vocabulary;
    const vocabulary = await this.#deps.slices.run(parseInSlices(tried, "vocabulary."));
    this.#tried = { text, vocabulary };
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

/** The vocabulary compiled for this analyzer: `known` if it is that. */
function* compiledAs(
  known: Compiled | undefined,
  vocabulary: Vocabulary,
  analyzer: Analyzer,
  meter: OperationMeter,
): Sliced<Compiled> {
  if (known?.vocabulary === vocabulary && known.analyzer === analyzer) return known;
  return { vocabulary, analyzer, compiled: yield* CompiledVocabulary.of(vocabulary, analyzer, meter) };
}
