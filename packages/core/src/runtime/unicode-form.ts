/** How many combining marks in a row are put in order at once: as many as the Stream-Safe Text Format of Unicode (UAX #15) allows. No writing needs more. */
const MARKS_AT_ONCE = 30;

/** Two signs of halfwidth Japanese are no marks, but become such in the compatibility forms. */
const MARK = String.raw`[\p{M}\uff9e\uff9f]`;
const STRETCH_OF_MARKS = new RegExp(`${MARK}{${MARKS_AT_ONCE}}(?=${MARK})`, "gu");

/**
 * The text in one of Unicode's normal forms, in linear time. `String.prototype.normalize` sorts the marks that follow each other, which takes
 * quadratic time: here a longer row of them is sorted in stretches. Every other text comes out as from there, and nobody else may call that.
 */
export function unicodeForm(text: string, form: "NFC" | "NFD" | "NFKC"): string {
  let formed = "";
  let start = 0;
  for (const { index, 0: stretch } of text.matchAll(STRETCH_OF_MARKS)) {
    const end = index + stretch.length;
    formed += text.slice(start, end).normalize(form);
    start = end;
  }
  return start === 0 ? text.normalize(form) : formed + text.slice(start).normalize(form);
}
