import { equalsQuestion, normalFormHash, type QuestionForms, questionForms } from "../markdown/normal-form.ts";
import type { Reading } from "../markdown/plain-text.ts";
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
  readonly #forms: QuestionForms;
  /** Of all its forms: only a text whose normal form has one of these is looked at. */
  readonly #hashes: ReadonlySet<number>;
  /** What is known of texts, by how they are read. */
  readonly #known: Readonly<Record<Reading, Map<string, boolean>>> = {
    question: new Map(),
    text: new Map(),
    code: new Map(),
    html: new Map(),
  };

  readonly #equalsQuestion: typeof equalsQuestion;

  /** @param equals reads a text and compares it; given by tests that count how many are */
  constructor(question: string, equals = equalsQuestion) {
    this.#equalsQuestion = equals;
    this.#forms = questionForms(question);
    const { typed, shown } = this.#forms;
    const forms = new Set([...typed, ...shown.text, ...shown.code, ...shown.html]);
    this.#hashes = new Set([...forms].map(normalFormHash));
  }

  /** A text that equals the question has one of these. */
  get hashes(): Iterable<number> {
    return this.#hashes;
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
      if (this.#hashes.has(hashes[i] ?? Number.NaN) && this.#equals(titles[i] ?? "", "question")) return true;
    }
    return false;
  }

  *#pieces(document: IndexedDocument): Generator<number, void> {
    const { hashes, titleCount } = document;
    const count = pieceCountOf(document);
    for (let piece = 0; piece < count; piece++) {
      if (!this.#hashes.has(hashes[titleCount + piece] ?? Number.NaN)) continue;
      const { startOffset, endOffset, reading } = pieceAt(document, piece);
      if (this.#equals(document.markdown.slice(startOffset, endOffset), reading)) yield piece;
    }
  }

  #equals(text: string, reading: Reading): boolean {
    const texts = this.#known[reading];
    let known = texts.get(text);
    if (known === undefined) {
      known = this.#equalsQuestion(text, reading, this.#forms);
      texts.set(text, known);
    }
    return known;
  }
}
