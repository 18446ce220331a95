/** A stretch of a text, in UTF-16 offsets; the end is exclusive. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** A sentence ends after its marks (with closing quotes or brackets) before white space, or after a full-width mark. */
const SENTENCE_END = /[.!?…]+["'”’)\]]*(?=\s)|[。！？｡]+[”’」』）]*/gu;

/**
 * Cuts a long stretch of text into pieces of whole sentences, each at most `charactersMax` UTF-16 units and, where
 * sentences allow, at least half of that. A sentence that is longer still is cut at a word boundary, and a word that is
 * longer still between two characters. White space around a piece belongs to none. Takes linear time.
 */
export function cutIntoSentences(text: string, start: number, end: number, charactersMax: number): Stretch[] {
  const pieces: Stretch[] = [];
  const add = (from: number, to: number): void => {
    let first = from;
    let last = to;
    while (first < last && isSpace(text, first)) first++;
    while (last > first && isSpace(text, last - 1)) last--;
    if (first < last) pieces.push({ start: first, end: last });
  };

  let pieceStart = start;
  let pieceEnd = start;
  const takeSentence = (sentenceEnd: number): void => {
    if (sentenceEnd - pieceStart > charactersMax && pieceEnd > pieceStart) {
      add(pieceStart, pieceEnd);
      pieceStart = pieceEnd;
    }
    while (sentenceEnd - pieceStart > charactersMax) {
      const cut = wordBoundaryBefore(text, pieceStart, pieceStart + charactersMax);
      add(pieceStart, cut);
      pieceStart = cut;
    }
    pieceEnd = sentenceEnd;
    if (pieceEnd - pieceStart >= charactersMax / 2) {
      add(pieceStart, pieceEnd);
      pieceStart = pieceEnd;
    }
  };

  const stretch = text.slice(start, end);
  for (const match of stretch.matchAll(SENTENCE_END)) takeSentence(start + match.index + match[0].length);
  takeSentence(end);
  add(pieceStart, end);
  return pieces;
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
