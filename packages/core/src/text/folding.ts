import { unicodeForm } from "../runtime/unicode-form.ts";

/** What one way of writing has in common with another: small steps that profiles of languages are made of. */

export type Fold = (text: string) => string;

const MARKS = /\p{M}+/gu;
const NON_ASCII = /[^\p{ASCII}]/u;

/** Without accents and vowel signs; letters that Unicode does not take apart as well. */
export function withoutMarks(text: string): string {
  return NON_ASCII.test(text) ? unicodeForm(text, "NFD").replace(MARKS, "").replace(UNDIVIDED, plainLetter) : text;
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

/** Arabic as it is written without vowel signs and lengthening. */
export function arabicLetters(word: string): string {
  return word.replaceAll("\u0640", "").replace(MARKS, "");
}

/** Persian and its neighbours, whose keyboards have several letters for one. */
export function persianLetters(word: string): string {
  return arabicLetters(word)
    .replace(/[يىۍې]/g, "ی")
    .replaceAll("ك", "ک")
    .replace(/[ۀةہھە]/g, "ه")
    .replace(/[أإٱ]/g, "ا");
}

/** What stands at the end of a word only is the letter that it is elsewhere. */
export function hebrewLetters(word: string): string {
  return word.replace(MARKS, "").replace(/[ךםןףץ]/g, (last) => String.fromCharCode(last.charCodeAt(0) + 1));
}

/** Dots below letters are left out as often as not, and a nasal vowel is written in two ways. */
export function indicLetters(word: string): string {
  return word
    .replace(/[\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g, "")
    .replace(/[\u0901\u0981\u0a01\u0a81\u0b01]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 1));
}

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
