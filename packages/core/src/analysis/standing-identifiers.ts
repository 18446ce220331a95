/** How an identifier occurs in a text: not at all, within a longer one, or whole. */
export const NOWHERE = 0;
export const WITHIN = 1;
export const WHOLE = 2;
export type Standing = typeof NOWHERE | typeof WITHIN | typeof WHOLE;

/** Runs of letters, of digits, or of other characters. */
const STRETCHES = /\p{L}+|\p{N}+|[^\p{L}\p{N}]+/gu;
const LETTERS = /^\p{L}/u;
const DIGITS = /^\p{N}/u;
const VERSION = /^v?\p{N}+\.\p{N}/iu;
const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;

/** Separators between the parts of a number or a version. */
const SIGNS = "[-._+:,'’]";

/**
 * Makes a function that tells how an identifier occurs in a text. A letter or digit at its ends makes another identifier; a sign and more make a longer one:
 *
 *     2.10.3    whole: (2.10.3), v2.10.3    within: 2.10.3-rc1, 2.10.3.1    nowhere: 12.10.3, 2.10.30, 2.3.10
 *
 * Between letters and digits a hyphen, a space or nothing is equal. A `v` before a version is optional. Takes time linear in the length of the text.
 */
export function standingOf(identifier: string): (text: string) => Standing {
  const isVersion = VERSION.test(identifier);
  const stretches = (isVersion ? identifier.replace(/^v/i, "") : identifier).match(STRETCHES) ?? [];
  const core = (isVersion ? "v?" : "") + inAnySpelling(stretches);
  const first = kindOf(stretches[0]);
  const last = kindOf(stretches.at(-1));
  const within = new RegExp(`(?<!${first})${core}(?!${last})`, "iu");
  const before = first === "\\p{N}" ? `\\p{N}${SIGNS}?` : "[\\p{L}\\p{N}_]";
  const after = last === "\\p{N}" ? `${SIGNS}?[\\p{L}\\p{N}]` : "[-._+]?[\\p{L}\\p{N}]";
  const whole = new RegExp(`(?<!${before})${core}(?!${after})`, "iu");
  return (text) => (whole.test(text) ? WHOLE : within.test(text) ? WITHIN : NOWHERE);
}

function inAnySpelling(stretches: readonly string[]): string {
  const spelled = stretches.map((stretch, i) => {
    const [before = "", after = ""] = [stretches[i - 1], stretches[i + 1]];
    const isBetween = (LETTERS.test(before) && DIGITS.test(after)) || (DIGITS.test(before) && LETTERS.test(after));
    if (stretch === "-" && isBetween) return "[-\\s]?";
    const touches = (LETTERS.test(before) && DIGITS.test(stretch)) || (DIGITS.test(before) && LETTERS.test(stretch));
    return touches ? `[-\\s]?${escaped(stretch)}` : escaped(stretch);
  });
  return spelled.join("");
}

/** The character class that may not touch a run at its end: letters for letters, digits for digits; for other characters the empty class. */
function kindOf(stretch = ""): string {
  return LETTERS.test(stretch) ? "\\p{L}" : DIGITS.test(stretch) ? "\\p{N}" : "[^\\s\\S]";
}

function escaped(text: string): string {
  return text.replace(SPECIAL, "\\$&");
}
