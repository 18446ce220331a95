import { hebrewStem } from "./hebrew-stems.ts";
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
