import { unicodeForm } from "../platform/unicode-form.ts";
import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * Identifiers of a text: what people copy and do not reword. A phone number, a version, an address, an error code, keys that are pressed together, the name of
 * a setting. An identifier is a run without spaces that has a digit in it, or a sign of programs between letters or before them:
 *
 *     press Ctrl+Shift+X in v2.1, or set max_size to 512 (see KB5001).
 *           ~~~~~~~~~~~~    ~~~~         ~~~~~~~~    ~~~      ~~~~~~
 *
 * Names are none, such as C++, AT&T, .NET or well-known: texts about them often do not repeat them. Nor is a number of prose, which texts put in other words: a
 * count, a rank, a share, a year, a span of years; nor what is shorter than three characters and has a digit.
 */

/** Scripts without spaces end a run: a number in a Chinese sentence stands by itself. */
const RUN = new RegExp(String.raw`(?:(?!${UNSPACED_LETTER})\S)+`, "gu");

/** Quotes, brackets and the marks of a sentence, which belong to it and not to what stands in it. */
const OPENING = /[\p{Ps}\p{Pi}"'¿¡*`,;]/u;
const CLOSING = /[\p{Pe}\p{Pf}"'*`,;:.!?…]/u;

/** 7, 20th, 5G, 50%, 1989, 1990s. */
const PROSE = String.raw`(?:\p{Nd}{1,2}\p{L}{0,2}|\p{Nd}{1,3}%|(?:1\p{Nd}|20)\p{Nd}{2}(?:['’]?s)?)`;
/** One of them, or from one to another: 2001-2006, 1/2. */
const NUMBER_OF_PROSE = new RegExp(`^${PROSE}(?:[-–/]${PROSE})?$`, "u");
/** Shorter ones have other names, such as O2: oxygen. */
const SIGNS_MIN = 3;

const DIGIT = /\p{Nd}/u;
/** Keys, names of settings, addresses, names of programs and paths. */
const SIGN_INSIDE = /\p{L}[+_@:\\]+\p{L}/u;
/** Options, variables, paths: --force, -v, $HOME, /etc/hosts. */
const SIGN_BEFORE = /^(?:--\p{L}|-\p{L}$|\$\p{L}|[/~.]+\p{L}[^/]*\/\p{L})/u;

/** In order, each as it stands there; in Unicode's compatibility form (NFKC). */
export function identifiersIn(text: string): string[] {
  const runs = unicodeForm(text, "NFKC").match(RUN) ?? [];
  return runs.map(withoutMarks).filter(isIdentifier);
}

/** Sign by sign from both ends: an expression for the end would take quadratic time on many marks before a word. */
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
