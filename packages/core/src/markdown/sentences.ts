/** A stretch of a text, in UTF-16 offsets; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * A run of marks with what closes a quotation after them. Nothing in it can fail once it has begun, so that no mark is looked at twice. Beside those of Latin:
 * the question marks of Greek, which is typed as a semicolon, and Arabic, the full stops of Urdu and Armenian.
 */
const MARKS =
  /(?:[.!?…\u037e\u061f\u06d4\u0589]|;(?<=\p{Script=Greek};))+["'”’»)\]]*|[。．！？｡\u0964\u0965\u104b\u1362\u1367\u1368\u17d4\u17d5]+["”’」』）】》〉»)]*/gu;

/** Marks of scripts that need no space behind them end a sentence whatever follows, those of Chinese, Hindi, Burmese, Amharic and Khmer; all others before white space. */
const WIDE_MARK = /^[。．！？｡\u0964\u0965\u104b\u1362\u1367\u1368\u17d4\u17d5]/u;

/**
 * Cuts a long stretch of text into pieces of whole sentences, each at most `charactersMax` UTF-16 units and, where
 * sentences allow, at least half of that. A sentence that is longer still is cut at a word boundary, and a word that is
 * longer still between two characters. White space around a piece belongs to none. The text is read as the pieces are
 * asked for, each character a bounded number of times.
 */
export function* cutIntoSentences(
  text: string,
  start: number,
  end: number,
  charactersMax: number,
): Generator<Stretch, void, undefined> {
  let pieceStart = start;
  let pieceEnd = start;
  for (const sentenceEnd of sentenceEnds(text, start, end)) {
    if (sentenceEnd - pieceStart > charactersMax && pieceEnd > pieceStart) {
      yield* trimmed(text, pieceStart, pieceEnd);
      pieceStart = pieceEnd;
    }
    while (sentenceEnd - pieceStart > charactersMax) {
      const cut = wordBoundaryBefore(text, pieceStart, pieceStart + charactersMax);
      yield* trimmed(text, pieceStart, cut);
      pieceStart = cut;
    }
    pieceEnd = sentenceEnd;
    if (pieceEnd - pieceStart >= charactersMax / 2) {
      yield* trimmed(text, pieceStart, pieceEnd);
      pieceStart = pieceEnd;
    }
  }
  yield* trimmed(text, pieceStart, end);
}

/** Where sentences end, in order; the end of the text is one. */
function* sentenceEnds(text: string, start: number, end: number): Generator<number, void, undefined> {
  for (const match of text.slice(start, end).matchAll(MARKS)) {
    const at = start + match.index + match[0].length;
    if (at < end && (WIDE_MARK.test(match[0]) || isSpace(text, at))) yield at;
  }
  yield end;
}

/** The stretch without white space at either end; nothing if it is all white space. */
function* trimmed(text: string, start: number, end: number): Generator<Stretch, void, undefined> {
  let first = start;
  let last = end;
  while (first < last && isSpace(text, first)) first++;
  while (last > first && isSpace(text, last - 1)) last--;
  if (first < last) yield { start: first, end: last };
}

/** The last place in (start, limit] where a word ends, or a comma of a script without spaces; else `limit`, moved so that no letter loses its marks or half of itself. */
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

/** What belongs to the letter before it. */
const MARK = /[\p{M}\u200c\u200d]/u;
/** A letter with more of them is none of any writing. */
const MARKS_MAX = 30;

const SPACE = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** White space as Unicode knows it. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && SPACE.test(text.charAt(at)));
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
