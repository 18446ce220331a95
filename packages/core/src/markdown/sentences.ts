/** A stretch of a text, in UTF-16 offsets; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A run of marks with what closes a quotation after them. Nothing in it can fail once it has begun, so that no mark is looked at twice. */
const MARKS = /[.!?…]+["'”’)\]]*|[。！？｡]+[”’」』）]*/gu;

/** Full-width marks end a sentence whatever follows, all others before white space. */
const WIDE_MARK = /^[。！？｡]/u;
const WHITE_SPACE = /\s/;

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
    if (at < end && (WIDE_MARK.test(match[0]) || WHITE_SPACE.test(text.charAt(at)))) yield at;
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

/** The last place in (start, limit] where a word ends; else `limit`, moved so that no surrogate pair is split. */
function wordBoundaryBefore(text: string, start: number, limit: number): number {
  for (let at = limit; at > start; at--) if (isSpace(text, at)) return at;
  const splitsPair = isHighSurrogate(text, limit - 1) && limit - 1 > start;
  return splitsPair ? limit - 1 : limit;
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0x2028;
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
