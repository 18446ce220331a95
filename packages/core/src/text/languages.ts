import type { Analyzer } from "./analyzer.ts";
import { UnicodeAnalyzer } from "./unicode.ts";

/** What English needs is read when it is asked for: it takes a quarter of a second, which a program that opens no engine is spared. */
const MAKERS: ReadonlyMap<string, () => Promise<Analyzer>> = new Map<string, () => Promise<Analyzer>>([
  ["en", async () => new (await import("./english.ts")).EnglishAnalyzer()],
  ["multi", async () => new UnicodeAnalyzer()],
]);

/** Those that were asked for. */
const analyzers = new Map<string, Promise<Analyzer>>();

/** The languages a bot can have. */
export const LANGUAGES: readonly string[] = [...MAKERS.keys()];

/**
 * The analyzer of a language; bots share it and so its memory of words. Undefined for a language that is not known. Made by the first call, so that
 * whoever lets nobody wait for it calls {@link makeAnalyzers} before.
 */
export function analyzerOf(language: string): Promise<Analyzer> | undefined {
  const known = analyzers.get(language);
  if (known !== undefined) return known;
  const made = MAKERS.get(language)?.();
  if (made !== undefined) analyzers.set(language, made);
  return made;
}

/** Makes the analyzers of all languages: no request waits for them later on. */
export async function makeAnalyzers(): Promise<void> {
  await Promise.all(LANGUAGES.map(analyzerOf));
}
