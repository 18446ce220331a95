import { GrowingUint32 } from "../platform/growing-array.ts";
import { type IndexedDocument, ordinalCountOf } from "./indexed-document.ts";

/**
 * The documents of an index: by id, by slot and by ordinal. A slot is a dense number. A document keeps its slot while it is indexed; later the slot
 * is given to another document.
 */
export class Documents implements Iterable<IndexedDocument> {
  readonly #byId = new Map<string, IndexedDocument>();
  readonly #bySlot: (IndexedDocument | undefined)[] = [];
  #free: number[] = [];
  /** By ordinal: the slot of its document plus one, or 0. */
  #slotByOrdinal = new GrowingUint32();
  #changes = 0;
  /** By language: the number of its documents. */
  readonly #languages = new Map<string, number>();
  #sortedLanguages: readonly string[] | undefined;
  #textLength = 0;
  #numberBytes = 0;

  /** Rises whenever a document enters or leaves the index. */
  get changes(): number {
    return this.#changes;
  }
  get count(): number {
    return this.#byId.size;
  }
  /** Length of all texts together, in UTF-16 units. */
  get textLength(): number {
    return this.#textLength;
  }
  /** Languages of the documents, sorted. Empty where all documents are read in one language. */
  get languages(): readonly string[] {
    this.#sortedLanguages ??= [...this.#languages.keys()].sort();
    return this.#sortedLanguages;
  }
  /** Bytes of the numbers and hashes of all documents. */
  get numberBytes(): number {
    return this.#numberBytes;
  }
  /** {@link numberBytes} and the table of slots by ordinal. The state counts the document objects. */
  get bytes(): number {
    return this.#numberBytes + this.#slotByOrdinal.bytes;
  }
  /** Every slot is below this number. */
  get slotCount(): number {
    return this.#bySlot.length;
  }
  [Symbol.iterator](): Iterator<IndexedDocument> {
    return this.#byId.values();
  }

  /** A document as searches see it now. */
  find(id: string): IndexedDocument | undefined {
    return this.#byId.get(id);
  }
  /** The document in a slot, as searches see it now. */
  at(slot: number): IndexedDocument | undefined {
    return this.#bySlot[slot];
  }
  /** The slot of the document that an ordinal belongs to; -1 for none. */
  slotOf(ordinal: number): number {
    return this.#slotByOrdinal.get(ordinal) - 1;
  }
  /** The document that an ordinal belongs to. */
  ofOrdinal(ordinal: number): IndexedDocument | undefined {
    return this.#bySlot[this.slotOf(ordinal)];
  }

  /** Takes a free slot for the next document, or adds one. */
  takeSlot(): number {
    return this.#free.pop() ?? this.#bySlot.push(undefined) - 1;
  }
  /** Frees a slot for a later document. Nothing may refer to it any more. */
  freeSlot(slot: number): void {
    this.#bySlot[slot] = undefined;
    this.#free.push(slot);
  }

  /** Makes a document visible to searches. Its ordinals must have their slot already; see {@link number}. */
  enter(document: IndexedDocument): void {
    this.#changes++;
    this.#textLength += document.markdown.length;
    this.#numberBytes += numberBytesOf(document);
    this.#byId.set(document.document.id, document);
    this.#bySlot[document.slot] = document;
    this.#count(document.language, 1);
  }

  /** Sets the language that a document is read in. */
  setLanguage(document: IndexedDocument, language: string | undefined): void {
    this.#count(document.language, -1);
    document.language = language;
    this.#count(language, 1);
  }

  #count(language: string | undefined, more: 1 | -1): void {
    if (language === undefined) return;
    const count = (this.#languages.get(language) ?? 0) + more;
    if (count > 0) this.#languages.set(language, count);
    else this.#languages.delete(language);
    this.#sortedLanguages = undefined;
  }

  /** Hides a document from searches. It keeps its slot until {@link freeSlot}. */
  leave(document: IndexedDocument): void {
    this.#changes++;
    this.#textLength -= document.markdown.length;
    this.#numberBytes -= numberBytesOf(document);
    this.#byId.delete(document.document.id);
    this.#bySlot[document.slot] = undefined;
    this.#count(document.language, -1);
  }

  /** Replaces the ordinals of all documents. `slotByOrdinal` has, by ordinal, the slot of its document plus one. */
  takeOrdinals(slotByOrdinal: GrowingUint32): void {
    this.#slotByOrdinal = slotByOrdinal;
  }

  /** Drops the slots behind the last document. */
  trim(): void {
    let end = this.#bySlot.length;
    while (end > 0 && this.#bySlot[end - 1] === undefined) end--;
    const free = this.#free.filter((slot) => slot < end);
    // Empty slots that are not free are still referred to.
    if (this.#free.length - free.length < this.#bySlot.length - end) return;
    this.#bySlot.length = end;
    this.#free = free;
  }

  /** Assigns a document's ordinals to its slot. */
  number(document: IndexedDocument): void {
    const end = document.firstOrdinal + ordinalCountOf(document);
    while (this.#slotByOrdinal.length < end) this.#slotByOrdinal.push(0);
    for (let ordinal = document.firstOrdinal; ordinal < end; ordinal++)
      this.#slotByOrdinal.set(ordinal, document.slot + 1);
  }
}

function numberBytesOf({ numbers, hashes }: IndexedDocument): number {
  return numbers.byteLength + hashes.byteLength;
}
