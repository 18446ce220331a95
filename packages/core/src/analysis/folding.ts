import { must } from "../model/must.ts";
import { unicodeForm } from "../platform/unicode-form.ts";

/** Folding: small rules that give different spellings one form. Profiles of languages combine them. */

export type Fold = (text: string) => string;

const MARKS = /\p{M}+/gu;
/** Accents and vowel signs that writers leave out. Marks of other scripts, such as those of India and its neighbours, carry meaning and stay. */
const ACCENTS =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;
const NON_ASCII = /[^\p{ASCII}]/u;

/** Removes accents and vowel signs, also of letters that Unicode does not decompose, such as ł. */
export function withoutMarks(text: string): string {
  return NON_ASCII.test(text) ? unicodeForm(text, "NFD").replace(ACCENTS, "").replace(UNDIVIDED, plainLetter) : text;
}

const UNDIVIDED = /[łđıøħŧ]/g;
const PLAIN: ReadonlyMap<string, string> = new Map([..."łlđdıiøoħhŧt"].flatMap(pairs));

function pairs(letter: string, at: number, all: readonly string[]): [string, string][] {
  return at % 2 === 0 ? [[letter, must(all[at + 1], "the plain letter of a pair")]] : [];
}

function plainLetter(letter: string): string {
  return PLAIN.get(letter) ?? letter;
}

/** Folds German umlauts (ä and ae) to plain vowels, and ß to ss. */
export function germanLetters(word: string): string {
  const plain = withoutMarks(word.replaceAll("ß", "ss"));
  return plain.replace(/([ao])e|(?<![aeiouq])ue(?![aeiou])/g, (pair) => pair.charAt(0));
}

/**
 * Turkic lower case of I and İ: capital I becomes ı, and İ becomes i. A combining dot, which lower-casing by another language's rules leaves,
 * is removed. Must run before lower-casing.
 */
export function turkicCapitals(text: string): string {
  if (!/I|İ|\u0307/.test(text)) return text;
  return unicodeForm(text, "NFD").replace(DOTTED_CAPITAL, "i$1").replaceAll("\u0307", "").replaceAll("I", "ı");
}

const DOTTED_CAPITAL = /I(\p{M}*?)\u0307/gu;

/** Replaces ligatures by two letters, as keyboards without them type. */
export function frenchLetters(word: string): string {
  return word.replaceAll("œ", "oe").replaceAll("æ", "ae");
}

/** Removes vowel signs and lengthening from Arabic script. */
function bareLetters(word: string): string {
  return word.replaceAll("\u0640", "").replace(MARKS, "");
}

/** Folds Arabic letters: an alef with signs, a final letter with or without dots, and letters of Persian keyboards. */
export function arabicLetters(word: string): string {
  return bareLetters(word)
    .replace(/[أإآٱ]/g, "ا")
    .replace(/[ىی]/g, "ي")
    .replaceAll("ک", "ك");
}

/**
 * Removes the articles that the Arabic stemmer left: behind "and" and "so", and at the beginning of a word. Some words begin with an alef and a lam
 * of their own, which the stemmer takes for an article.
 */
export function withoutArticle(stem: string): string {
  return stem.replace(/^[وف]?[بك]?(?:ال){1,2}(?=...)/, "");
}

/** Gives all cases of a Greek word one stem: removes the adjective suffix ικ and the iota of feminines, which the stemmer leaves in some cases. */
export function greekStem(stem: string): string {
  return stem.replace(/(?<=...)ικ?$/, "");
}

/** Folds Uyghur letters: letters of neighbouring keyboards that look like its vowels become these. */
export function uyghurLetters(word: string): string {
  return bareLetters(word).replaceAll("ی", "ى").replaceAll("ک", "ك").replaceAll("ہ", "ھ").replaceAll("ه", "ە");
}

/** Folds letters of Persian and its neighbours, whose keyboards have several codes for one letter. */
export function persianLetters(word: string): string {
  return bareLetters(word)
    .replace(/[يىۍې]/g, "ی")
    .replaceAll("ك", "ک")
    .replace(/[ۀةہھە]/g, "ه")
    .replace(/[أإٱ]/g, "ا");
}

/** Removes Hebrew vowel signs, and replaces final forms of letters by the usual ones. */
export function hebrewLetters(word: string): string {
  return word.replace(MARKS, "").replace(/[ךםןףץ]/g, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
}

/** Folds spellings of Indic scripts: removes dots below letters, and unifies two spellings of nasal vowels and of consonants without a vowel. */
export function indicLetters(word: string): string {
  return word
    .replace(/[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g, "")
    .replace(/[\u0901\u0981\u0a01\u0a81\u0b01]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1))
    .replace(VOWELLESS, (letter) => VOWELLESS_LETTERS.get(letter) ?? letter);
}

/** Letters of Bengali and Malayalam without a vowel, with their other spelling: a letter and the sign that removes its vowel. */
const VOWELLESS_LETTERS: ReadonlyMap<string, string> = new Map([
  ["\u09ce", "\u09a4\u09cd"],
  ["\u0d7a", "\u0d23\u0d4d"],
  ["\u0d7b", "\u0d28\u0d4d"],
  ["\u0d7c", "\u0d30\u0d4d"],
  ["\u0d7d", "\u0d32\u0d4d"],
  ["\u0d7e", "\u0d33\u0d4d"],
  ["\u0d7f", "\u0d15\u0d4d"],
]);
const VOWELLESS = /[\u09ce\u0d7a-\u0d7f]/g;

/** Folds ё to е, as most writers type it. */
export function cyrillicLetters(word: string): string {
  return word.replaceAll("ё", "е");
}

/** The zeros of the decimal digits of other scripts. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20,
  0x1040, 0x1090, 0x17e0, 0x1810,
];
const OTHER_DIGITS = /[^\P{Nd}0-9]/gu;

/** Digits of any script as those of ASCII. */
export function plainDigits(word: string): string {
  return word.replace(OTHER_DIGITS, (digit) => {
    const code = digit.charCodeAt(0);
    const zero = ZEROS.find((first) => code >= first && code < first + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}
