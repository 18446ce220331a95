import { languageOf } from "../model/language-tags.ts";
import type { Analyzer } from "./analyzer.ts";

/** Those that were asked for. What a language needs is read when it is asked for: English alone takes a quarter of a second. */
const analyzers = new Map<string, Promise<Analyzer>>();

/**
 * The analyzer of a language by its tag; bots share it and so its memory of words. Undefined for a language that is not known. Made by the first call, so that
 * whoever lets nobody wait for it calls it before.
 */
export function analyzerOf(tag: string): Promise<Analyzer> | undefined {
  const language = languageOf(tag);
  if (language === undefined) return undefined;
  const known = analyzers.get(language);
  if (known !== undefined) return known;
  const made = make(language);
  analyzers.set(language, made);
  // What could not be read is read anew when it is next asked for.
  made.catch(() => analyzers.delete(language));
  return made;
}

async function make(language: string): Promise<Analyzer> {
  if (language === "auto") return (await import("./auto-analyzer.ts")).AutoAnalyzer.make(await analyzerOf("en"));
  if (language === "en") return new (await import("./english.ts")).EnglishAnalyzer();
  return (await import("./language-analyzer.ts")).LanguageAnalyzer.of(language);
}
