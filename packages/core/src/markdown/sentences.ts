/** A range of a text, in UTF-16 offsets. The end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Marks that end a sentence before white space: Latin ones, the question marks of Greek (typed as a semicolon) and Arabic, the full stops of Urdu and
 * Armenian. Wide marks, of Chinese, Hindi, Burmese, Amharic and Khmer, need no white space behind them.
 */
const MARKS = ".!?…\u037e\u061f\u06d4\u0589";
const WIDE_MARKS = "。．！？｡\u0964\u0965\u104b\u1362\u1367\u1368\u17d4\u17d5";

/** Closing quotes and brackets behind a mark. */
const CLOSING = "\"'”’»)]";
const WIDE_CLOSING = '"”’」』）】》〉»)';

/** Marks by ASCII code, for speed: most texts have only ASCII. */
const ASCII_MARKS = Uint8Array.from({ length: 128 }, (_, code) => (MARKS.includes(String.fromCharCode(code)) ? 1 : 0));

/**
 * Cuts a range of text into fragments of whole sentences, each at most `charactersMax` UTF-16 units and, if
 * sentences allow, at least half of that. A longer sentence is cut at a word boundary, and a longer word between two
 * characters. White space around a fragment belongs to none. The generator reads the text lazily, each character a bounded
 * number of times.
 */
export function* cutIntoSentences(
  text: string,
  start: number,
  end: number,
  charactersMax: number,
): Generator<Stretch, void, undefined> {
  let fragmentStart = start;
  let fragmentEnd = start;
  let sentenceEnd = start;
  let fragment: Stretch | undefined;
  do {
    sentenceEnd = sentenceEndFrom(text, start, sentenceEnd, end);
    if (sentenceEnd - fragmentStart > charactersMax && fragmentEnd > fragmentStart) {
      fragment = trimmed(text, fragmentStart, fragmentEnd);
      if (fragment !== undefined) yield fragment;
      fragmentStart = fragmentEnd;
    }
    while (sentenceEnd - fragmentStart > charactersMax) {
      const cut = wordBoundaryBefore(text, fragmentStart, fragmentStart + charactersMax);
      fragment = trimmed(text, fragmentStart, cut);
      if (fragment !== undefined) yield fragment;
      fragmentStart = cut;
    }
    fragmentEnd = sentenceEnd;
    if (fragmentEnd - fragmentStart >= charactersMax / 2) {
      fragment = trimmed(text, fragmentStart, fragmentEnd);
      if (fragment !== undefined) yield fragment;
      fragmentStart = fragmentEnd;
    }
  } while (sentenceEnd < end);
  fragment = trimmed(text, fragmentStart, end);
  if (fragment !== undefined) yield fragment;
}

/** End of the next sentence from `from` on; `end` if no mark follows. Reads each character once. */
function sentenceEndFrom(text: string, start: number, from: number, end: number): number {
  for (let at = from; at < end; ) {
    if (isMark(text, start, at)) {
      at++;
      while (at < end && isMark(text, start, at)) at++;
      while (at < end && CLOSING.includes(text.charAt(at))) at++;
      if (at < end && isSpace(text, at)) return at;
    } else if (text.charCodeAt(at) > 127 && WIDE_MARKS.includes(text.charAt(at))) {
      at++;
      while (at < end && WIDE_MARKS.includes(text.charAt(at))) at++;
      while (at < end && WIDE_CLOSING.includes(text.charAt(at))) at++;
      if (at < end) return at;
    } else at++;
  }
  return end;
}

function isMark(text: string, start: number, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return ASCII_MARKS[code] === 1 || (code === SEMICOLON && isGreekBefore(text, start, at));
  return MARKS.includes(text.charAt(at));
}

const SEMICOLON = 59;

/** The first code of Greek letters. */
const GREEK_FIRST = 0x0370;
const GREEK = /\p{Script=Greek}$/u;

function isGreekBefore(text: string, start: number, at: number): boolean {
  return text.charCodeAt(at - 1) >= GREEK_FIRST && GREEK.test(text.slice(Math.max(start, at - 2), at));
}

/** The range without white space at either end; undefined if it is all white space. */
function trimmed(text: string, start: number, end: number): Stretch | undefined {
  let first = start;
  let last = end;
  while (first < last && isSpace(text, first)) first++;
  while (last > first && isSpace(text, last - 1)) last--;
  return first < last ? { start: first, end: last } : undefined;
}

/**
 * The last offset in (start, limit] where a word ends, or behind a comma of an unspaced script. Else `limit`, moved so that no letter is split from its
 * marks, and no surrogate pair is split.
 */
function wordBoundaryBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start; at--) {
    if (isSpace(text, at) || (at > start + 1 && WIDE_COMMA.test(text.charAt(at - 1)))) return at;
  }
  let cut = limit;
  while (cut > start + 1 && limit - cut < MARKS_MAX && MARK.test(text.charAt(cut))) cut--;
  if (MARK.test(text.charAt(cut))) cut = limit;
  return isHighSurrogate(text, cut - 1) && cut - 1 > start ? cut - 1 : cut;
}

const WIDE_COMMA = /[、，；：､]/;

/** Characters that belong to the letter before them. */
const MARK = /[\p{M}\u200c\u200d]/u;
/** No script has letters with more marks. */
const MARKS_MAX = 30;

const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Whether a character is white space by Unicode. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && SPACE.test(text.charAt(at)));
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
