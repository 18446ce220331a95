import { fragmentAt, fragmentCountOf, type IndexedDocument } from "../index/indexed-document.ts";
import { equalsQuestion, normalFormHash, type QuestionForms, questionForms } from "../markdown/normal-form.ts";
import type { Reading } from "../markdown/plain-text.ts";
import { TEXT_PARTS_MAX } from "../model/limits.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/** Hashes that are compared in a step. */
const SLICE_HASHES = 8_192;
/** Looking a text up takes as long as comparing this number of hashes, and one more for each of its UTF-16 units. */
const TEXT_HASHES = 32;

/** What of a document equals a question. */
export interface EqualTexts {
  /** Whether a title does, or a wording. */
  readonly title: boolean;
  /** The first pieces that do, in order, each with lines of its own: as many as are quoted. */
  readonly fragments: readonly number[];
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
  *isIn(document: IndexedDocument): Sliced<boolean> {
    return this.#hasTitle(document) || (yield* this.#fragments(document, 1)).length > 0;
  }

  /** What of a document does. */
  *in(document: IndexedDocument): Sliced<EqualTexts> {
    return { title: this.#hasTitle(document), fragments: yield* this.#fragments(document, TEXT_PARTS_MAX) };
  }

  #hasTitle({ document, hashes, titleCount }: IndexedDocument): boolean {
    const { titles } = document;
    for (let i = 0; i < titleCount; i++) {
      if (this.#hashes.has(hashes[i] ?? Number.NaN) && this.#equals(titles[i] ?? "", "question")) return true;
    }
    return false;
  }

  /** The first `most` pieces that do, none of which shares a line with one before it. */
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
      if (!this.#hashes.has(hashes[titleCount + fragment] ?? Number.NaN)) continue;
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
