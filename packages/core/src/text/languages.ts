import type { Analyzer } from "./analyzer.ts";
import { EnglishAnalyzer } from "./english.ts";
import { UnicodeAnalyzer } from "./unicode.ts";

// Made at the start: reading what English needs takes some 80 ms, which no request should wait for.
const ANALYZERS: ReadonlyMap<string, Analyzer> = new Map<string, Analyzer>([
  ["en", new EnglishAnalyzer()],
  ["multi", new UnicodeAnalyzer()],
]);

/** The languages a bot can have. */
export const LANGUAGES: readonly string[] = [...ANALYZERS.keys()];

/** The analyzer of a language; bots share it and so its memory of words. Undefined for a language that is not known. */
export function analyzerOf(language: string): Analyzer | undefined {
  return ANALYZERS.get(language);
}
