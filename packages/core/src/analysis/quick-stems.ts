/**
 * A fast stemmer of English, less than a microsecond a word. It is the published algorithm (M. F. Porter, "The English (Porter2) stemming algorithm",
 * snowballstem.org) for words in which every y is a vowel. Its exceptions, and words whose y may be a consonant, are left to wink-nlp.
 */

/** Words with an irregular stem, and words that are stems once their plural ending is removed. */
const EXCEPTIONS = new Set(
  (
    "skis skies dying lying tying idly gently ugly early only singly sky news atlas cosmos bias andes " +
    "inning outing canning herring proceed exceed succeed earring"
  ).split(" "),
);

const CONSONANT_Y = /^y|[aeiou]y/;

/** An ending with its replacement. */
interface Ending {
  readonly ending: string;
  readonly replacement: string;
  /** One of these letters must stand before it; empty for any letter. */
  readonly after: string;
  /** Whether it is removed in the second region only. */
  readonly isLate: boolean;
}

type Endings = readonly (readonly Ending[])[];

/**
 * Parses a list of endings, by last letter, longest first. An entry is `ending>replacement`. `letters:` before it names the letters that must precede it;
 * `!` behind it means the second region only.
 */
function endings(list: string): Endings {
  const byLast: Ending[][] = Array.from({ length: 128 }, () => []);
  for (const entry of list.split(" ")) {
    const [from = "", to = ""] = entry.split(">");
    const [ending = "", after = ""] = from.split(":").reverse();
    const replacement = to.replace("!", "");
    byLast[ending.charCodeAt(ending.length - 1)]?.push({ ending, replacement, after, isLate: to.endsWith("!") });
  }
  for (const own of byLast) own.sort((a, b) => b.ending.length - a.ending.length);
  return byLast;
}

const DERIVATIONS = endings(
  "ational>ate ization>ize fulness>ful ousness>ous iveness>ive tional>tion biliti>ble lessli>less entli>ent ation>ate alism>al aliti>al ousli>ous " +
    "iviti>ive fulli>ful enci>ence anci>ance abli>able izer>ize ator>ate alli>al bli>ble l:ogi>og cdeghkmnrt:li>",
);
const ADJECTIVES = endings("ational>ate tional>tion alize>al icate>ic iciti>ic ative>! ical>ic ness> ful>");
const SUFFIXES = endings(
  "ement>! ance>! ence>! able>! ible>! ment>! ant>! ent>! ism>! ate>! iti>! ous>! ive>! ize>! st:ion>! al>! er>! ic>!",
);

/** The stem of a word of the letters a to z. Undefined for the few words that this stemmer leaves out. */
export function quickStem(word: string): string | undefined {
  if (word.length < STEMMED_LETTERS_MIN) return word;
  if (EXCEPTIONS.has(word) || CONSONANT_Y.test(word)) return undefined;
  const singular = withoutPlural(word);
  if (EXCEPTIONS.has(singular)) return undefined;
  const verb = withSoftY(withoutInflection(singular));
  return withoutLast(without(without(without(verb, DERIVATIONS), ADJECTIVES), SUFFIXES));
}

const STEMMED_LETTERS_MIN = 3;

function withoutPlural(word: string): string {
  const { length } = word;
  if (word.endsWith("sses")) return length > 4 ? word.slice(0, -2) : word;
  if (word.endsWith("ied") || (word.endsWith("ies") && length > 3)) {
    if (length > 4) return word.slice(0, -2);
    if (length === 4) return word.slice(0, -1);
  }
  if (!word.endsWith("s") || word.endsWith("us") || word.endsWith("ss")) return word;
  // The s is a plural's only behind a vowel that is not right before it: not in "gas" and "this".
  return firstVowel(word) < length - 2 ? word.slice(0, -1) : word;
}

function withoutInflection(word: string): string {
  const eed = word.endsWith("eed") ? 3 : word.endsWith("eedly") ? 5 : 0;
  if (eed > 0) {
    const kept = word.length - eed;
    return kept >= firstRegion(word) ? `${word.slice(0, kept)}ee` : word;
  }
  const length = word.endsWith("ed")
    ? 2
    : word.endsWith("ing")
      ? 3
      : word.endsWith("edly")
        ? 4
        : word.endsWith("ingly")
          ? 5
          : 0;
  if (length === 0) return word;
  const rest = word.slice(0, -length);
  if (firstVowel(rest) === rest.length) return word;
  if (rest.endsWith("at") || rest.endsWith("bl") || rest.endsWith("iz")) return `${rest}e`;
  if (endsWithDouble(rest)) return rest.slice(0, -1);
  return endsShort(rest) && firstRegion(rest) === rest.length ? `${rest}e` : rest;
}

/** Replaces a final y behind a consonant by i: "happi" for "happy", but "by". */
function withSoftY(word: string): string {
  const { length } = word;
  if (length < 3 || !word.endsWith("y") || isVowel(word.charCodeAt(length - 2))) return word;
  return `${word.slice(0, -1)}i`;
}

/** Removes the longest matching ending, if it is in its region. */
function without(word: string, all: Endings): string {
  const own = all[word.charCodeAt(word.length - 1)] ?? [];
  for (const { ending, replacement, after, isLate } of own) {
    if (!word.endsWith(ending)) continue;
    const kept = word.length - ending.length;
    const first = firstRegion(word);
    const isIn = kept >= (isLate ? regionFrom(word, first) : first);
    const isAfter = after === "" || (kept > 0 && after.includes(word.charAt(kept - 1)));
    return isIn && isAfter ? word.slice(0, kept) + replacement : word;
  }
  return word;
}

/** Removes a final e, or one of two final l. */
function withoutLast(word: string): string {
  const isE = word.endsWith("e");
  if (!isE && !word.endsWith("ll")) return word;
  const first = firstRegion(word);
  const rest = word.slice(0, -1);
  if (regionFrom(word, first) < word.length) return rest;
  return isE && first < word.length && !endsShort(rest) ? rest : word;
}

/** Start of the first region: behind the first consonant that follows a vowel; the word's end if there is none. */
function firstRegion(word: string): number {
  if (word.startsWith("gener") || word.startsWith("arsen")) return 5;
  return word.startsWith("commun") ? 6 : regionFrom(word, 0);
}

/** Start of a region: behind the first consonant that follows a vowel, from `start` on. The second region is that of the first. */
function regionFrom(word: string, start: number): number {
  let at = start;
  while (at < word.length && !isVowel(word.charCodeAt(at))) at++;
  while (at < word.length && isVowel(word.charCodeAt(at))) at++;
  return Math.min(at + 1, word.length);
}

/** Index of the first vowel; the word's length if it has none. */
function firstVowel(word: string): number {
  let at = 0;
  while (at < word.length && !isVowel(word.charCodeAt(at))) at++;
  return at;
}

/** Whether a word ends with a short syllable: a vowel between two consonants, the second not w or x; or an initial vowel before at most one consonant. */
function endsShort(word: string): boolean {
  const { length } = word;
  if (length <= 2) return length > 0 && isVowel(word.charCodeAt(0)) && (length === 1 || !isVowel(word.charCodeAt(1)));
  const last = word.charCodeAt(length - 1);
  if (isVowel(last) || last === 119 || last === 120) return false;
  return isVowel(word.charCodeAt(length - 2)) && !isVowel(word.charCodeAt(length - 3));
}

function endsWithDouble(word: string): boolean {
  const last = word.charAt(word.length - 1);
  return word.length > 1 && last === word.charAt(word.length - 2) && "bdfgmnprt".includes(last);
}

/** a, e, i, o, u and y, one bit each. */
const VOWELS = [..."aeiouy"].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0);

function isVowel(code: number): boolean {
  return ((VOWELS >>> (code & 31)) & 1) === 1;
}
