import { languageOf } from "../model/language-tags.ts";
import { openLanguageDetector } from "./detector-file.ts";

/** Tells the language of a text; undefined where the text leaves it open. */
export interface LanguageTeller {
  /** Whether it knows texts in this language. */
  knows(language: string): boolean;
  tell(text: string): string | undefined;
}

/** What tells the languages of documents in `auto` bots, without its guesses. Read by the first call, in turns. */
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

/** Words that most English sentences have some of, and sentences in other languages hardly any. */
const ENGLISH = new Set(
  "the of and to is that for with you this are your be by can from it as or not if have when which will".split(" "),
);
/** In a text that is plainly English, one word in this many is one of those. */
const ENGLISH_WORD_IN = 8;
const WORD = /\p{L}+/gu;

/** Whether a text is plainly English, without anything that has to be loaded. False leaves it open. */
export function isPlainlyEnglish(text: string): boolean {
  const words = text.toLowerCase().match(WORD) ?? [];
  const english = words.filter((word) => ENGLISH.has(word));
  return new Set(english).size >= 2 && english.length * ENGLISH_WORD_IN >= words.length;
}

/** What finds the languages of a bot's documents. */
export const LANGUAGE_READER = { isPlainlyEnglish, teller: languageTeller } as const;
