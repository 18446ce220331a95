import type { StoredBlock } from "../../storage/block-store.ts";
import type { TokenCodesPlace } from "./code-directory.ts";
import type { KeptTokenCodes } from "./kept-codes.ts";

/** Where a search finds token codes. */
export type TokenCodesSource = Pick<KeptTokenCodes, "isOpen" | "placesOf" | "held" | "read">;

/**
 * A search asks again after every reading, since a document may have come meanwhile whose token codes are to be read as well. After so many readings it goes on with
 * what it has: only where documents change all the time does it come to that, and their token codes have yet to be made.
 */
const READINGS_MAX = 4;

/**
 * The token codes of parts as one search sees them: what was read for it stays at hand until it is answered, however little memory there is. What is
 * not at hand is remembered, and read between two turns of the search.
 */
export class TokenCodesOfSearch {
  readonly #kept: TokenCodesSource;
  /** By block and number of the part; undefined for what could not be read. */
  readonly #atHand = new Map<StoredBlock, Map<number, Uint8Array | undefined>>();
  #wanted: TokenCodesPlace[] = [];
  #readings = 0;

  constructor(kept: TokenCodesSource) {
    this.#kept = kept;
  }

  /**
   * Those of the parts `[from, to)` of a document's version. Undefined where they are not kept, and where they are to be read before.
   */
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

  /** Whether something was asked for that has to be read first. */
  get isUnread(): boolean {
    return this.#wanted.length > 0;
  }

  /** Reads what was asked for and not at hand. Never rejects for what cannot be read: it is not kept then. */
  async read(): Promise<void> {
    const wanted = this.#wanted;
    this.#wanted = [];
    this.#readings++;
    const read = await this.#kept.read(wanted);
    for (const place of wanted) this.#take(place, read.get(place));
  }

  /** Undefined where it could not be read, or is to be. */
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
