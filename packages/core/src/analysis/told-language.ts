import { languageOf } from "../model/language-tags.ts";
import { openLanguageDetector } from "./detector-file.ts";

/** Detects the language of texts, without guesses. */
export interface LanguageTeller {
  /** Whether it can detect this language. */
  knows(language: string): boolean;
  /** The language of a text; undefined if the detection is not reliable. */
  tell(text: string): string | undefined;
}

/** Opens the detector of `auto` bots, without its guesses. The first call loads it, in time slices. */
async function languageTeller(): Promise<LanguageTeller> {
  const detector = await openLanguageDetector();
  const known = new Set(detector.tags.map((tag) => languageOf(tag)));
  return {
    knows: (language) => known.has(language),
    tell: (text) => {
      const { tag, isReliable } = detector.detect(text);
      return isReliable ? languageOf(tag) : undefined;
    },
  };
}

/** Frequent English words that hardly occur in other languages. */
const ENGLISH = new Set(
  "the of and to is that for with you this are your be by can from it as or not if have when which will".split(" "),
);
/** In a plainly English text, at least one word in this many is one of them. */
const ENGLISH_WORD_IN = 8;
const WORD = /\p{L}+/gu;

/** Whether a text is plainly English, without loading anything. False means unknown. */
export function isPlainlyEnglish(text: string): boolean {
  const words = text.toLowerCase().match(WORD) ?? [];
  const english = words.filter((word) => ENGLISH.has(word));
  return new Set(english).size >= 2 && english.length * ENGLISH_WORD_IN >= words.length;
}

/** The functions that detect the languages of a bot's documents. */
export const LANGUAGE_READER = { isPlainlyEnglish, teller: languageTeller } as const;
