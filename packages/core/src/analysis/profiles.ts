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
 * What an apostrophe between letters does.
 * - `whole`: no language is known. The word stays as it is, and each of its parts is a term beside it.
 * - `ends`: an ending stands behind it, which is cut.
 * - `begins`: a short article stands before it, which is cut.
 * - `names`: it stands in names alone, as in D'Artagnan: the name is a term, and so is each of its parts.
 * - `joins`: it is a letter, or as good as one: it is as if it were not there.
 */
export type Apostrophe = "whole" | "ends" | "begins" | "names" | "joins";

/** Longest endings behind an apostrophe, in letters: `İstanbul'dakiler`, `Grimm'schen`, `A4'tjes`. What is longer is a word. */
const ENDING_LETTERS: Readonly<Record<string, number>> = { tr: 8, az: 8, de: 5, nl: 5, et: 4, pl: 4, cs: 4 };
const ENDING_LETTERS_DEFAULT = 3;

/** How many letters behind an apostrophe may be an ending in a language whose apostrophe {@link Apostrophe ends} a word. */
export function endingLettersMax(language: string): number {
  return ENDING_LETTERS[language] ?? ENDING_LETTERS_DEFAULT;
}

/** How a language is written. */
export interface Profile {
  /** Done to a text before it is read in small letters. */
  readonly text?: Fold;
  /** Done to a word before its stem is taken. */
  readonly word?: Fold;
  /** Done to a stem: what people leave out when they type. */
  readonly stem?: Fold;
  readonly apostrophe: Apostrophe;
  /** What may stand between two words that are written together; see `Analyzer.links`. */
  readonly links?: readonly string[];
  /** A word with accents is found without them too, as many people type it; with them it is found better. */
  readonly plainToo?: boolean;
  /** Stems lose beginnings too, so that mistakes are looked for in stems. */
  readonly losesBeginnings?: boolean;
}

const ARABIC_SCRIPT: Profile = { word: persianLetters, apostrophe: "joins" };
const INDIC: Profile = { word: indicLetters, apostrophe: "joins" };
const CYRILLIC: Profile = { word: cyrillicLetters, apostrophe: "joins" };
/** Accents are often left out. They go last, for the stemmer reads them. */
const ACCENTED: Profile = { stem: withoutMarks, apostrophe: "names" };
/** An apostrophe is a letter, or makes another one of that before it. */
const WITH_LETTER_APOSTROPHE: Profile = { stem: withoutMarks, apostrophe: "joins" };
const ACCENTED_ENDS: Profile = { stem: withoutMarks, apostrophe: "ends" };
/** Endings are looked at without accents. */
const PLAIN: Profile = { word: withoutMarks, apostrophe: "names" };
const PLAIN_ENDS: Profile = { word: withoutMarks, apostrophe: "ends" };
const ROMANCE: Profile = { stem: withoutMarks, apostrophe: "begins" };
/** Letters of the north with marks are letters of their own, which everybody there types. */
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

/** How words are found where no language is known. */
const ANY: Profile = { apostrophe: "whole" };

/** Languages without an entry have an alphabet of their own, or the Latin one with a few accents. */
export function profileOf(language: string): Profile {
  return language === "multi" || language === "auto" ? ANY : (PROFILES[language] ?? ACCENTED);
}
