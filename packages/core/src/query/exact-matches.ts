import type { Steps } from "../runtime/steps.ts";
import type { IndexedDocument } from "./indexed-document.ts";

/** So many are entered at a time. */
const STEP_HASHES = 256;

/** Which documents hold a title or a piece with a given hash of its normal form. */
export class ExactMatches {
  /** Nearly every hash has one document: no set is kept for it. */
  readonly #slots = new Map<number, number | Set<number>>();
  readonly #isThere: (slot: number) => boolean;

  /** @param isThere whether searches see the document of a slot: what is on its way in or out has entries as well */
  constructor(isThere: (slot: number) => boolean) {
    this.#isThere = isThere;
  }

  *add({ slot, hashes }: IndexedDocument): Steps<void> {
    for (const [i, hash] of hashes.entries()) {
      if (i % STEP_HASHES === 0) yield;
      const known = this.#slots.get(hash);
      if (known === undefined) this.#slots.set(hash, slot);
      else if (typeof known === "object") known.add(slot);
      else if (known !== slot) this.#slots.set(hash, new Set([known, slot]));
    }
  }

  *remove({ slot, hashes }: IndexedDocument): Steps<void> {
    for (const [i, hash] of hashes.entries()) {
      if (i % STEP_HASHES === 0) yield;
      const known = this.#slots.get(hash);
      if (known === slot) this.#slots.delete(hash);
      else if (typeof known === "object" && known.delete(slot) && known.size === 0) this.#slots.delete(hash);
    }
  }

  /** Whether several documents have it. */
  isShared(hash: number): boolean {
    const known = this.#slots.get(hash);
    if (typeof known !== "object") return false;
    let count = 0;
    for (const slot of known) if (this.#isThere(slot) && ++count > 1) return true;
    return false;
  }

  slotsOf(hash: number): Iterable<number> {
    const known = this.#slots.get(hash);
    return known === undefined ? [] : typeof known === "number" ? [known] : known;
  }
}
