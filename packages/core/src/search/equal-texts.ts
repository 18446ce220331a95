import { fragmentAt, fragmentCountOf, type IndexedDocument } from "../index/indexed-document.ts";
import { equalsQuestion, normalFormHash, type QuestionForms, questionForms } from "../markdown/normal-form.ts";
import type { Reading } from "../markdown/plain-text.ts";
import { TEXT_PARTS_MAX } from "../model/limits.ts";
import { must } from "../model/must.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/** Hashes that are compared between two yields. */
const SLICE_HASHES = 8_192;
/** Comparing a text counts as this number of hashes, and one more for each of its UTF-16 units. */
const TEXT_HASHES = 32;

/** The texts of a document that equal a question. */
export interface EqualTexts {
  /** True if the title or a question variant equals it. */
  readonly title: boolean;
  /** The first fragments that equal it, in order, each on lines of its own. At most as many as are quoted. */
  readonly fragments: readonly number[];
}

/**
 * Compares texts with a question by their normal forms. Hashes are compared first.
 * Each distinct text with a matching hash is read once, so that of many equal documents only the first is read.
 */
export class EqualToQuestion {
  readonly #forms: QuestionForms;
  /** Hashes of all normal forms of the question. Only texts whose hash is among them are read. */
  readonly #hashes: ReadonlySet<number>;
  /** Results for texts that were read, by their reading. */
  readonly #known: Readonly<Record<Reading, Map<string, boolean>>> = {
    question: new Map(),
    text: new Map(),
    code: new Map(),
    html: new Map(),
  };

  readonly #equalsQuestion: typeof equalsQuestion;

  /** @param equals reads a text and compares it; tests replace it to count the reads */
  constructor(question: string, equals = equalsQuestion) {
    this.#equalsQuestion = equals;
    this.#forms = questionForms(question);
    const { typed, shown } = this.#forms;
    const forms = new Set([...typed, ...shown.text, ...shown.code, ...shown.html]);
    this.#hashes = new Set([...forms].map(normalFormHash));
  }

  /** The hashes of the question's forms. A text that equals the question has one of them. */
  get hashes(): Iterable<number> {
    return this.#hashes;
  }

  /** True if any text of a document equals the question. Stops at the first. */
  *isIn(document: IndexedDocument): Sliced<boolean> {
    return this.#hasTitle(document) || (yield* this.#fragments(document, 1)).length > 0;
  }

  /** The texts of a document that equal the question. */
  *in(document: IndexedDocument): Sliced<EqualTexts> {
    return { title: this.#hasTitle(document), fragments: yield* this.#fragments(document, TEXT_PARTS_MAX) };
  }

  // Here and below in bounds: a document has a hash for each of its titles, then for each of its fragments.
  #hasTitle({ document, hashes, titleCount }: IndexedDocument): boolean {
    const { titles } = document;
    for (let i = 0; i < titleCount; i++) {
      if (this.#hashes.has(hashes[i] as number) && this.#equals(must(titles[i], "a title"), "question")) return true;
    }
    return false;
  }

  /** The first `most` fragments that equal the question, none of which shares a line with one before it. */
  *#fragments(document: IndexedDocument, most: number): Sliced<number[]> {
    const fragments: number[] = [];
    const count = fragmentCountOf(document);
    const { hashes, titleCount, markdown } = document;
    let compared = 0;
    let lastLine = 0;
    for (let fragment = 0; fragment < count && fragments.length < most; fragment++) {
      if (compared >= SLICE_HASHES) {
        compared = 0;
        yield;
      }
      compared++;
      if (!this.#hashes.has(hashes[titleCount + fragment] as number)) continue;
      const { startLine, stopLine, startOffset, endOffset, reading } = fragmentAt(document, fragment);
      if (startLine <= lastLine) continue;
      compared += TEXT_HASHES + endOffset - startOffset;
      if (!this.#equals(markdown.slice(startOffset, endOffset), reading)) continue;
      fragments.push(fragment);
      lastLine = stopLine;
    }
    return fragments;
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
