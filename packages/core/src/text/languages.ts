import type { Analyzer } from "./analyzer.ts";
import { EnglishAnalyzer } from "./english.ts";
import { UnicodeAnalyzer } from "./unicode.ts";

const ANALYZERS: Readonly<Record<string, () => Analyzer>> = {
  en: () => new EnglishAnalyzer(),
  multi: () => new UnicodeAnalyzer(),
};

const shared = new Map<string, Analyzer>();

/** The languages a bot can have. */
export const LANGUAGES: readonly string[] = Object.keys(ANALYZERS);

/** The analyzer of a language; bots share it and so its memory of words. Undefined for a language that is not known. */
export function analyzerOf(language: string): Analyzer | undefined {
  const known = shared.get(language);
  if (known !== undefined) return known;
  const made = Object.hasOwn(ANALYZERS, language) ? ANALYZERS[language]?.() : undefined;
  if (made !== undefined) shared.set(language, made);
  return made;
}
