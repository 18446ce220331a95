import { hash } from "node:crypto";
import { unicodeForm } from "../platform/unicode-form.ts";
import { plainText, type Reading } from "./plain-text.ts";

const WHITE_SPACE = /\s+/gu;
/** Most texts have only single spaces, and need no copy. */
const OTHER_THAN_SINGLE_SPACES = /[^\S ]| {2}/u;

/**
 * The normal form of a title or a question: NFC, no markdown marks, lower case, white space collapsed and trimmed.
 * Two texts with the same form count as equal. Text between angle brackets is kept.
 */
export function normalForm(text: string): string {
  return normalFormOfPlain(plainText(text, "question"));
}

/** The normal forms of a question, under all readings of it. */
export interface QuestionForms {
  /**
   * Forms with all of its words. A text whose visible text is one of them equals the question. The question is read as markdown, with its lines
   * and as one line, since people break lines anywhere and marks count at the beginning of a line. It is also read as
   * the visible text of code or HTML, where a star is a star.
   */
  readonly typed: ReadonlySet<string>;
  /** Forms of its visible text if it stood in a document: words in tags and behind a fence's marks are missing. */
  readonly shown: Readonly<Record<Exclude<Reading, "question">, ReadonlySet<string>>>;
}

/** Computes all normal forms of a question, once for a search. */
export function questionForms(question: string): QuestionForms {
  const oneLine = question.replace(WHITE_SPACE, " ").trim();
  const questions = oneLine === question ? [question] : [question, oneLine];
  // Most questions have no marks. Then all readings give one text.
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
 * Whether a text equals a question: its visible text is the typed question, or the question quotes the text with its invisible words.
 * So neither has a word that the other lacks, except words in tags of HTML. If the text has no word, both must have the same marks.
 */
export function equalsQuestion(text: string, reading: Reading, { typed, shown }: QuestionForms): boolean {
  const seen = normalFormOfPlain(plainText(text, reading));
  if (seen === "") return typed.has(normalFormOfPlain(text));
  const hidesWords = (reading === "text" || reading === "html") && hidesOtherThanTags(text, reading, seen);
  if (typed.has(seen) && !hidesWords) return true;
  return reading !== "question" && shown[reading].has(seen) && typed.has(normalForm(text));
}

/** The normal form of a text whose marks are removed already. */
export function normalFormOfPlain(text: string): string {
  const lower = unicodeForm(text, "NFC").toLowerCase();
  return (OTHER_THAN_SINGLE_SPACES.test(lower) ? lower.replace(WHITE_SPACE, " ") : lower).trim();
}

/** Hexadecimal digits of a digest that a number can hold exactly. */
const DIGITS = 13;

/**
 * A 52-bit hash of a normal form, from SHA-256, so that no attacker can make many texts with one hash, which a question with that hash would all read.
 * Equal forms have equal hashes. For equal hashes the caller must compare the texts.
 */
export function normalFormHash(form: string): number {
  return Number.parseInt(hash("sha256", form).slice(0, DIGITS), 16);
}

/** The elements of HTML, obsolete ones included. Another name in angle brackets was hardly meant as a tag. */
const NAMES = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button
  canvas caption center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset
  figcaption figure font footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd
  label legend li link main map mark marquee math menu meta meter nav nobr noframes noscript object ol optgroup option output
  p param picture pre progress q rp rt ruby s samp script search section select slot small source span strike strong style
  sub summary sup svg table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr`.split(
    /\s+/,
  ),
);

/** Strings that a reading takes for tags: in a block of HTML with anything behind the name, elsewhere only with the valid characters. */
const TAGS = { html: /<\/?([a-z0-9][a-z0-9-]*)/gi, text: /<\/?([a-z][a-z0-9-]*)(?=[\s/>])/gi };

/** Whether `text` has names in angle brackets that are no elements of HTML, and that are missing in `seen`, its visible text. */
function hidesOtherThanTags(text: string, reading: "text" | "html", seen: string): boolean {
  return count(text, TAGS[reading]) > count(seen, TAGS[reading]);
}

function count(text: string, tags: RegExp): number {
  let others = 0;
  for (const [, name = ""] of text.matchAll(tags)) if (!NAMES.has(name.toLowerCase())) others++;
  return others;
}
