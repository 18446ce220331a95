import type { IndexedDocument } from "./indexed-document.ts";

/** Which documents hold a title or a piece with a given hash of its normal form. */
export class ExactMatches {
  /** Nearly every hash has one document: no set is kept for it. */
  readonly #slots = new Map<number, number | Set<number>>();

  add({ slot, hashes }: IndexedDocument): void {
    for (const hash of hashes) {
      const known = this.#slots.get(hash);
      if (known === undefined) this.#slots.set(hash, slot);
      else if (typeof known === "object") known.add(slot);
      else if (known !== slot) this.#slots.set(hash, new Set([known, slot]));
    }
  }

  remove({ slot, hashes }: IndexedDocument): void {
    for (const hash of hashes) {
      const known = this.#slots.get(hash);
      if (known === slot) this.#slots.delete(hash);
      else if (typeof known === "object" && known.delete(slot) && known.size === 0) this.#slots.delete(hash);
    }
  }

  /** Whether several documents have it. */
  isShared(hash: number): boolean {
    const known = this.#slots.get(hash);
    return typeof known === "object" && known.size > 1;
  }

  slotsOf(hash: number): Iterable<number> {
    const known = this.#slots.get(hash);
    return known === undefined ? [] : typeof known === "number" ? [known] : known;
  }
}
