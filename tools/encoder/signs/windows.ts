/** A line of what `english/signs.py` and `multilingual/signs.py` write. */
export interface LanguageText {
  readonly language: string;
  readonly text: string;
}

/** Some texts in a row, about as long as a passage, and the pieces that they have. */
export interface Window {
  readonly language: string;
  readonly text: string;
  readonly pieces: ReadonlySet<number>;
}

/** As long as a passage of some hundred words. */
const WINDOW_PIECES = 128;

/** The texts of each language in windows, in their order; what is left over at the end of a language is dropped. At most `most` windows a language. */
export function* windowsOf(
  texts: Iterable<LanguageText>,
  most: number,
  piecesOf: (text: string) => readonly number[],
): Generator<Window> {
  let language: string | undefined;
  let windows = 0;
  let parts: string[] = [];
  let pieces = new Set<number>();
  let length = 0;
  const begin = (): void => {
    parts = [];
    pieces = new Set();
    length = 0;
  };
  for (const given of texts) {
    if (given.language !== language) {
      language = given.language;
      windows = 0;
      begin();
    }
    if (windows === most) continue;
    const own = piecesOf(given.text);
    parts.push(given.text);
    for (const piece of own) pieces.add(piece);
    length += own.length;
    if (length < WINDOW_PIECES) continue;
    yield { language, text: parts.join(" "), pieces };
    windows += 1;
    begin();
  }
}
