import type { PassageSet } from "../markdown/passages.ts";
import { passagesInSlices } from "../markdown/passages.ts";
import { plainText, type Reading } from "../markdown/plain-text.ts";
import type { SearchableDocument } from "../model/types.ts";
import { unicodeForm } from "../platform/unicode-form.ts";
import { finished, type Sliced } from "../scheduling/time-slices.ts";
import { type Window, windowsOf } from "./embedding-windows.ts";

/** Raised whenever the same document would give other texts: stored vectors are then made anew. */
export const EMBEDDED_TEXTS_VERSION = 9;

/** A document cut for the index: what each of its ordinals stands for, and which of them have several vectors. */
export interface CutDocument {
  readonly cut: PassageSet;
  /** Wordings that stand for the whole document; none if it has no text. */
  readonly titles: readonly string[];
  /** Those that are retrieved on their own: a QNA's question and alternatives. They come first. */
  readonly variants: readonly string[];
  /** The text of every piece without marks, by passage. */
  readonly plain: readonly (readonly string[])[];
  /** What each passage has vectors of. */
  readonly windows: readonly (readonly Window[])[];
  /** The title without marks, which has a vector of its own; empty for a QNA, whose wordings have theirs, and where there is none. */
  readonly titleWindow: string;
}

export function cutDocument(document: SearchableDocument): CutDocument {
  return finished(cutInSlices(document));
}

/** The same, a step at a time. */
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
 * What an encoder is given of a document: its wordings or its title as they are, and the parts of its passages below title and
 * headings, which tell what they are about.
 */
export function* embeddedTexts({ cut, titles, variants, windows, titleWindow }: CutDocument): Generator<string, void> {
  const title = shortTitle(titles[0] ?? "");
  for (const variant of variants) yield encoderText(plainText(variant, "question"));
  if (titleWindow !== "") yield encoderText(titleWindow);
  for (const [i, { headings }] of cut.passages.entries()) {
    const above = [title, ...headings].filter((line) => line !== "");
    for (const { text } of windows[i] ?? []) yield encoderText([...above, text].join("\n"));
  }
}

/** What an encoder is given of a question: without marks of markdown, like the texts that it is compared with, and no louder than it is. */
export function embeddedQuestion(question: string): string {
  const plain = plainText(question, "question")
    .trim()
    .replace(RAISED_VOICE, (run) => (run.includes("?") ? "?" : ""));
  // Of marks alone nothing would be left.
  return encoderText(plain === "" ? question : plain);
}

/** Two and more at the end. */
const RAISED_VOICE = /(?<![!?])[!?]{2,}$/;

/**
 * Letters and digits in their plain form (NFKC), whatever they are typed or set in: full width, bold of mathematics, ligatures. Encoders have no pieces for
 * the others. Punctuation stays: they know it as it is printed.
 */
function encoderText(text: string): string {
  return text.replace(PRESENTED, (run) => unicodeForm(run, "NFKC"));
}

/** Letters and digits beyond ASCII with what belongs to them, and all of full width. */
const PRESENTED = /(?:(?!\p{ASCII})[\p{L}\p{N}\p{M}\uff00-\uffef])+/gu;

/** All of them, of a document that is not cut yet. */
export function* textsInSlices(document: SearchableDocument): Sliced<string[]> {
  const texts: string[] = [];
  for (const text of embeddedTexts(yield* cutInSlices(document))) {
    texts.push(text);
    yield;
  }
  return texts;
}

/** Every passage repeats the title: an imported one that is endless must not make the index so. UTF-16 units. */
const TITLE_UNITS_MAX = 2_000;

/** The title as it goes into every passage: without marks, or as another reading of it has it. */
export function shortTitle(title: string, read: (title: string, reading: Reading) => string = plainText): string {
  return read(title.slice(0, TITLE_UNITS_MAX), "question");
}
