import { languageOf } from "../model/language-tags.ts";
import { commonWordsOf } from "./common-words.ts";
import { openLanguageDetector } from "./detector-file.ts";

/** Detects the language of texts, without guesses. */
export interface LanguageTeller {
  /** Whether it can detect this language. */
  knows(language: string): boolean;
  /** The language of a text; undefined if the detection is not reliable. */
  tell(text: string): string | undefined;
  /** Whether a text in this language has sentences. Lists of names, products and figures have none: they are the same in every language. */
  hasSentences(text: string, language: string): boolean;
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
    hasSentences,
  };
}

/** In sentences, at least one word in this many is a common word. */
const COMMON_WORD_IN = 16;
/** Shorter common words are initials and parts of codes too. */
const COMMON_LETTERS_MIN = 2;
const WORD_OR_CODE = /[\p{L}\p{M}\p{N}]+/gu;
/** The sets of common words that were asked for, by language. */
const COMMON = new Map<string, ReadonlySet<string>>();

/** Languages whose sentences may have no common word: endings stand in place of prepositions and pronouns. */
const BY_ENDINGS: ReadonlySet<string> = new Set(["fi"]);

/** Any text passes in a language that has no list of common words. */
function hasSentences(text: string, language: string): boolean {
  const common = commonWordSet(language);
  if (common.size === 0 || BY_ENDINGS.has(language)) return true;
  const words = text.toLowerCase().match(WORD_OR_CODE) ?? [];
  const found = words.filter((word) => common.has(word)).length;
  return found > 0 && found * COMMON_WORD_IN >= words.length;
}

function commonWordSet(language: string): ReadonlySet<string> {
  const known = COMMON.get(language);
  if (known !== undefined) return known;
  const words = commonWordsOf(language).toLowerCase().split(" ");
  const common: ReadonlySet<string> = new Set(words.filter(({ length }) => length >= COMMON_LETTERS_MIN));
  COMMON.set(language, common);
  return common;
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
