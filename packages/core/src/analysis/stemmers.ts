import { inflectionLanguages, inflectionStemmer } from "./inflections.ts";

/** Returns the stem of a word in lower case. */
export type Stemmer = (word: string) => string;

/**
 * Snowball's stemmers, by language. Each is a file that is loaded on first use. Croatian and Bosnian use the Serbian stemmer, since the
 * languages differ mostly in spelling.
 */
const STEMMERS: Readonly<Record<string, () => Promise<{ readonly stemmer: Stemmer }>>> = {
  ar: () => import("@orama/stemmers/arabic"),
  bs: () => import("@orama/stemmers/serbian"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  el: () => import("@orama/stemmers/greek"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  ga: () => import("@orama/stemmers/irish"),
  hi: () => import("@orama/stemmers/indian"),
  hr: () => import("@orama/stemmers/serbian"),
  hu: () => import("@orama/stemmers/hungarian"),
  hy: () => import("@orama/stemmers/armenian"),
  id: () => import("@orama/stemmers/indonesian"),
  it: () => import("@orama/stemmers/italian"),
  lt: () => import("@orama/stemmers/lithuanian"),
  ms: () => import("@orama/stemmers/indonesian"),
  ne: () => import("@orama/stemmers/nepali"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sr: () => import("@orama/stemmers/serbian"),
  sv: () => import("@orama/stemmers/swedish"),
  ta: () => import("@orama/stemmers/tamil"),
  tr: () => import("@orama/stemmers/turkish"),
  uk: () => import("@orama/stemmers/ukrainian"),
};

/** Loads all stemmers, by language. */
export async function allStemmers(): Promise<ReadonlyMap<string, Stemmer>> {
  const made = Object.entries(STEMMERS).map(async ([language, load]) => [language, (await load()).stemmer] as const);
  const own = [...inflectionLanguages(), "he"].map(async (language) => [language, ownStemmer(language)] as const);
  const all = await Promise.all([...made, ...own]);
  return new Map(all.flatMap(([language, stemmer]) => (stemmer === undefined ? [] : [[language, stemmer] as const])));
}

/** Loads the stemmer of a language; undefined if there is none. */
export async function stemmerOf(language: string): Promise<Stemmer | undefined> {
  return (await STEMMERS[language]?.())?.stemmer ?? ownStemmer(language);
}

function ownStemmer(language: string): Stemmer | undefined {
  return language === "he" ? hebrewStem : inflectionStemmer(language);
}

/** Prefixes of one letter: and, the, in, like, to, that, from. A word may have several. */
const PREFIXES = new Set("והבכלמש");
const ENDING = /(?:ימ|ות|ית|יה|ה|י)$/;
const STEM_LETTERS_MIN = 3;
const ENDED_LETTERS_MIN = 5;

/**
 * The stem of a Hebrew word: without prefixes, and without the ending of a plural or a feminine. Letters that may be prefixes are always removed,
 * so a word of three letters or more has the same stem with prefixes and without. Some words that begin with such a letter share another word's stem.
 */
function hebrewStem(word: string): string {
  let start = 0;
  while (word.length - start > STEM_LETTERS_MIN && PREFIXES.has(word.charAt(start))) start++;
  const stem = word.slice(start);
  return stem.length >= ENDED_LETTERS_MIN ? stem.replace(ENDING, "") : stem;
}
