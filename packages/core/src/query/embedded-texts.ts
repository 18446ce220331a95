import type { PassageSet } from "../markdown/passages.ts";
import { passagesOf } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import type { SearchableDocument } from "../types.ts";

/** Raised whenever the same document would give other texts: stored vectors are then made anew. */
export const EMBEDDED_TEXTS_VERSION = 1;

/** A document cut for the index: what each of its ordinals stands for. */
export interface CutDocument {
  readonly cut: PassageSet;
  /** Wordings that stand for the whole document; none if it has no text. */
  readonly titles: readonly string[];
  /** Those that are retrieved on their own: a QNA's question and alternatives. They come first. */
  readonly wordings: readonly string[];
  /** The text of every piece without marks, by passage. */
  readonly plain: readonly (readonly string[])[];
}

export function cutDocument(document: SearchableDocument): CutDocument {
  const cut = passagesOf(document.content);
  const titles = cut.passages.length === 0 ? [] : document.titles;
  return { cut, titles, wordings: document.type === "QNA" ? titles : [], plain: plainPieces(cut) };
}

/** What an encoder is given of a document, in the order of its ordinals: wordings as they are, passages below their title and headings. */
export function embeddedTexts(document: SearchableDocument): string[] {
  const { cut, titles, wordings, plain } = cutDocument(document);
  const title = shortTitle(titles[0] ?? "");
  const passages = cut.passages.map(({ headings }, i) => {
    const lines = [title, ...headings, ...(plain[i] ?? [])];
    return lines.filter((line) => line !== "").join("\n");
  });
  return [...wordings.map((wording) => plainText(wording)), ...passages];
}

/** Every passage repeats the title: an imported one that is endless must not make the index so. UTF-16 units. */
const TITLE_UNITS_MAX = 2_000;

/** The title without marks, as it goes into every passage. */
export function shortTitle(title: string): string {
  return plainText(title.slice(0, TITLE_UNITS_MAX));
}

function plainPieces({ markdown, passages }: PassageSet): string[][] {
  return passages.map(({ pieces }) =>
    pieces.map((piece) => plainText(markdown.slice(piece.startOffset, piece.endOffset))),
  );
}
