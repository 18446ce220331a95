import { hash } from "node:crypto";
import { plainText } from "./plain-text.ts";

const WHITE_SPACE = /\s+/gu;
/** Most texts have nothing but single spaces, and need no copy. */
const OTHER_THAN_SINGLE_SPACES = /[^\S ]| {2}/u;

/**
 * The form in which a query equals a text: NFC, no markdown marks, lower case, white space collapsed and trimmed.
 * Two texts with the same form say the same.
 */
export function normalForm(text: string): string {
  return normalFormOfPlain(plainText(text));
}

/**
 * The forms of a query, any of which may equal a text's. It may be markdown; a mark counts at the beginning of a line, and
 * people break lines anywhere, so that it may be meant on one line; and it may be code or HTML, as it stands in a text or as
 * its reader sees it, where a star is a star.
 */
export function queryForms(query: string): readonly string[] {
  const forms = new Set([normalForm(query), normalForm(query.replace(WHITE_SPACE, " ").trim())]);
  for (const reading of ["code", "html"] as const) forms.add(normalFormOfPlain(plainText(query, reading)));
  return [...forms];
}

/** The same, of a text whose marks are gone already. */
export function normalFormOfPlain(text: string): string {
  const lower = text.normalize("NFC").toLowerCase();
  return (OTHER_THAN_SINGLE_SPACES.test(lower) ? lower.replace(WHITE_SPACE, " ") : lower).trim();
}

/** Hexadecimal digits of a digest that a number holds exactly. */
const DIGITS = 13;

/**
 * A 52-bit hash of a normal form, out of a digest that nobody can choose texts against: of thousands with one hash each would be read for a question that has it
 * too. Equal forms have equal hashes; whoever finds equal hashes compares the texts.
 */
export function normalFormHash(form: string): number {
  return Number.parseInt(hash("sha256", form).slice(0, DIGITS), 16);
}
