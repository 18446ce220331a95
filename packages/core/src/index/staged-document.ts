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

/** Where a document has its entries. */
export interface Places {
  readonly lexical: LexicalIndex;
  readonly documents: Documents;
  readonly exact: ExactTexts;
  readonly windows: WindowNumbers;
  readonly vectors: WindowVectors;
}

/**
 * A version of a document on its way into the index. It takes all of its places beforehand, under numbers that no search asks for: its
 * passages have no length, its vectors no norm, and its slot no document. Entering it is little more than counting.
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
      // All of them or none: it is found by its words.
      if (codes === undefined) return;
      staged.add(codes);
      yield;
    }
    this.#vectors = staged;
  }

  /** Searches see it from now on. Returns how many first vectors it came with. */
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

  /** Leaves its places. Numbers that it was given are not given again. */
  *abandon(): Sliced<void> {
    const { lexical, documents, exact } = this.#places;
    lexical.abandon(this.#lengths.length);
    if (this.#indexed === undefined) return;
    yield* exact.remove(this.#indexed);
    documents.freeSlot(this.#indexed.slot);
  }
}
