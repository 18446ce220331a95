import { unicodeForm } from "../runtime/unicode-form.ts";
import { UNSPACED_LETTER } from "./unspaced.ts";

/**
 * Identifiers of a text: what people copy and do not reword. A phone number, a version, an address, an error code, keys that are pressed together, the name of
 * a setting. An identifier is a run without spaces that has a digit in it, or a sign that stands between letters or before them:
 *
 *     press Ctrl+Shift+X in v2.1, or set max_size to 512 (see KB5001).
 *           ~~~~~~~~~~~~    ~~~~         ~~~~~~~~    ~~~      ~~~~~~
 *
 * A hyphen, an apostrophe, a slash or a full stop between letters makes none, nor does a slash or a dash before them: well-known, don't, and/or, e.g. are words.
 * Nor is a number of prose one, which texts put in other words: a count, a rank, a share, a year,
 * a span of years; nor what is shorter than three characters and has a digit.
 */

/** Scripts without spaces end a run: a number in a Chinese sentence stands by itself. */
const RUN = new RegExp(String.raw`(?:(?!${UNSPACED_LETTER})\S)+`, "gu");

/** Quotes, brackets and the marks of a sentence, which belong to it and not to what stands in it. */
const AROUND = /^[\p{Ps}\p{Pi}"'¿¡*`,;]+|[\p{Pe}\p{Pf}"'*`,;:.!?…]+$/gu;

/** 7, 20th, 5G, 50%, 1989, 1990s. */
const PROSE = String.raw`(?:\p{Nd}{1,2}\p{L}{0,2}|\p{Nd}{1,3}%|(?:1\p{Nd}|20)\p{Nd}{2}(?:['’]?s)?)`;
/** One of them, or from one to another: 2001-2006, 1/2. */
const NUMBER_OF_PROSE = new RegExp(`^${PROSE}(?:[-–/]${PROSE})?$`, "u");
/** Shorter ones have other names, such as O2: oxygen. */
const SIGNS_MIN = 3;

const DIGIT = /\p{Nd}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** Between letters: keys, names of settings, addresses. */
const SIGN_INSIDE = /\p{L}[+_@=:\\#$&|~^<>]+\p{L}/u;
/** Before or after a name: --force, -v, $HOME, @user, #tag, .NET, /etc/hosts, C++, C#. */
const SIGN_OUTSIDE = /^(?:--\p{L}|-\p{L}$|[$@#%.]\p{L}|[/~.]+\p{L}[^/]*\/\p{L})|\p{L}(?:\+\+|#)$/u;

/** Without those that have neither letters nor digits. In order, each as it stands there; in Unicode's compatibility form (NFKC). */
export function identifiersIn(text: string): string[] {
  const runs = unicodeForm(text, "NFKC").match(RUN) ?? [];
  return runs.map((run) => run.replace(AROUND, "")).filter(isIdentifier);
}

function isIdentifier(run: string): boolean {
  if (DIGIT.test(run)) return run.length >= SIGNS_MIN && !NUMBER_OF_PROSE.test(run);
  return LETTER_OR_DIGIT.test(run) && (SIGN_INSIDE.test(run) || SIGN_OUTSIDE.test(run));
}
