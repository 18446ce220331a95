import { type IndexedDocument, ordinalCountOf } from "./indexed-document.ts";
import { GrowingUint32 } from "./postings/growing-array.ts";

/**
 * The documents of an index, each in a slot: a small number that is its own as long as it is there, and later another's. It tells
 * whose an ordinal is.
 */
export class Documents implements Iterable<IndexedDocument> {
  readonly #byId = new Map<string, IndexedDocument>();
  readonly #bySlot: (IndexedDocument | undefined)[] = [];
  #free: number[] = [];
  /** By ordinal: the slot plus one, or 0. */
  #slotByOrdinal = new GrowingUint32(new Uint32Array(0));
  #changes = 0;
  /** By language: its documents. */
  readonly #languages = new Map<string, number>();
  #sortedLanguages: readonly string[] | undefined;
  #textLength = 0;
  #numberBytes = 0;

  /** Rises whenever a document comes or goes. */
  get changes(): number {
    return this.#changes;
  }
  get count(): number {
    return this.#byId.size;
  }
  /** Of all texts together, in UTF-16 units. */
  get textLength(): number {
    return this.#textLength;
  }
  /** Languages of documents, where each has its own, in order. */
  get languages(): readonly string[] {
    this.#sortedLanguages ??= [...this.#languages.keys()].sort();
    return this.#sortedLanguages;
  }
  /** Bytes of the numbers and hashes of all documents. */
  get numberBytes(): number {
    return this.#numberBytes;
  }
  /** The same, with the slots by ordinal. The objects of documents are counted by the state. */
  get bytes(): number {
    return this.#numberBytes + this.#slotByOrdinal.bytes;
  }
  /** Slots are below this. */
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

  /** A slot for the next document. */
  takeSlot(): number {
    return this.#free.pop() ?? this.#bySlot.push(undefined) - 1;
  }
  /** Leaves a slot to a later document: nothing may know it any more. */
  freeSlot(slot: number): void {
    this.#bySlot[slot] = undefined;
    this.#free.push(slot);
  }

  /** Searches see the document from now on. Its ordinals have been given their slot. */
  enter(document: IndexedDocument): void {
    this.#changes++;
    this.#textLength += document.markdown.length;
    this.#numberBytes += numberBytesOf(document);
    this.#byId.set(document.document.id, document);
    this.#bySlot[document.slot] = document;
    this.#count(document.language, 1);
  }

  /** A document is read in another language from now on. */
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

  /** Searches do not see it any more. It keeps its slot. */
  leave(document: IndexedDocument): void {
    this.#changes++;
    this.#textLength -= document.markdown.length;
    this.#numberBytes -= numberBytesOf(document);
    this.#byId.delete(document.document.id);
    this.#bySlot[document.slot] = undefined;
    this.#count(document.language, -1);
  }

  /** All ordinals are others from now on: by ordinal, the slot of its document plus one. */
  takeOrdinals(slotByOrdinal: GrowingUint32): void {
    this.#slotByOrdinal = slotByOrdinal;
  }

  /** Forgets the slots behind the last document. */
  trim(): void {
    let end = this.#bySlot.length;
    while (end > 0 && this.#bySlot[end - 1] === undefined) end--;
    const free = this.#free.filter((slot) => slot < end);
    // Those that are not free are still known to somebody.
    if (this.#free.length - free.length < this.#bySlot.length - end) return;
    this.#bySlot.length = end;
    this.#free = free;
  }

  /** Tells whose a document's ordinals are. */
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
