import type { Analyzer } from "../analysis/analyzer.ts";
import type { SearchableDocument } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { analyzerIn, fieldsOf, languageOfCut, numbersInSlices } from "./document-fields.ts";
import type { Documents } from "./documents.ts";
import { type CutDocument, embeddedTexts } from "./embedded-texts.ts";
import type { ExactTexts } from "./exact-texts.ts";
import type { IndexedDocument } from "./indexed-document.ts";
import type { LexicalIndex } from "./postings/lexical-index.ts";
import type { StagedVectors } from "./vectors/staged-vectors.ts";
import type { WindowNumbers } from "./window-numbers.ts";
import type { WindowVectors } from "./window-vectors.ts";

/** The structures that hold a document's entries. */
export interface Places {
  readonly lexical: LexicalIndex;
  readonly documents: Documents;
  readonly exact: ExactTexts;
  readonly windows: WindowNumbers;
  readonly vectors: WindowVectors;
}

/**
 * A staged document: a version that is being indexed and that no search sees yet.
 *
 * All of its entries are made beforehand, under numbers that searches pass over. Its passages have no length, its vectors no norm, and its slot no
 * document. So {@link enter} does little more than count.
 */
export class StagedDocument {
  readonly #places: Places;
  readonly #cut: CutDocument;
  readonly #version: number;
  readonly #lengths: number[] = [];
  #indexed: IndexedDocument | undefined;
  #vectors: StagedVectors | undefined;

  constructor(places: Places, cut: CutDocument, version: number) {
    this.#places = places;
    this.#cut = cut;
    this.#version = version;
  }

  /** Makes all entries of the document. `encode` makes the first vector of a text, or returns undefined where there is none. */
  *prepare(
    document: SearchableDocument,
    analyzer: Analyzer,
    encode?: (text: string) => Int8Array | undefined,
  ): Sliced<void> {
    const { lexical, documents, exact, windows, vectors } = this.#places;
    const { cut, titles, variants } = this.#cut;
    const numbers = yield* numbersInSlices(this.#cut);
    const language = languageOfCut(this.#cut, analyzer);
    const indexed: IndexedDocument = {
      language,
      slot: documents.takeSlot(),
      document,
      version: this.#version,
      markdown: cut.markdown,
      firstOrdinal: lexical.nextOrdinal,
      firstWindow: windows.next,
      ownVectors: 0,
      variantCount: variants.length,
      titleCount: titles.length,
      ...numbers,
    };
    this.#indexed = indexed;
    for (const fields of fieldsOf(this.#cut, analyzerIn(language, analyzer), lexical)) {
      this.#lengths.push(lexical.stage(fields));
      yield;
    }
    documents.number(indexed);
    yield;
    windows.number(indexed);
    yield* exact.add(indexed);
    const staged = encode === undefined ? undefined : vectors.stage(indexed);
    if (encode === undefined || staged === undefined) return;
    for (const text of embeddedTexts(this.#cut)) {
      const codes = encode(text);
      // A document gets vectors for all of its windows or for none. Without them its terms still find it.
      if (codes === undefined) return;
      staged.add(codes);
      yield;
    }
    this.#vectors = staged;
  }

  /** Makes the document visible to searches. Returns the number of first vectors that it came with. */
  enter(document: SearchableDocument): number {
    const { lexical, documents, windows, vectors } = this.#places;
    const indexed = this.#indexed;
    if (indexed === undefined) throw new Error("A document that is not ready cannot be entered.");
    indexed.document = document;
    lexical.enter(indexed.firstOrdinal, this.#lengths);
    windows.enter(indexed);
    documents.enter(indexed);
    return this.#vectors === undefined ? 0 : vectors.enter(this.#vectors);
  }

  /** Gives the document up and frees its slot. Its ordinals and window numbers are not given again. */
  *abandon(): Sliced<void> {
    const { lexical, documents, exact } = this.#places;
    lexical.abandon(this.#lengths.length);
    if (this.#indexed === undefined) return;
    yield* exact.remove(this.#indexed);
    documents.freeSlot(this.#indexed.slot);
  }
}
