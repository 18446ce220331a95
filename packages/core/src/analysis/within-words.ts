import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * One spelling for the signs within words: keyboards and programs write the same sign in several ways.
 * The rules run on whole texts, before they are cut into words. They are equal in all languages, so that a question in several languages is cut as
 * its documents were. English has its own rules.
 */

/** A text without any of the signs below needs no change. */
const ONE_SPELLING =
  /^[^"'`\u00b4\u00b7\u0140\u013f\u02b9-\u02bd\u05f3\u05f4\u055a\u200c\u2018-\u201f\u2032\u2219\u2027\uff07]*$/;

/** Characters that are typed as apostrophes: single quotation marks, separate accents, and letters of Ukrainian, Uzbek and Hebrew. */
const APOSTROPHES = /[\u2018\u2019\u201b`\u00b4\u02b9\u02bb-\u02bd\u2032\u05f3\u055a\uff07]/g;

/** Beside a letter of an unspaced script, an apostrophe is a quotation mark. */
const QUOTATIONS = new RegExp(`'(?:(?<=${UNSPACED_LETTER}')|(?=${UNSPACED_LETTER}))`, "gu");

/** Half-spaces within words of Persian and its neighbours, which are also written as spaces. */
const HALF_SPACES = /\u200c(?=\p{Script=Arabic})/gu;

/** The gershayim in a Hebrew abbreviation, typed as a quotation mark or two apostrophes. */
const GERSHAYIM = /(?:["\u05f4\u201c-\u201f]|'')(?<=[\u0591-\u05ea](?:["\u05f4\u201c-\u201f]|''))(?=[\u05d0-\u05ea])/g;

/** The dot between two letters l in Catalan. */
const DOTS = /(?<=[l\u0140])[\u00b7\u2027\u2219](?=[l\u0140])/gi;

/** Unifies the signs within the words of a text. Takes time linear in its length. */
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
