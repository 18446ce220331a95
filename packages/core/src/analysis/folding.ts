import { unicodeForm } from "../platform/unicode-form.ts";

/** What one way of writing has in common with another: small steps that profiles of languages are made of. */

export type Fold = (text: string) => string;

const MARKS = /\p{M}+/gu;
/** Accents and vowel signs that are left out in writing. Marks of other scripts, those of India and its neighbours, are half of what a word says. */
const ACCENTS =
  /(?=\p{M})[\p{Script=Inherited}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}]/gu;
const NON_ASCII = /[^\p{ASCII}]/u;

/** Without accents and vowel signs; letters that Unicode does not take apart as well. */
export function withoutMarks(text: string): string {
  return NON_ASCII.test(text) ? unicodeForm(text, "NFD").replace(ACCENTS, "").replace(UNDIVIDED, plainLetter) : text;
}

const UNDIVIDED = /[łđıøħŧ]/g;
const PLAIN: ReadonlyMap<string, string> = new Map([..."łlđdıiøoħhŧt"].flatMap(pairs));

function pairs(letter: string, at: number, all: readonly string[]): [string, string][] {
  return at % 2 === 0 ? [[letter, all[at + 1] ?? ""]] : [];
}

function plainLetter(letter: string): string {
  return PLAIN.get(letter) ?? letter;
}

/** Umlauts as they are typed without them (ä or ae), and ß as ss. */
export function germanLetters(word: string): string {
  const plain = withoutMarks(word.replaceAll("ß", "ss"));
  return plain.replace(/([ao])e|(?<![aeiouq])ue(?![aeiou])/g, (pair) => pair.charAt(0));
}

/**
 * Capital I is a dotless one, and an i with a dot a plain one, also where the dot is a character of its own, as capitals leave it that
 * became small by another language's rule. To be done before capitals become small.
 */
export function turkicCapitals(text: string): string {
  if (!/I|İ|\u0307/.test(text)) return text;
  return unicodeForm(text, "NFD").replace(DOTTED_CAPITAL, "i$1").replaceAll("\u0307", "").replaceAll("I", "ı");
}

const DOTTED_CAPITAL = /I(\p{M}*?)\u0307/gu;

/** A ligature is typed as two letters where keyboards lack it. */
export function frenchLetters(word: string): string {
  return word.replaceAll("œ", "oe").replaceAll("æ", "ae");
}

/** Arabic script as it is written without vowel signs and lengthening. */
function bareLetters(word: string): string {
  return word.replaceAll("\u0640", "").replace(MARKS, "");
}

/** Arabic, whose signs on an alef are left out as often as not, and whose last letter is typed with its dots or without; letters of Persian keyboards too. */
export function arabicLetters(word: string): string {
  return bareLetters(word)
    .replace(/[أإآٱ]/g, "ا")
    .replace(/[ىی]/g, "ي")
    .replaceAll("ک", "ك");
}

/**
 * An Arabic stem without the articles that the stemmer left: behind "and" and "so", and where a word begins with an alef and a lam of its own, which it takes for an
 * article if there is none.
 */
export function withoutArticle(stem: string): string {
  return stem.replace(/^[وف]?[بك]?(?:ال){1,2}(?=...)/, "");
}

/** A Greek stem as the stemmer leaves it in some cases of a word, in all of them: without what makes an adjective of a noun, and without the iota of feminines. */
export function greekStem(stem: string): string {
  return stem.replace(/(?<=...)ικ?$/, "");
}

/** Uyghur writes its vowels, each with a letter of its own; those of neighbours' keyboards look like some of them. */
export function uyghurLetters(word: string): string {
  return bareLetters(word).replaceAll("ی", "ى").replaceAll("ک", "ك").replaceAll("ہ", "ھ").replaceAll("ه", "ە");
}

/** Persian and its neighbours, whose keyboards have several letters for one. */
export function persianLetters(word: string): string {
  return bareLetters(word)
    .replace(/[يىۍې]/g, "ی")
    .replaceAll("ك", "ک")
    .replace(/[ۀةہھە]/g, "ه")
    .replace(/[أإٱ]/g, "ا");
}

/** What stands at the end of a word only is the letter that it is elsewhere. */
export function hebrewLetters(word: string): string {
  return word.replace(MARKS, "").replace(/[ךםןףץ]/g, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
}

/** Dots below letters are left out as often as not, and a nasal vowel and a consonant without one are written in two ways. */
export function indicLetters(word: string): string {
  return word
    .replace(/[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g, "")
    .replace(/[\u0901\u0981\u0a01\u0a81\u0b01]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1))
    .replace(VOWELLESS, (letter) => VOWELLESS_LETTERS.get(letter) ?? letter);
}

/** Bengali and Malayalam have letters of their own for what other texts write as a letter with the sign that takes its vowel away. */
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
