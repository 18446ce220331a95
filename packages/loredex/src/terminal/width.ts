/** Text with one column per character. */
const PLAIN = /^[\x20-\x7e\u00a0-\u02ff]*$/;
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u;
/** Letters and signs of East Asia with two columns, without their half-width forms. */
const WIDE =
  /(?![\uff61-\uffdc\uffe8-\uffee])[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303e\u30fb\u30fc\uff01-\uff60\uffe0-\uffe6]/u;
/** Characters without a column: marks above and below a letter, and invisible signs. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The number of columns of a line on a terminal. */
export function columns(line: string): number {
  if (PLAIN.test(line)) return line.length;
  let width = 0;
  for (const { segment } of graphemes.segment(line)) width += columnsOf(segment);
  return width;
}

/** The columns of a grapheme. A syllable or an emoji of several characters is as wide as one. */
function columnsOf(grapheme: string): number {
  if (EMOJI.test(grapheme) || WIDE.test(grapheme)) return 2;
  let width = 0;
  for (const character of grapheme) if (!WITHOUT_WIDTH.test(character)) width += 1;
  return width;
}

/** Pads a line with spaces to a number of columns. A longer line stays as it is. */
export function padded(line: string, width: number): string {
  return line + " ".repeat(Math.max(0, width - columns(line)));
}
