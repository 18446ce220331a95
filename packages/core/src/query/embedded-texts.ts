import type { SearchableDocument } from "../domain/types.ts";
import type { PassageSet } from "../markdown/passages.ts";
import { passagesOf } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import { type Part, partsOf } from "./parts.ts";

/** Raised whenever the same document would give other texts: stored vectors are then made anew. */
export const EMBEDDED_TEXTS_VERSION = 4;

/** A document cut for the index: what each of its ordinals stands for, and which of them have several vectors. */
export interface CutDocument {
  readonly cut: PassageSet;
  /** Wordings that stand for the whole document; none if it has no text. */
  readonly titles: readonly string[];
  /** Those that are retrieved on their own: a QNA's question and alternatives. They come first. */
  readonly wordings: readonly string[];
  /** The text of every piece without marks, by passage. */
  readonly plain: readonly (readonly string[])[];
  /** What each passage has vectors of. */
  readonly parts: readonly (readonly Part[])[];
  /** The title without marks, which has a vector of its own; empty for a QNA, whose wordings have theirs, and where there is none. */
  readonly titlePart: string;
}

export function cutDocument(document: SearchableDocument): CutDocument {
  const cut = passagesOf(document.content);
  const titles = cut.passages.length === 0 ? [] : document.titles;
  const wordings = document.type === "QNA" ? titles : [];
  const plain = plainPieces(cut);
  const titlePart = wordings.length > 0 ? "" : shortTitle(titles[0] ?? "").trim();
  return { cut, titles, wordings, plain, parts: plain.map((pieces) => partsOf(pieces)), titlePart };
}

/**
 * What an encoder is given of a document: its wordings or its title as they are, and the parts of its passages below title and
 * headings, which tell what they are about. `known` is the document as it was cut for the index, if it is at hand.
 */
export function embeddedTexts(document: SearchableDocument, known?: CutDocument): string[] {
  const { cut, titles, wordings, parts, titlePart } = known ?? cutDocument(document);
  const title = shortTitle(titles[0] ?? "");
  const texts = wordings.map((wording) => plainText(wording, "question"));
  if (titlePart !== "") texts.push(titlePart);
  for (const [i, { headings }] of cut.passages.entries()) {
    const above = [title, ...headings].filter((line) => line !== "");
    for (const { text } of parts[i] ?? []) texts.push([...above, text].join("\n"));
  }
  return texts;
}

/** Every passage repeats the title: an imported one that is endless must not make the index so. UTF-16 units. */
const TITLE_UNITS_MAX = 2_000;

/** The title without marks, as it goes into every passage. */
export function shortTitle(title: string): string {
  return plainText(title.slice(0, TITLE_UNITS_MAX));
}

function plainPieces({ markdown, passages }: PassageSet): string[][] {
  return passages.map(({ pieces }) =>
    pieces.map(({ startOffset, endOffset, reading }) => plainText(markdown.slice(startOffset, endOffset), reading)),
  );
}
