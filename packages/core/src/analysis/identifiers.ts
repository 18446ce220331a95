import { unicodeForm } from "../platform/unicode-form.ts";
import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * Identifiers: exact strings that people copy and do not rephrase. Examples are a phone number, a version, an address, an error code, a key combination, and
 * the name of a setting. An identifier is a run without spaces that has a digit, or a sign of programs between or before letters:
 *
 *     press Ctrl+Shift+X in v2.1, or set max_size to 512 (see KB5001).
 *           ~~~~~~~~~~~~    ~~~~         ~~~~~~~~    ~~~      ~~~~~~
 *
 * No identifiers are: names such as C++, AT&T, .NET or well-known, since texts about them often do not repeat them; numbers of prose, which texts
 * rephrase (a count, a rank, a share, a year, a span of years); strings with a digit that are shorter than three characters.
 */

/** A run without spaces. Letters of unspaced scripts end it, so that a number in a Chinese sentence is a run. */
const RUN = new RegExp(String.raw`(?:(?!${UNSPACED_LETTER})\S)+`, "gu");

/** Quotes, brackets and punctuation, which do not belong to an identifier. */
const OPENING = /[\p{Ps}\p{Pi}"'¿¡*`,;]/u;
const CLOSING = /[\p{Pe}\p{Pf}"'*`,;:.!?…]/u;

/** 7, 20th, 5G, 50%, 1989, 1990s. */
const PROSE = String.raw`(?:\p{Nd}{1,2}\p{L}{0,2}|\p{Nd}{1,3}%|(?:1\p{Nd}|20)\p{Nd}{2}(?:['’]?s)?)`;
/** One number of prose, or two with a dash or slash: 2001-2006, 1/2. */
const NUMBER_OF_PROSE = new RegExp(`^${PROSE}(?:[-–/]${PROSE})?$`, "u");
/** The minimum length of a string with a digit. Texts often rephrase shorter ones, such as O2: oxygen. */
const SIGNS_MIN = 3;

const DIGIT = /\p{Nd}/u;
/** A sign between letters: key combinations, names of settings, addresses, names of programs and paths. */
const SIGN_INSIDE = /\p{L}[+_@:\\]+\p{L}/u;
/** A sign before letters: options, variables, paths: --force, -v, $HOME, /etc/hosts. */
const SIGN_BEFORE = /^(?:--\p{L}|-\p{L}$|\$\p{L}|[/~.]+\p{L}[^/]*\/\p{L})/u;

/** The identifiers of a text, in order, in Unicode's compatibility form (NFKC). */
export function identifiersIn(text: string): string[] {
  const runs = unicodeForm(text, "NFKC").match(RUN) ?? [];
  return runs.map(withoutMarks).filter(isIdentifier);
}

/** Removes punctuation at both ends. It goes character by character: an expression for the end would take quadratic time on many marks before a word. */
function withoutMarks(run: string): string {
  let [start, end] = [0, run.length];
  while (start < end && OPENING.test(run.charAt(start))) start++;
  while (start < end && CLOSING.test(run.charAt(end - 1))) end--;
  return run.slice(start, end);
}

function isIdentifier(run: string): boolean {
  if (DIGIT.test(run)) return run.length >= SIGNS_MIN && !NUMBER_OF_PROSE.test(run);
  return SIGN_INSIDE.test(run) || SIGN_BEFORE.test(run);
}
