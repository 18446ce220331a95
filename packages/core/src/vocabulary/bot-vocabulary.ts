import type { Analyzer } from "../analysis/analyzer.ts";
import type { BotState } from "../log/state.ts";
import type { RecordOf } from "../model/records.ts";
import type { Vocabulary } from "../model/vocabulary-types.ts";
import type { OperationMeter, Sliced } from "../scheduling/time-slices.ts";
import { CompiledVocabulary } from "./compiled-vocabulary.ts";
import { parseVocabulary } from "./shape.ts";

/** Dependencies of {@link BotVocabulary}. */
export interface BotVocabularyDeps {
  readonly state: Pick<BotState, "vocabulary">;
  /** The write path. */
  readonly ingest: { setVocabulary(record: RecordOf<"vocabularySet">): Promise<void> };
  /** Resolves when a write may begin. */
  readonly ready: () => Promise<void>;
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
  #tried: { readonly text: string; readonly vocabulary: Vocabulary } | undefined;
  #compiledTrial: Compiled | undefined;

  constructor(deps: BotVocabularyDeps) {
    this.#deps = deps;
  }

  get(): Vocabulary {
    return this.#deps.state.vocabulary.current;
  }

  /** Replaces the whole vocabulary. @throws ValidationError */
  async set(input: unknown): Promise<void> {
    const vocabulary = parseVocabulary(input);
    await this.#deps.ready();
    await this.#deps.ingest.setVocabulary({ kind: "vocabularySet", vocabulary });
  }

  /** The vocabulary of a question: the bot's, or the one that the question tries instead. @throws ValidationError */
  of(tried: unknown): VocabularyOf {
    if (tried === undefined) return (analyzer, meter) => this.#own(analyzer, meter);
    const vocabulary = this.#read(tried);
    return (analyzer, meter) => this.#trial(vocabulary, analyzer, meter);
  }

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

  #read(tried: unknown): Vocabulary {
    const text = JSON.stringify(tried);
    if (this.#tried?.text !== text) this.#tried = { text, vocabulary: parseVocabulary(tried, "vocabulary.") };
    return this.#tried.vocabulary;
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
