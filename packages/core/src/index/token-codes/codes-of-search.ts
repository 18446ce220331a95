import type { StoredBlock } from "../../storage/block-store.ts";
import type { TokenCodesPlace } from "./code-directory.ts";
import type { KeptTokenCodes } from "./kept-codes.ts";

/** The token codes that a search can read. */
export type TokenCodesSource = Pick<KeptTokenCodes, "isOpen" | "placesOf" | "held" | "read">;

/**
 * Maximum number of readings of one search. A search asks again after every reading, since new documents may have come whose codes must be read as
 * well. After the last reading it continues with the codes that it has. That happens only if documents change all the time, and their token codes
 * have yet to be made.
 */
const READINGS_MAX = 4;

/**
 * The token codes of windows as one search sees them. Codes that were read for it stay available until it is answered, even if memory is short.
 * Missing codes are noted, and read between two slices of the search.
 */
export class TokenCodesOfSearch {
  readonly #kept: TokenCodesSource;
  /** By block and window number; undefined for codes that could not be read. */
  readonly #atHand = new Map<StoredBlock, Map<number, Uint8Array | undefined>>();
  #wanted: TokenCodesPlace[] = [];
  #readings = 0;

  constructor(kept: TokenCodesSource) {
    this.#kept = kept;
  }

  /** The token codes of the windows `[from, to)` of a document's version. Undefined if they are not stored, or must be read first. */
  find(id: string, version: number, from: number, to: number): readonly Uint8Array[] | undefined {
    const places = this.#kept.placesOf(id, version, from, to);
    if (places === undefined) return undefined;
    const tokenCodes: Uint8Array[] = [];
    let areThere = true;
    for (const place of places) {
      const window = this.#windowAt(place);
      if (window === undefined) areThere = false;
      else tokenCodes.push(window);
    }
    return areThere ? tokenCodes : undefined;
  }

  /** Whether some of the requested codes must be read first. */
  get isUnread(): boolean {
    return this.#wanted.length > 0;
  }

  /** Reads the requested codes that are missing. Never rejects: codes that cannot be read count as not stored. */
  async read(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    this.#readings++;
    const read = await this.#kept.read(wanted);
    for (const place of wanted) this.#take(place, read.get(place));
  }

  /** Undefined if the codes could not be read, or are yet to be read. */
  #windowAt(place: TokenCodesPlace): Uint8Array | undefined {
    const atHand = this.#atHand.get(place.block);
    if (atHand?.has(place.window) === true) return atHand.get(place.window);
    const held = this.#kept.held(place);
    if (held !== undefined) this.#take(place, held);
    else if (this.#readings < READINGS_MAX) this.#wanted.push(place);
    return held;
  }

  #take({ block, window }: TokenCodesPlace, tokenCodes: Uint8Array | undefined): void {
    const atHand = this.#atHand.get(block) ?? new Map<number, Uint8Array | undefined>();
    atHand.set(window, tokenCodes);
    this.#atHand.set(block, atHand);
  }
}
