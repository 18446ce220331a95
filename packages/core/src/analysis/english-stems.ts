/**
 * The stemmer of English: M. F. Porter, "The English (Porter2) stemming algorithm", snowballstem.org. Takes less than a microsecond a word.
 * Its stems are those of wink-nlp, which reads one point otherwise: of several y behind a vowel, only the first is a consonant.
 */

/** Words with an irregular stem. */
const IRREGULAR = new Map(
  (
    "skis>ski skies>sky dying>die lying>lie tying>tie idly>idl gently>gentl ugly>ugli early>earli only>onli singly>singl " +
    "sky>sky news>news atlas>atlas cosmos>cosmos bias>bias andes>andes"
  )
    .split(" ")
    .map((entry) => entry.split(">") as [string, string]),
);

/** Words that are stems once their plural ending is removed. */
const STEMS = new Set("inning outing canning herring proceed exceed succeed earring".split(" "));

/** A y that is a consonant: the first letter, or behind a vowel. It stands as {@link CONSONANT} while a word is stemmed. */
const CONSONANT_Y = /^y|[aeiou]y/;
const CONSONANT = "Y";

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

/** The stem of a word of the letters a to z. Takes time linear in its length. */
export function englishStem(word: string): string {
  if (word.length < STEMMED_LETTERS_MIN) return word;
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  return CONSONANT_Y.test(word) ? regularStem(withConsonants(word)).replaceAll(CONSONANT, "y") : regularStem(word);
}

const STEMMED_LETTERS_MIN = 3;

function withConsonants(word: string): string {
  return word.replace(/^y/, CONSONANT).replace(/([aeiou])y/, `$1${CONSONANT}`);
}

function regularStem(word: string): string {
  const singular = withoutPlural(word);
  if (STEMS.has(singular)) return singular;
  const verb = withSoftY(withoutInflection(singular));
  return withoutLast(without(without(without(verb, DERIVATIONS), ADJECTIVES), SUFFIXES));
}

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
  const isY = word.endsWith("y") || word.endsWith(CONSONANT);
  if (length < 3 || !isY || isVowel(word.charCodeAt(length - 2))) return word;
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

/** Consonants that end no short syllable. */
const NEVER_SHORT = `wx${CONSONANT}`;

/** Whether a word ends with a short syllable: a vowel between two consonants, the second not w, x or y; or an initial vowel before at most one consonant. */
function endsShort(word: string): boolean {
  const { length } = word;
  if (length <= 2) return length > 0 && isVowel(word.charCodeAt(0)) && (length === 1 || !isVowel(word.charCodeAt(1)));
  const last = word.charCodeAt(length - 1);
  if (isVowel(last) || NEVER_SHORT.includes(word.charAt(length - 1))) return false;
  return isVowel(word.charCodeAt(length - 2)) && !isVowel(word.charCodeAt(length - 3));
}

function endsWithDouble(word: string): boolean {
  const last = word.charAt(word.length - 1);
  return word.length > 1 && last === word.charAt(word.length - 2) && "bdfgmnprt".includes(last);
}

/** a, e, i, o, u and y, one bit each; the consonant {@link CONSONANT} is an upper case letter. */
const VOWELS = [..."aeiouy"].reduce((bits, letter) => bits | (1 << (letter.charCodeAt(0) & 31)), 0);

function isVowel(code: number): boolean {
  return code > 96 && ((VOWELS >>> (code & 31)) & 1) === 1;
}
