import type { PassageSet } from "../markdown/passages.ts";
import { passagesInSlices } from "../markdown/passages.ts";
import { plainText, type Reading } from "../markdown/plain-text.ts";
import { must } from "../model/must.ts";
import type { SearchableDocument } from "../model/types.ts";
import { unicodeForm } from "../platform/unicode-form.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { type Window, windowsOf } from "./embedding-windows.ts";

/** Version of the texts that are embedded. Raised when the same document would give other texts: stored vectors are then made again. */
export const EMBEDDED_TEXTS_VERSION = 9;

/** A document cut for the index: the texts of its ordinals and of its embedding windows. */
export interface CutDocument {
  readonly cut: PassageSet;
  /** Titles of the whole document, of a QNA its question variants. Empty if the document has no text. */
  readonly titles: readonly string[];
  /** The question variants of a QNA, which are retrieved on their own. Their ordinals come first. */
  readonly variants: readonly string[];
  /** The text of every fragment without marks, by passage. */
  readonly plain: readonly (readonly string[])[];
  /** The embedding windows of each passage. */
  readonly windows: readonly (readonly Window[])[];
  /** The title without marks, which has a vector of its own. Empty where there is no title, and for a QNA, whose question variants have theirs. */
  readonly titleWindow: string;
}

/** Cuts a document into passages, fragments and embedding windows. */
export function cutDocument(document: SearchableDocument): CutDocument {
  return finished(cutInSlices(document));
}

/** {@link cutDocument} as sliced work. */
export function* cutInSlices(document: SearchableDocument): Sliced<CutDocument> {
  const cut = yield* passagesInSlices(document.content);
  const titles = cut.passages.length === 0 ? [] : document.titles;
  const variants = document.type === "QNA" ? titles : [];
  const plain: string[][] = [];
  const windows: Window[][] = [];
  for (const { fragments } of cut.passages) {
    const texts = fragments.map(({ startOffset, endOffset, reading }) =>
      plainText(cut.markdown.slice(startOffset, endOffset), reading),
    );
    plain.push(texts);
    windows.push(windowsOf(texts));
    yield;
  }
  const titleWindow = variants.length > 0 ? "" : shortTitle(titles[0] ?? "").trim();
  return { cut, titles, variants, plain, windows, titleWindow };
}

/**
 * The texts that an encoder gets of a document, one for each embedding window, in order. Question variants and the title stand alone. A window of a
 * passage stands below title and headings, which say what it is about.
 */
export function* embeddedTexts({ cut, titles, variants, windows, titleWindow }: CutDocument): Generator<string, void> {
  const title = shortTitle(titles[0] ?? "");
  for (const variant of variants) yield encoderText(plainText(variant, "question"));
  if (titleWindow !== "") yield encoderText(titleWindow);
  for (const [i, { headings }] of cut.passages.entries()) {
    const above = [title, ...headings].filter((line) => line !== "");
    for (const { text } of must(windows[i], "the windows of a passage")) yield encoderText([...above, text].join("\n"));
  }
}

/**
 * The text that an encoder gets of a question: without marks of markdown, as the texts that it is compared with. Repeated exclamation and question
 * marks at its end become one question mark, or nothing.
 */
export function embeddedQuestion(question: string): string {
  const plain = plainText(question, "question")
    .trim()
    .replace(RAISED_VOICE, (run) => (run.includes("?") ? "?" : ""));
  // A question of marks alone would be empty.
  return encoderText(plain === "" ? question : plain);
}

/** Two or more exclamation or question marks at the end. */
const RAISED_VOICE = /(?<![!?])[!?]{2,}$/;

/**
 * Puts letters and digits into their plain form (NFKC): full width, mathematical bold, ligatures. Encoders have no word pieces for the other forms.
 * Punctuation stays, since encoders know it as it is printed.
 */
function encoderText(text: string): string {
  return text.replace(PRESENTED, (run) => unicodeForm(run, "NFKC"));
}

/** Runs of letters, digits and marks beyond ASCII, and of characters of full width. */
const PRESENTED = /(?:(?!\p{ASCII})[\p{L}\p{N}\p{M}\uff00-\uffef])+/gu;

/** All of {@link embeddedTexts} of a document that is not cut yet, as sliced work. */
export function* textsInSlices(document: SearchableDocument): Sliced<string[]> {
  const texts: string[] = [];
  for (const text of embeddedTexts(yield* cutInSlices(document))) {
    texts.push(text);
    yield;
  }
  return texts;
}

/** Maximum length of a title within passages, in UTF-16 units. Every passage repeats the title, so an endless one must not make the index endless. */
const TITLE_UNITS_MAX = 2_000;

/** The title as it goes into every passage: shortened, and without marks or as `read` gives it. */
export function shortTitle(title: string, read: (title: string, reading: Reading) => string = plainText): string {
  return read(title.slice(0, TITLE_UNITS_MAX), "question");
}
