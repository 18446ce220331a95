import type { Vocabulary } from "../model/vocabulary-types.ts";
import { frozen } from "../platform/frozen.ts";

/** The vocabulary of a bot that has none. All such bots share it. */
const NO_VOCABULARY: Vocabulary = frozen({ synonyms: [], pins: [], ignored: [] });

/** Bytes of an entry and of a UTF-16 unit of its texts, together with what searches make of them. Measured. */
const ENTRY_BYTES = 700;
const UNIT_BYTES = 8;

/** The vocabulary of one bot. A change replaces the whole of it. */
export class VocabularyTable {
  #current = NO_VOCABULARY;
  #heapBytes = 0;

  get current(): Vocabulary {
    return this.#current;
  }
  get isEmpty(): boolean {
    return isEmptyVocabulary(this.#current);
  }
  /** About how much memory it takes, with what searches make of it. O(1). */
  get heapBytes(): number {
    return this.#heapBytes;
  }

  set(vocabulary: Vocabulary): void {
    this.#current = isEmptyVocabulary(vocabulary) ? NO_VOCABULARY : vocabulary;
    this.#heapBytes = vocabularyHeapBytes(this.#current);
  }
}

function isEmptyVocabulary({ synonyms, pins, ignored }: Vocabulary): boolean {
  return synonyms.length + pins.length + ignored.length === 0;
}

/** About how much memory a vocabulary takes, with what searches make of it, in bytes. Linear in its entries. */
export function vocabularyHeapBytes({ synonyms, pins, ignored }: Vocabulary): number {
  let units = 0;
  for (const text of synonyms) units += text.length;
  for (const text of ignored) units += text.length;
  for (const { question, document } of pins) units += question.length + document.length;
  return (synonyms.length + pins.length + ignored.length) * ENTRY_BYTES + units * UNIT_BYTES;
}
