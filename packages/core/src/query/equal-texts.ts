import { normalFormHash, normalFormOfPlain, queryForms } from "../markdown/normal-form.ts";
import type { PieceReading } from "../markdown/passages.ts";
import { plainText } from "../markdown/plain-text.ts";
import { type IndexedDocument, pieceAt, pieceCountOf } from "./indexed-document.ts";

/** What of a document equals a question. */
export interface EqualTexts {
  /** Whether a title does, or a wording. */
  readonly title: boolean;
  /** The pieces that do, in order. */
  readonly pieces: readonly number[];
}

/**
 * Which texts equal a question. Hashes are compared first, and a text of the same hash is looked at once, wherever it stands: of many
 * documents that say the same only the first is read.
 */
export class EqualToQuestion {
  /** The forms of the question by their hashes: a text whose normal form is one of these is a perfect match. */
  readonly #forms: ReadonlyMap<number, string>;
  /** What is known of texts, by how they are read. */
  readonly #known: Readonly<Record<PieceReading, Map<string, boolean>>> = {
    text: new Map(),
    code: new Map(),
    html: new Map(),
  };

  constructor(question: string) {
    this.#forms = new Map(queryForms(question).map((form) => [normalFormHash(form), form]));
  }

  /** A text that equals the question has one of these. */
  get hashes(): Iterable<number> {
    return this.#forms.keys();
  }

  /** Whether anything of a document does: the first that does is enough. */
  isIn(document: IndexedDocument): boolean {
    return this.#hasTitle(document) || !this.#pieces(document).next().done;
  }

  /** All of a document that does. */
  in(document: IndexedDocument): EqualTexts {
    return { title: this.#hasTitle(document), pieces: [...this.#pieces(document)] };
  }

  #hasTitle({ document, hashes, titleCount }: IndexedDocument): boolean {
    const { titles } = document;
    for (let i = 0; i < titleCount; i++) {
      const form = this.#forms.get(hashes[i] ?? Number.NaN);
      if (form !== undefined && this.#reads(titles[i] ?? "", "text", form)) return true;
    }
    return false;
  }

  *#pieces(document: IndexedDocument): Generator<number, void> {
    const { hashes, titleCount } = document;
    const count = pieceCountOf(document);
    for (let piece = 0; piece < count; piece++) {
      const form = this.#forms.get(hashes[titleCount + piece] ?? Number.NaN);
      if (form === undefined) continue;
      const { startOffset, endOffset, reading } = pieceAt(document, piece);
      if (this.#reads(document.markdown.slice(startOffset, endOffset), reading, form)) yield piece;
    }
  }

  /** Whether a text has this form. */
  #reads(text: string, reading: PieceReading, form: string): boolean {
    const texts = this.#known[reading];
    let known = texts.get(text);
    if (known === undefined) {
      known = normalFormOfPlain(plainText(text, reading)) === form;
      texts.set(text, known);
    }
    return known;
  }
}
