import { languageOf } from "../model/language-tags.ts";
import type { Analyzer } from "./analyzer.ts";

/** The loaded analyzers. A language is loaded on first use: some take a tenth of a second. */
const analyzers = new Map<string, Promise<Analyzer>>();

/**
 * The analyzer of a language by its tag. Bots share it, with its cache of words. Undefined for an unknown language. The first call loads
 * it, so a caller that must not wait later calls it early.
 */
export function analyzerOf(tag: string): Promise<Analyzer> | undefined {
  const language = languageOf(tag);
  if (language === undefined) return undefined;
  const known = analyzers.get(language);
  if (known !== undefined) return known;
  const made = make(language);
  analyzers.set(language, made);
  // The next call tries a failed load again.
  made.catch(() => analyzers.delete(language));
  return made;
}

async function make(language: string): Promise<Analyzer> {
  if (language === "auto") return (await import("./auto-analyzer.ts")).AutoAnalyzer.make(await analyzerOf("en"));
  if (language === "en") return new (await import("./english.ts")).EnglishAnalyzer();
  return (await import("./language-analyzer.ts")).LanguageAnalyzer.of(language);
}
