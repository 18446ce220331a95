import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * What stands within words beside letters, one spelling for each: people type what their keyboards have, and texts have what their programs made of it.
 * It is done to whole texts, before words are cut, and alike in every language, so that a question in several is cut where its documents were. English has rules of its own.
 */

/** A text of nothing but these letters and marks is spelled in one way only. */
const ONE_SPELLING =
  /^[^"'`\u00b4\u00b7\u0140\u013f\u02b9-\u02bd\u05f3\u05f4\u055a\u200c\u2018-\u201f\u2032\u2219\u2027\uff07]*$/;

/** Quotation marks of every kind, accents that stand by themselves, and the letters that are apostrophes: those of Ukrainian, Uzbek and Hebrew. */
const APOSTROPHES = /[\u2018\u2019\u201b`\u00b4\u02b9\u02bb-\u02bd\u2032\u05f3\u055a\uff07]/g;

/** Scripts without spaces have quotations where others have an apostrophe. */
const QUOTATIONS = new RegExp(`'(?:(?<=${UNSPACED_LETTER}')|(?=${UNSPACED_LETTER}))`, "gu");

/** Persian and its neighbours write a half-space within words, or a whole one. */
const HALF_SPACES = /\u200c(?=\p{Script=Arabic})/gu;

/** Stands before the last letters of a Hebrew abbreviation, typed as a quotation mark or as two apostrophes. */
const GERSHAYIM = /(?:["\u05f4\u201c-\u201f]|'')(?<=[\u0591-\u05ea](?:["\u05f4\u201c-\u201f]|''))(?=[\u05d0-\u05ea])/g;

/** Catalan writes two letters l that are spoken as two with a dot between them. */
const DOTS = /(?<=[l\u0140])[\u00b7\u2027\u2219](?=[l\u0140])/gi;

/** The text with one spelling of what stands within its words. Takes time linear in its length. */
export function spelledAlike(text: string): string {
  if (ONE_SPELLING.test(text)) return text;
  return text
    .replace(HALF_SPACES, " ")
    .replace(APOSTROPHES, "'")
    .replace(QUOTATIONS, " ")
    .replace(GERSHAYIM, "")
    .replace(DOTS, "")
    .replace(/[\u0140\u013f]/g, "l");
}
