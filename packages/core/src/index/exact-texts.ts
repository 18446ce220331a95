import type { Sliced } from "../scheduling/time-slices.ts";
import { HashedSlots } from "./hashed-slots.ts";
import type { IndexedDocument } from "./indexed-document.ts";

/** Hashes in a slice. */
const SLICE_HASHES = 256;

/** Bytes of a map entry with its hash and an empty set, and of a slot in a set. Both include the spare capacity of the tables. */
const SHARED_BYTES = 220;
const SLOT_IN_SHARED_BYTES = 24;

/** Finds the documents that hold a title or a fragment with a given hash of its normal form. */
export class ExactTexts {
  /** The slot of each hash that one document has, as nearly all do. */
  readonly #slots = new HashedSlots();
  /** The slots of each hash that several documents have or have had. */
  readonly #shared = new Map<number, Set<number>>();
  /** Number of slots in all of these sets. */
  #inShared = 0;
  readonly #isThere: (slot: number) => boolean;

  /** @param isThere whether searches see the document of a slot: staged and removed documents have entries as well */
  constructor(isThere: (slot: number) => boolean) {
    this.#isThere = isThere;
  }

  get bytes(): number {
    return this.#slots.bytes + this.#shared.size * SHARED_BYTES + this.#inShared * SLOT_IN_SHARED_BYTES;
  }

  /** Adds a document's hashes, as sliced work. */
  *add({ slot, hashes }: IndexedDocument): Sliced<void> {
    for (const [i, hash] of hashes.entries()) {
      if (i % SLICE_HASHES === 0) yield;
      const shared = this.#shared.get(hash);
      const known = shared === undefined ? this.#slots.get(hash) : undefined;
      if (shared !== undefined) {
        this.#inShared -= shared.size;
        this.#inShared += shared.add(slot).size;
      } else if (known === undefined) this.#slots.set(hash, slot);
      else if (known !== slot) {
        this.#shared.set(hash, new Set([known, slot]));
        this.#slots.delete(hash);
        this.#inShared += 2;
      }
    }
  }

  /** Removes a document's hashes, as sliced work. */
  *remove({ slot, hashes }: IndexedDocument): Sliced<void> {
    for (const [i, hash] of hashes.entries()) {
      if (i % SLICE_HASHES === 0) yield;
      const shared = this.#shared.get(hash);
      if (shared === undefined) {
        if (this.#slots.get(hash) === slot) this.#slots.delete(hash);
      } else if (shared.delete(slot)) {
        this.#inShared -= 1;
        if (shared.size === 0) this.#shared.delete(hash);
      }
    }
  }

  /** Whether several visible documents have this hash. */
  isShared(hash: number): boolean {
    let count = 0;
    for (const slot of this.#shared.get(hash) ?? []) if (this.#isThere(slot) && ++count > 1) return true;
    return false;
  }

  /** Whether the document of a slot has this hash. */
  isIn(hash: number, slot: number): boolean {
    return this.#shared.get(hash)?.has(slot) ?? this.#slots.get(hash) === slot;
  }

  /** The slots of all documents with this hash, those included that searches do not see. */
  slotsOf(hash: number): Iterable<number> {
    const shared = this.#shared.get(hash);
    if (shared !== undefined) return shared;
    const only = this.#slots.get(hash);
    return only === undefined ? [] : [only];
  }
}
