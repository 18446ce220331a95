/** A combining mark. Two signs of halfwidth Japanese are none, but become such in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;

/**
 * More marks in a row than any writing needs: the Stream-Safe Text Format of Unicode (UAX #15) allows thirty. A row is looked at from its start
 * only, so that those that are just not too long are not counted again from each mark.
 */
const LONG_ROW_OF_MARKS = new RegExp(`(?<!${MARK})${MARK}{31,}`, "gu");
const STRETCHES = /.{1,30}/gsu;

/** ASCII is in every one of these forms already. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * The text in one of Unicode's normal forms, in linear time. `String.prototype.normalize` sorts the marks that follow each other, which takes
 * quadratic time: here a longer row of them is sorted in stretches. Every other text comes out as from there, and nobody else may call that.
 */
export function unicodeForm(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  if (!BEYOND_ASCII.test(text)) return text;
  let formed = "";
  let start = 0;
  for (const { index, 0: row } of text.matchAll(LONG_ROW_OF_MARKS)) {
    let end = index;
    for (const stretch of row.match(STRETCHES) ?? []) {
      end += stretch.length;
      formed += text.slice(start, end).normalize(form);
      start = end;
    }
  }
  return start === 0 ? text.normalize(form) : formed + text.slice(start).normalize(form);
}
