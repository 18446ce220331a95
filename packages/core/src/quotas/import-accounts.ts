import { ImportBytesExceededError } from "../model/errors.ts";
import { excessOf } from "./quota.ts";
import { VersionReservations } from "./version-reservations.ts";

/** Dependencies of {@link ImportAccounts}. */
export interface ImportAccountsDeps {
  /** The bot's `importBytes`. */
  readonly limit: () => number | "none";
  /** Bytes of all durable documents. */
  readonly used: () => number;
  /** Bytes of a document's durable version; 0 where there is none. */
  readonly durable: (id: string) => number;
}

/** Bounds the bytes of a bot's imported documents. A check reserves nothing: the caller reserves by a separate call, with no await between the two. */
export class ImportAccounts {
  readonly #deps: ImportAccountsDeps;
  readonly #versions: VersionReservations;

  constructor(deps: ImportAccountsDeps) {
    this.#deps = deps;
    this.#versions = new VersionReservations(deps.durable);
  }

  /**
   * Checks a version of a document against the limit. A version that is not larger than the one before always fits.
   * @param before bytes of the version that it replaces, in flight or durable; 0 where there is none
   * @throws ImportBytesExceededError
   */
  require(id: string, bytes: number, before: number): void {
    const limit = this.#deps.limit();
    if (limit === "none") return;
    const usedBytes = this.#deps.used() + this.#versions.total;
    const addedBytes = Math.max(0, bytes - before);
    const excess = excessOf(usedBytes, addedBytes, this.#versions.growth(id, bytes), limit);
    if (excess > 0) throw new ImportBytesExceededError(id, addedBytes, usedBytes, limit);
  }

  /**
   * Reserves a version of a document; 0 bytes for its removal.
   * @returns a function that gives it back. Call it once: when the write is durable and applied, or when it has failed
   */
  reserve(id: string, bytes: number): () => void {
    return this.#versions.reserve(id, bytes);
  }
}
