import { hash } from "node:crypto";
import { unicodeForm } from "../platform/unicode-form.ts";
import { hidesOtherThanTags } from "./html-names.ts";
import { plainText, type Reading } from "./plain-text.ts";

const WHITE_SPACE = /\s+/gu;
/** Most texts have nothing but single spaces, and need no copy. */
const OTHER_THAN_SINGLE_SPACES = /[^\S ]| {2}/u;

/**
 * The form of what a person typed, a title or a question: NFC, no markdown marks, lower case, white space collapsed and trimmed.
 * Two with the same form say the same. Of what stands between angle brackets nothing is lost.
 */
export function normalForm(text: string): string {
  return normalFormOfPlain(plainText(text, "question"));
}

/** The forms of a question. */
export interface QuestionForms {
  /**
   * Those that have all of its words; a text that is seen as one of these equals it. It may be markdown; a mark counts at the
   * beginning of a line, and people break lines anywhere, so that it may be meant on one line; and it may be what is seen of
   * code or HTML, where a star is a star.
   */
  readonly typed: ReadonlySet<string>;
  /** What is seen of it if it stands in a document as it does here: words in tags and those behind a fence's marks are missing. */
  readonly shown: Readonly<Record<Exclude<Reading, "question">, ReadonlySet<string>>>;
}

export function questionForms(question: string): QuestionForms {
  const oneLine = question.replace(WHITE_SPACE, " ").trim();
  const questions = oneLine === question ? [question] : [question, oneLine];
  // Most questions have no marks: then all ways to read them give one text.
  const known = new Map<string, string>();
  const formOf = (plain: string): string => {
    const form = known.get(plain) ?? normalFormOfPlain(plain);
    known.set(plain, form);
    return form;
  };
  const shownAs = (text: string, reading: Reading): string => formOf(plainText(text, reading));
  return {
    typed: new Set([...questions.map((each) => shownAs(each, "question")), formOf(question)]),
    shown: {
      text: new Set(questions.map((each) => shownAs(each, "text"))),
      code: new Set([shownAs(question, "code")]),
      html: new Set([shownAs(question, "html")]),
    },
  };
}

/**
 * Whether a text equals a question: it is seen as the question was typed, or the question quotes it with what is not seen of it.
 * So neither has a word that the other lacks, but for those in tags of HTML. Without any word, both are the same marks.
 */
export function equalsQuestion(text: string, reading: Reading, { typed, shown }: QuestionForms): boolean {
  const seen = normalFormOfPlain(plainText(text, reading));
  if (seen === "") return typed.has(normalFormOfPlain(text));
  const hidesWords = (reading === "text" || reading === "html") && hidesOtherThanTags(text, reading, seen);
  if (typed.has(seen) && !hidesWords) return true;
  return reading !== "question" && shown[reading].has(seen) && typed.has(normalForm(text));
}

/** The same, of a text whose marks are gone already. */
export function normalFormOfPlain(text: string): string {
  const lower = unicodeForm(text, "NFC").toLowerCase();
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
