import type { Analyzer } from "../analysis/analyzer.ts";
import { GrowingUint32 } from "../platform/growing-array.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { analyzerIn, fieldsOf, languageOfCut } from "./document-fields.ts";
import { cutInSlices } from "./embedded-texts.ts";
import { type IndexedDocument, ordinalCountOf } from "./indexed-document.ts";
import type { LexicalIndex } from "./postings/lexical-index.ts";
import type { SearchIndex } from "./search-index.ts";

/** Documents in a slice that are only visited. */
const LOOKS_A_SLICE = 256;

/**
 * Reads the texts of an index with another analyzer, into another lexical index.
 *
 * The index stays in use meanwhile: documents enter and leave, and searches read the old terms until {@link takeOver} switches in one step.
 * Passages, embedding windows and vectors stay the same; only ordinals and terms change.
 */
export class OtherLanguage {
  readonly #index: SearchIndex;
  readonly #analyzer: Analyzer;
  readonly #lexical: LexicalIndex;
  /** The documents of the new lexical index, each with its first ordinal. */
  readonly #firsts = new Map<IndexedDocument, number>();
  readonly #languages = new Map<IndexedDocument, string | undefined>();

  constructor(index: SearchIndex, analyzer: Analyzer) {
    this.#index = index;
    this.#analyzer = analyzer;
    this.#lexical = index.lexical.emptyOne();
  }

  /** Number of documents in the new lexical index. */
  get documentCount(): number {
    return this.#firsts.size;
  }

  /** Approximate memory of the new lexical index, in bytes. */
  get bytes(): number {
    return this.#lexical.bytes;
  }

  /** Adds the documents that it lacks, and drops those that were removed. */
  *follow(): Sliced<void> {
    let looked = 0;
    for (const document of this.#index.documents) {
      if (!this.#firsts.has(document)) yield* this.#add(document);
      else if (++looked % LOOKS_A_SLICE === 0) yield;
    }
    for (const [document, first] of this.#firsts) {
      if (this.#isGone(document)) yield* this.#drop(document, first);
      else if (++looked % LOOKS_A_SLICE === 0) yield;
    }
  }

  /**
   * Switches the index to the other analyzer, in the last slice. No document may be staged meanwhile, and nothing else may give out numbers; documents
   * may leave.
   * @returns false if it is not wanted any more; the index stays as it is
   * @throws RangeError if the index has no capacity for it; then the index stays as it is
   */
  *takeOver(isWanted: () => boolean = () => true): Sliced<boolean> {
    const { documents } = this.#index;
    while (isWanted()) {
      yield* this.follow();
      const { changes } = documents;
      const windows = this.#index.windows.emptyOnes();
      const slotByOrdinal = new Uint32Array(this.#lexical.nextOrdinal);
      yield;
      for (const [document, first] of this.#firsts) {
        windows.place(document, first);
        slotByOrdinal.fill(document.slot + 1, first, first + ordinalCountOf(document));
        yield;
      }
      if (documents.changes !== changes || !isWanted()) continue;
      for (const [document, first] of this.#firsts) document.firstOrdinal = first;
      for (const [document, language] of this.#languages) documents.setLanguage(document, language);
      documents.takeOrdinals(new GrowingUint32(slotByOrdinal));
      this.#index.windows.takeOrdinals(windows);
      this.#index.lexical = this.#lexical;
      this.#index.analyzer = this.#analyzer;
      return true;
    }
    return false;
  }

  *#add(document: IndexedDocument): Sliced<void> {
    const cut = yield* cutInSlices(document.document);
    const language = languageOfCut(cut, this.#analyzer);
    const first = this.#lexical.nextOrdinal;
    const lengths: number[] = [];
    let isWhole = false;
    try {
      for (const fields of fieldsOf(cut, analyzerIn(language, this.#analyzer), this.#lexical)) {
        if (this.#isGone(document)) return;
        lengths.push(this.#lexical.stage(fields));
        yield;
      }
      isWhole = lengths.length === ordinalCountOf(document);
    } finally {
      if (!isWhole) this.#lexical.abandon(lengths.length);
    }
    if (!isWhole) throw new RangeError(`Document ${document.document.id} is cut in another way than it was.`);
    this.#lexical.enter(first, lengths);
    this.#lexical.prepareWords();
    this.#firsts.set(document, first);
    this.#languages.set(document, language);
    yield* this.#lexical.settle();
  }

  *#drop(document: IndexedDocument, first: number): Sliced<void> {
    this.#firsts.delete(document);
    this.#languages.delete(document);
    for (let i = 0; i < ordinalCountOf(document); i++) {
      this.#lexical.remove(first + i);
      yield;
    }
  }

  #isGone(document: IndexedDocument): boolean {
    return this.#index.documents.at(document.slot) !== document;
  }
}
