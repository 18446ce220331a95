import { ImportBytesExceededError } from "../model/errors.ts";
import { excessOf } from "./quota.ts";
import { VersionReservations } from "./version-reservations.ts";

/** What the accounts of a bot's imported documents are kept on. */
export interface ImportAccountsDeps {
  readonly limit: () => number | "none";
  /** Bytes of all durable documents. */
  readonly used: () => number;
  /** Bytes of a document's durable version; 0 where there is none. */
  readonly durable: (id: string) => number;
}

/** The bound on the bytes of a bot's imported documents. Asking reserves nothing, and a separate call in the same step does. */
export class ImportAccounts {
  readonly #deps: ImportAccountsDeps;
  readonly #versions: VersionReservations;

  constructor(deps: ImportAccountsDeps) {
    this.#deps = deps;
    this.#versions = new VersionReservations(deps.durable);
  }

  /**
   * Asks whether a version of a document may come. One that is not larger than the version before it always may.
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
