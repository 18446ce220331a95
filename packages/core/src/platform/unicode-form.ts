/** A combining mark. Two characters of halfwidth Japanese are none, but become marks in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;

/**
 * More marks in a row than any writing needs: the Stream-Safe Text Format of Unicode (UAX #15) allows thirty. The lookbehind starts matches at the first
 * mark of a row only, so that rows of up to thirty marks are not counted again from each mark.
 */
const LONG_ROW_OF_MARKS = new RegExp(`(?<!${MARK})${MARK}{31,}`, "gu");
const STRETCHES = /.{1,30}/gsu;

/** ASCII is the same in all of these forms. */
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Normalizes a text to a Unicode form, in linear time. `String.prototype.normalize` sorts consecutive marks in quadratic time, so a longer
 * row of marks is sorted in stretches of 30. Every other text comes out as from `normalize`, which no other code may call.
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
