import { languageOf } from "../model/language-tags.ts";
import { LruMap } from "../platform/lru-map.ts";
import { type Analyzer, type DocumentLanguages, UNKNOWN_LANGUAGE } from "./analyzer.ts";
import { openLanguageDetector } from "./detector-file.ts";
import { EnglishAnalyzer } from "./english.ts";
import { LanguageAnalyzer } from "./language-analyzer.ts";
import { ManyLanguages } from "./many-languages.ts";
import { allStemmers, type Stemmer } from "./stemmers.ts";

/** Detects the language of a text; empty if it cannot. Takes bounded time for any text. */
export type Detector = (text: string) => string;

/** The detector and its version, in the analyzer's id: another version of eld's table may detect other languages. */
const DETECTOR = "eld-2.1.0";

/** Cached analyzers of questions, one for each set of languages. A bot has one set. */
const READERS_MAX = 64;

/** The analyzer of `auto`: analyzes each document in its detected language, and questions in the languages of all documents. */
export class AutoAnalyzer extends LanguageAnalyzer {
  readonly documents: DocumentLanguages;
  readonly #detect: Detector;
  readonly #stemmers: ReadonlyMap<string, Stemmer>;
  readonly #analyzers: Map<string, Analyzer>;
  readonly #readers = new LruMap<string, Analyzer>(READERS_MAX);

  constructor(detect: Detector, english: Analyzer, stemmers: ReadonlyMap<string, Stemmer>) {
    super("auto", { others: [english.id, DETECTOR] });
    this.#detect = detect;
    this.#stemmers = stemmers;
    this.#analyzers = new Map([["en", english]]);
    this.documents = {
      languageOf: (text) => languageOf(this.#detect(text)) ?? UNKNOWN_LANGUAGE,
      analyzerOf: (language) => this.#analyzerOf(language),
      readerOf: (languages) => this.#readerOf(languages),
    };
  }

  /** Loads the detector and all stemmers, since any language may occur. */
  static async make(english: Analyzer = new EnglishAnalyzer()): Promise<AutoAnalyzer> {
    const [detector, stemmers] = await Promise.all([openLanguageDetector(), allStemmers()]);
    return new AutoAnalyzer((text) => detector.detect(text).tag, english, stemmers);
  }

  #analyzerOf(language: string): Analyzer {
    const known = this.#analyzers.get(language);
    if (known !== undefined) return known;
    const made = new LanguageAnalyzer(language, { stemmer: this.#stemmers.get(language) });
    this.#analyzers.set(language, made);
    return made;
  }

  #readerOf(languages: readonly string[]): Analyzer {
    const [only] = languages;
    if (only === undefined) return this;
    if (languages.length === 1) return this.#analyzerOf(only);
    const key = languages.join();
    const known = this.#readers.get(key);
    if (known !== undefined) return known;
    const made = new ManyLanguages(languages.map((language) => this.#analyzerOf(language)));
    this.#readers.set(key, made);
    return made;
  }
}
