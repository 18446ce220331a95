import { type Gate, gate } from "../../scheduling/gate.ts";
import type { BlockKey, BlockStore, StoredBlock } from "../../storage/block-store.ts";
import { TokenCodeDirectory, type TokenCodesPlace, type WindowRange } from "./code-directory.ts";
import type { TokenCodeCache } from "./held-codes.ts";

/** Reads that are under way at the same time. */
const READS_AT_ONCE = 8;

/** So many parts that are not wanted are read with those around them: one read more takes longer. */
const GAP_WINDOWS_MAX = 3;

export interface KeptTokenCodesDeps {
  /** Undefined where the store has no place for blocks. */
  readonly blocks: BlockStore | undefined;
  readonly held: TokenCodeCache;
  /** Told once a block that turns out not to be what was written, and all that a purge could not write anew: the token codes of these documents have to be made again. */
  readonly onLost: (ids: readonly string[], why: "damaged" | "purged") => void;
}

/** A block with the bytes of its parts. */
export interface KeptBlock extends BlockKey {
  readonly windows: readonly Uint8Array[];
}

/** Whether searches see this version of a document. */
type IsWanted = (id: string, version: number) => boolean;

/** So many blocks of a store are taken over before others have a turn. */
const TAKEN_AT_ONCE = 256;

/** Parts of one block that are wanted and lie close together, in order. */
interface WantedParts {
  readonly block: StoredBlock;
  readonly places: TokenCodesPlace[];
}

/**
 * The token codes of a bot's passages: in a file of blocks, and those that were used last in memory. They are derived: what is lost of them is made
 * again, and until then the documents whose they were are found without them.
 */
export class KeptTokenCodes {
  readonly #blocks: BlockStore | undefined;
  readonly #held: TokenCodeCache;
  readonly #onLost: KeptTokenCodesDeps["onLost"];
  readonly #directory = new TokenCodeDirectory();
  /** What is kept under, or being opened. */
  #label: string | undefined;
  /** The last one that was begun. */
  #opening: Promise<number> | undefined;
  #isWanted: IsWanted = () => false;
  /** Purges that are under way: the store is neither opened nor written to before each has let that pass. */
  readonly #purges = new Set<Gate>();
  /** Openings and writings that have begun: none of them waits for the end of a purge. */
  readonly #underWay = new Set<Promise<unknown>>();
  /** Of openings and clearings: what is under way for one before takes nothing over any more. */
  #epoch = 0;
  #isOpen = false;
  #isClosed = false;

  constructor({ blocks, held, onLost }: KeptTokenCodesDeps) {
    this.#blocks = blocks;
    this.#held = held;
    this.#onLost = onLost;
  }

  /** Whether token codes can be kept and found. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isClosed;
  }

  get figures(): { readonly windows: number; readonly bytes: number; readonly memoryBytes: number } {
    const { windows, bytes: memoryBytes } = this.#directory;
    return { windows, bytes: this.isOpen ? (this.#blocks?.sizes().bytes ?? 0) : 0, memoryBytes };
  }

  /**
   * Takes over what is there under this label, which says who has made the token codes and of what texts. What another label has is deleted, and blocks of versions that
   * are not wanted are removed. Nothing happens where the store has no place for blocks. Resolves with how many bytes were given up because they are not as they were
   * written. Throws what the disk says; it may be tried again then.
   * @param rest gives others a turn
   */
  async open(label: string, isWanted: IsWanted, rest: () => Promise<void>): Promise<number> {
    if (this.#blocks === undefined || this.#isClosed) return 0;
    if (this.#label === label && this.#opening !== undefined) {
      await this.#opening;
      return 0;
    }
    this.#forgetAll();
    this.#label = label;
    this.#isWanted = isWanted;
    const opening = this.#takeOver(this.#blocks, label, rest);
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) [this.#opening, this.#label] = [undefined, undefined];
      throw error;
    }
  }

  #takeOver(store: BlockStore, label: string, rest: () => Promise<void>): Promise<number> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    const isStill = (): boolean => !this.#isClosed && this.#epoch === epoch;
    return this.#besidePurges(async () => {
      if (!isStill()) return 0;
      const { blocks, droppedBytes } = await store.open(label);
      for (const [i, block] of blocks.entries()) {
        if (i % TAKEN_AT_ONCE === 0) await rest();
        if (!isStill()) return 0;
        this.#take(store, block);
      }
      this.#isOpen = isStill();
      return droppedBytes;
    });
  }

  /** Does what changes the store when no purge is under way: what is gone is never written behind the back of one. */
  async #besidePurges<Result>(work: () => Promise<Result>): Promise<Result> {
    // One that begins while another is waited for is seen as well.
    for (const { passed } of this.#purges) await passed;
    const working = work();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  /**
   * Waits for openings and writings that have begun, and has later ones wait until what it resolves with is called: what is gone is removed before the store
   * writes all anew, so that none of it is written again.
   */
  async beginPurge(): Promise<() => void> {
    const purge = gate();
    this.#purges.add(purge);
    await Promise.allSettled(this.#underWay);
    return () => this.#endPurge(purge);
  }

  /** Where the store had no room to write all anew, it has deleted all. */
  #endPurge(purge: Gate): void {
    this.#purges.delete(purge);
    purge.open();
    const lost = [...this.#directory.all()].filter((block) => this.#blocks?.has(block) !== true);
    for (const block of lost) this.#remove(block);
    if (lost.length > 0 && !this.#isClosed) this.#onLost([...new Set(lost.map(({ id }) => id))], "purged");
  }

  /** Whether openings and writings wait for the end of a purge. */
  get isPurging(): boolean {
    return this.#purges.size > 0;
  }

  /** The first gap among the first `windows` parts of a document's version; undefined where all of them are kept. */
  gap(id: string, version: number, windows: number): WindowRange | undefined {
    return this.#directory.gap(id, version, windows);
  }

  /**
   * Keeps the token codes of parts that follow each other, from number `first` of the version on, where that is wanted before and after they are written.
   * Rejects with what the disk says; then nothing has changed.
   */
  async append(id: string, version: number, first: number, tokenCodes: readonly Uint8Array[]): Promise<void> {
    const epoch = this.#epoch;
    await this.#besidePurges(async () => {
      const store = this.#blocks;
      if (store === undefined || !this.isOpen || this.#epoch !== epoch || !this.#isWanted(id, version)) return;
      const block = await store.append({ id, version, first }, tokenCodes);
      // Another opening has taken it away with all the others.
      if (this.#isClosed || this.#epoch !== epoch) return;
      this.#take(store, block);
    });
  }

  /** Removes what is kept of a document but for this version; all of it without one. */
  leave(id: string, version?: number): void {
    for (const block of [...this.#directory.of(id)]) if (block.version !== version) this.#remove(block);
  }

  /** Where the parts `[from, to)` of a document's version are; undefined where one of them is not kept. */
  placesOf(id: string, version: number, from: number, to: number): readonly TokenCodesPlace[] | undefined {
    return this.#directory.placesOf(id, version, from, to);
  }

  /** The token codes of a part, if they are in memory. Nobody may change them. */
  held({ block, window }: TokenCodesPlace): Uint8Array | undefined {
    return this.#held.find(block, window);
  }

  /**
   * Reads the token codes of parts, and holds as many as there is room for. What is damaged, cannot be read or was removed meanwhile is not in the answer. Never rejects.
   */
  async read(places: readonly TokenCodesPlace[]): Promise<ReadonlyMap<TokenCodesPlace, Uint8Array>> {
    const read = new Map<TokenCodesPlace, Uint8Array>();
    const waiting = inReads(places);
    const readNext = async (): Promise<void> => {
      for (let wanted = waiting.pop(); wanted !== undefined; wanted = waiting.pop())
        await this.#readWindows(wanted, read);
    };
    await Promise.all(Array.from({ length: Math.min(READS_AT_ONCE, waiting.length) }, readNext));
    return read;
  }

  /**
   * What is kept now with the label that says who made it, read block by block: a block that is removed meanwhile or turns out damaged is left out. Undefined where nothing can be kept.
   */
  everything(): { readonly label: string; readonly blocks: AsyncGenerator<KeptBlock, void> } | undefined {
    if (!this.isOpen || this.#label === undefined) return undefined;
    return { label: this.#label, blocks: this.#readAll([...this.#directory.all()]) };
  }

  async *#readAll(blocks: readonly StoredBlock[]): AsyncGenerator<KeptBlock, void> {
    for (const block of blocks) {
      const { id, version, first } = block;
      const windows = await this.#readBlock(block, 0, block.partBytes.length);
      if (windows !== undefined) yield { id, version, first, windows };
    }
  }

  /** Deletes what is kept, of whatever label. Nothing is kept before it is opened again. Throws what the disk says. */
  async clear(): Promise<void> {
    this.#forgetAll();
    [this.#label, this.#opening] = [undefined, undefined];
    this.#epoch += 1;
    // Nothing is of this label.
    await this.#blocks?.open("none");
  }

  /** Gives back what it has in memory. Nothing is kept or found any more. */
  close(): void {
    this.#isClosed = true;
    for (const { open } of this.#purges) open();
    this.#forgetAll();
  }

  async #readWindows({ block, places }: WantedParts, read: Map<TokenCodesPlace, Uint8Array>): Promise<void> {
    const [from, last] = [places[0]?.window ?? 0, places.at(-1)?.window ?? 0];
    const windows = await this.#readBlock(block, from, last + 1);
    if (windows === undefined) {
      this.#drop(block);
      return;
    }
    this.#held.countRead(places.length);
    for (const place of places) {
      const tokenCodes = windows[place.window - from];
      if (tokenCodes === undefined) continue;
      read.set(place, tokenCodes);
      // Removed while it was read: nobody would ever let go of it.
      if (this.#directory.has(block)) this.#held.keep(block, place.window, tokenCodes);
    }
  }

  async #readBlock(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    try {
      return await this.#blocks?.read(block, from, to);
    } catch {
      // Its store has been closed.
      return undefined;
    }
  }

  /** It cannot be read. One that was removed meanwhile is not damaged. */
  #drop(block: StoredBlock): void {
    if (this.#isClosed || !this.#directory.has(block)) return;
    this.#remove(block);
    this.#onLost([block.id], "damaged");
  }

  #take(store: BlockStore, block: StoredBlock): void {
    if (this.#isWanted(block.id, block.version)) this.#add(block);
    else store.remove(block);
  }

  #add(block: StoredBlock): void {
    for (const older of this.#directory.coveredBy(block)) this.#remove(older);
    this.#directory.add(block);
  }

  #remove(block: StoredBlock): void {
    if (!this.#directory.delete(block)) return;
    this.#held.drop(block);
    this.#blocks?.remove(block);
  }

  #forgetAll(): void {
    for (const block of this.#directory.all()) this.#held.drop(block);
    this.#directory.clear();
    this.#isOpen = false;
  }
}

/** What one read gives together. */
function inReads(places: readonly TokenCodesPlace[]): WantedParts[] {
  const byBlock = new Map<StoredBlock, TokenCodesPlace[]>();
  for (const place of places) {
    const known = byBlock.get(place.block);
    if (known === undefined) byBlock.set(place.block, [place]);
    else known.push(place);
  }
  const reads: WantedParts[] = [];
  for (const [block, wanted] of byBlock) {
    wanted.sort((a, b) => a.window - b.window);
    let last: WantedParts | undefined;
    for (const place of wanted) {
      const end = last?.places.at(-1)?.window ?? Number.NEGATIVE_INFINITY;
      if (last !== undefined && place.window - end <= GAP_WINDOWS_MAX + 1) last.places.push(place);
      else {
        last = { block, places: [place] };
        reads.push(last);
      }
    }
  }
  return reads;
}
