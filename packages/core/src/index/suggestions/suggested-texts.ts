import { blocksOf } from "../../markdown/blocks.ts";
import { Lines } from "../../markdown/lines.ts";
import { plainText } from "../../markdown/plain-text.ts";
import { SUGGESTED_CHARACTERS_MAX, SUGGESTED_TEXTS_MAX } from "../../model/limits.ts";
import type { SuggestionKind } from "../../model/suggestions.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { fragmentAt, fragmentCountOf, type IndexedDocument } from "../indexed-document.ts";
import { tokensOfWords } from "./tokens.ts";

/** Fragments, and texts, between two yields. */
const SLICE_FRAGMENTS = 256;
const SLICE_TEXTS = 64;
/** UTF-16 units between two fragments that are read for headings, before the later one. */
const BETWEEN_MAX = 2_000;

const MAY_BE_HEADING = /#|^[ \t>]*[=-]/m;
const INDENTATION = /^[ \t]+/gm;
/** A fragment that is a heading has a mark before its text or a line of marks below it, in a quotation or list too. */
const IS_MARKED = /^[\s>*+\-\d.)]*#|\n[ \t>]*(?:=+|-+)[ \t]*$/;

/** A text that may be suggested. */
export interface SuggestedText {
  readonly text: string;
  readonly kind: SuggestionKind;
  readonly tokens: readonly string[];
}

/**
 * The texts of a document that may be suggested: titles or question variants, then headings in their order. Each text comes once.
 * Longer texts than {@link SUGGESTED_CHARACTERS_MAX} are left out, and all texts after the first {@link SUGGESTED_TEXTS_MAX}.
 */
export function* suggestedTexts(document: IndexedDocument): Sliced<readonly SuggestedText[]> {
  const suggested: SuggestedText[] = [];
  for (const [text, kind] of yield* textsOf(document)) {
    suggested.push({ text, kind, tokens: tokensOfWords(text).flat() });
    if (suggested.length % SLICE_TEXTS === 0) yield;
  }
  return suggested;
}

function* textsOf(document: IndexedDocument): Sliced<ReadonlyMap<string, SuggestionKind>> {
  const texts = new Map<string, SuggestionKind>();
  const add = (text: string, kind: SuggestionKind): void => {
    if (text.length > 2 * SUGGESTED_CHARACTERS_MAX || texts.size === SUGGESTED_TEXTS_MAX) return;
    const line = text.replace(/\s+/gu, " ").trim();
    if (line !== "" && line.length <= SUGGESTED_CHARACTERS_MAX && !texts.has(line)) texts.set(line, kind);
  };
  const kind = document.document.type === "QNA" ? "question" : "title";
  for (const title of document.document.titles.slice(0, document.titleCount)) add(title, kind);
  yield;
  const { markdown } = document;
  const addHeadings = (part: string): void => {
    // Within a list an indented line may be a heading. Alone it would be read as code.
    const lines = Lines.of(part.replace(INDENTATION, ""));
    for (const { headingLevel, startLine, stopLine } of blocksOf(lines))
      if (headingLevel > 0) add(copied(plainText(lines.slice(startLine, stopLine))), "heading");
  };
  let before = 0;
  for (let i = 0; i < fragmentCountOf(document) && texts.size < SUGGESTED_TEXTS_MAX; i++) {
    // A heading with text below it stands between two fragments. One without is a fragment itself.
    const { startOffset, endOffset, reading } = fragmentAt(document, i);
    const between = markdown.slice(Math.max(before, startOffset - BETWEEN_MAX), startOffset);
    if (MAY_BE_HEADING.test(between)) addHeadings(between);
    const isShort = endOffset - startOffset <= 2 * SUGGESTED_CHARACTERS_MAX;
    if (reading === "text" && isShort) {
      const fragment = markdown.slice(startOffset, endOffset);
      if (IS_MARKED.test(fragment)) addHeadings(fragment);
    }
    before = endOffset;
    if (i % SLICE_FRAGMENTS === SLICE_FRAGMENTS - 1) yield;
  }
  return texts;
}

/** A copy. A slice would keep the whole markdown in memory after the document was removed. */
function copied(text: string): string {
  return Buffer.from(text).toString();
}
