import {
  arabicLetters,
  cyrillicLetters,
  type Fold,
  frenchLetters,
  germanLetters,
  greekStem,
  hebrewLetters,
  indicLetters,
  persianLetters,
  turkicCapitals,
  uyghurLetters,
  withoutArticle,
  withoutMarks,
} from "./folding.ts";

/**
 * The role of an apostrophe between letters.
 * - `whole`: the language is unknown. The word is a term, and so is each of its parts.
 * - `ends`: an ending follows it, which is removed.
 * - `begins`: a short article precedes it, which is removed.
 * - `names`: it occurs only in names, as in D'Artagnan. The name is a term, and so is each of its parts.
 * - `joins`: it is a letter or similar. It is ignored.
 */
export type Apostrophe = "whole" | "ends" | "begins" | "names" | "joins";

/** Longest endings behind an apostrophe, in letters: `İstanbul'dakiler`, `Grimm'schen`, `A4'tjes`. A longer string is a word. */
const ENDING_LETTERS: Readonly<Record<string, number>> = { tr: 8, az: 8, de: 5, nl: 5, et: 4, pl: 4, cs: 4 };
const ENDING_LETTERS_DEFAULT = 3;

/** The most letters of an ending behind an apostrophe, in a language whose apostrophe {@link Apostrophe ends} a word. */
export function endingLettersMax(language: string): number {
  return ENDING_LETTERS[language] ?? ENDING_LETTERS_DEFAULT;
}

/** The spelling rules of a language. */
export interface Profile {
  /** Folds a text before lower-casing. */
  readonly text?: Fold;
  /** Folds a word before stemming. */
  readonly word?: Fold;
  /** Folds a stem: removes what people leave out when they type. */
  readonly stem?: Fold;
  readonly apostrophe: Apostrophe;
  /** Linking elements of compound words; see `Analyzer.links`. */
  readonly links?: readonly string[];
  /** Whether a word with accents has a second term without them, as many people type it. An exact match scores higher. */
  readonly plainToo?: boolean;
  /** Whether stemming removes prefixes too, so that typing mistakes are searched in stems. */
  readonly losesBeginnings?: boolean;
}

const ARABIC_SCRIPT: Profile = { word: persianLetters, apostrophe: "joins" };
const INDIC: Profile = { word: indicLetters, apostrophe: "joins" };
const CYRILLIC: Profile = { word: cyrillicLetters, apostrophe: "joins" };
/** Accents are often left out. They are removed after stemming, since the stemmer needs them. */
const ACCENTED: Profile = { stem: withoutMarks, apostrophe: "names" };
/** An apostrophe is a letter, or modifies the one before it. */
const WITH_LETTER_APOSTROPHE: Profile = { stem: withoutMarks, apostrophe: "joins" };
const ACCENTED_ENDS: Profile = { stem: withoutMarks, apostrophe: "ends" };
/** The stemmer's endings have no accents. */
const PLAIN: Profile = { word: withoutMarks, apostrophe: "names" };
const PLAIN_ENDS: Profile = { word: withoutMarks, apostrophe: "ends" };
const ROMANCE: Profile = { stem: withoutMarks, apostrophe: "begins" };
/** Nordic letters with marks are letters of their own, which all writers type. */
const NORTHERN: Profile = { apostrophe: "ends" };
const TURKIC: Profile = { text: turkicCapitals, stem: withoutMarks, apostrophe: "ends" };

const GERMAN_LINKS = [
  "",
  "s",
  "es",
  "n",
  "en",
  "er",
  "e",
  "ens",
  "ns",
  "ung",
  "ungs",
  "heit",
  "heits",
  "keit",
  "keits",
];
const NORTHERN_LINKS = ["", "s", "e", "er", "ings", "nings"];

const PROFILES: Readonly<Record<string, Profile>> = {
  ar: { word: arabicLetters, stem: withoutArticle, apostrophe: "joins", losesBeginnings: true },
  as: INDIC,
  az: TURKIC,
  be: CYRILLIC,
  bg: CYRILLIC,
  bn: INDIC,
  br: WITH_LETTER_APOSTROPHE,
  ca: ROMANCE,
  cs: PLAIN_ENDS,
  da: { ...NORTHERN, links: NORTHERN_LINKS },
  de: {
    word: germanLetters,
    apostrophe: "ends",
    links: [...GERMAN_LINKS, "ig", "lich", "isch", "ion", "ions"],
  },
  el: { word: withoutMarks, stem: greekStem, apostrophe: "joins" },
  et: { ...NORTHERN, links: ["", "e"] },
  eu: PLAIN,
  fa: ARABIC_SCRIPT,
  fi: { ...NORTHERN, links: ["", "n", "en", "s"] },
  fr: { ...ROMANCE, word: frenchLetters },
  gu: INDIC,
  he: {
    word: hebrewLetters,
    apostrophe: "joins",
    losesBeginnings: true,
  },
  hi: INDIC,
  id: { ...ACCENTED, losesBeginnings: true },
  is: NORTHERN,
  it: ROMANCE,
  kk: CYRILLIC,
  kn: INDIC,
  ky: CYRILLIC,
  lv: PLAIN,
  mk: CYRILLIC,
  ml: INDIC,
  mn: CYRILLIC,
  mr: INDIC,
  ms: { ...ACCENTED, losesBeginnings: true },
  ne: INDIC,
  nl: { ...ACCENTED_ENDS, links: ["", "s", "en", "e", "er"] },
  no: { ...NORTHERN, links: NORTHERN_LINKS },
  or: INDIC,
  pa: INDIC,
  pl: PLAIN_ENDS,
  ps: ARABIC_SCRIPT,
  ro: { text: (text) => text.replace(/[șȘ]/g, "ş").replace(/[țȚ]/g, "ţ"), stem: withoutMarks, apostrophe: "names" },
  ru: CYRILLIC,
  sa: INDIC,
  sd: ARABIC_SCRIPT,
  si: INDIC,
  sk: PLAIN,
  sl: PLAIN,
  sv: { ...NORTHERN, links: NORTHERN_LINKS },
  ta: INDIC,
  te: INDIC,
  tr: TURKIC,
  ug: { word: uyghurLetters, apostrophe: "joins" },
  uk: CYRILLIC,
  ur: ARABIC_SCRIPT,
  uz: WITH_LETTER_APOSTROPHE,
  vi: { plainToo: true, apostrophe: "joins" },
  yi: { word: hebrewLetters, apostrophe: "joins" },
};

/** The profile of an unknown language. */
const ANY: Profile = { apostrophe: "whole" };

/** The profile of a language. Languages without an entry have their own alphabet, or the Latin one with a few accents. */
export function profileOf(language: string): Profile {
  return language === "multi" || language === "auto" ? ANY : (PROFILES[language] ?? ACCENTED);
}
