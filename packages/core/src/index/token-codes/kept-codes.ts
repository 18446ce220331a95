import { must } from "../../model/must.ts";
import { Running } from "../../platform/running.ts";
import { type Deferred, deferred } from "../../scheduling/deferred.ts";
import type { BlockKey, BlockStore, StoredBlock } from "../../storage/block-store.ts";
import { TokenCodeDirectory, type TokenCodesPlace, type WindowRange } from "./code-directory.ts";
import type { TokenCodeCache } from "./held-codes.ts";

/** Maximum number of concurrent reads. */
const READS_AT_ONCE = 8;

/** Maximum number of unwanted windows between two wanted ones that are read with them: another read takes longer. */
const GAP_WINDOWS_MAX = 3;

export interface KeptTokenCodesDeps {
  /** Undefined if the storage has no place for blocks. */
  readonly blocks: BlockStore | undefined;
  readonly held: TokenCodeCache;
  /**
   * Called with the documents of each damaged block, and with those of all blocks that a purge could not rewrite. Their token codes have to be made
   * again.
   */
  readonly onLost: (ids: readonly string[], why: "damaged" | "purged") => void;
}

/** A block with the token codes of its windows. */
export interface KeptBlock extends BlockKey {
  readonly windows: readonly Uint8Array[];
}

/** Whether searches see this version of a document. */
type IsWanted = (id: string, version: number) => boolean;

/** Blocks of a store that are taken over between two yields. */
const TAKEN_AT_ONCE = 256;

/** At least one wanted window of one block; several lie close together, in order. */
interface WantedWindows {
  readonly block: StoredBlock;
  readonly places: TokenCodesPlace[];
}

/**
 * The token codes of a bot's passages: in a file of blocks, and the recently used ones in memory. They are derived: lost codes are made again. Until
 * then their documents are found without them.
 */
export class KeptTokenCodes {
  readonly #blocks: BlockStore | undefined;
  readonly #held: TokenCodeCache;
  readonly #onLost: KeptTokenCodesDeps["onLost"];
  readonly #directory = new TokenCodeDirectory();
  /** Blocks of a store that nodes share, of versions that this node does not know: not indexed here yet, or deleted. */
  readonly #unknown = new Set<StoredBlock>();
  /** The label that is open, or being opened. */
  #label: string | undefined;
  /** The latest opening. */
  #opening: Promise<number> | undefined;
  #isWanted: IsWanted = () => false;
  #isReplaced: IsWanted = () => true;
  /** Purges under way. The store is neither opened nor written to until all of them let that pass. */
  readonly #purges = new Set<Deferred>();
  /** Openings and writes that have begun. None of them waits for the end of a purge. */
  readonly #underWay = new Running();
  /** Number of openings and clearings. Work begun under an earlier number takes nothing over any more. */
  #epoch = 0;
  #isOpen = false;
  #isClosed = false;

  constructor({ blocks, held, onLost }: KeptTokenCodesDeps) {
    this.#blocks = blocks;
    this.#held = held;
    this.#onLost = onLost;
  }

  /** Whether token codes can be stored and found. */
  get isOpen(): boolean {
    return this.#isOpen && !this.#isClosed;
  }

  get figures(): { readonly windows: number; readonly bytes: number; readonly memoryBytes: number } {
    const { windows, bytes: memoryBytes } = this.#directory;
    return { windows, bytes: this.isOpen ? (this.#blocks?.sizes().bytes ?? 0) : 0, memoryBytes };
  }

  /**
   * Takes over the blocks of this label, which names the maker of the token codes and of its texts. Blocks of another label are deleted, unless nodes
   * share the store. Blocks of unwanted versions are removed. No effect if the storage has no place for blocks.
   * @param yieldNow yields to others
   * @param isReplaced whether searches see a later version of the document. Of a store that nodes share, other unwanted blocks stay: another node may have
   *   indexed more than this one. Default: always
   * @returns the number of bytes that were dropped because they are damaged
   * @throws the error of the disk; the call may be repeated
   */
  async open(
    label: string,
    isWanted: IsWanted,
    yieldNow: () => Promise<void>,
    isReplaced: IsWanted = () => true,
  ): Promise<number> {
    if (this.#blocks === undefined || this.#isClosed) return 0;
    if (this.#label === label && this.#opening !== undefined) {
      await this.#opening;
      return 0;
    }
    this.#forgetAll();
    this.#label = label;
    [this.#isWanted, this.#isReplaced] = [isWanted, isReplaced];
    const opening = this.#takeOver(this.#blocks, label, yieldNow);
    this.#opening = opening;
    try {
      return await opening;
    } catch (error) {
      if (this.#opening === opening) [this.#opening, this.#label] = [undefined, undefined];
      throw error;
    }
  }

  #takeOver(store: BlockStore, label: string, yieldNow: () => Promise<void>): Promise<number> {
    this.#epoch += 1;
    const epoch = this.#epoch;
    const isStill = (): boolean => !this.#isClosed && this.#epoch === epoch;
    return this.#besidePurges(async () => {
      if (!isStill()) return 0;
      const { blocks, droppedBytes } = await store.open(label);
      for (const [i, block] of blocks.entries()) {
        if (i % TAKEN_AT_ONCE === 0) await yieldNow();
        if (!isStill()) return 0;
        this.#take(store, block);
      }
      this.#isOpen = isStill();
      return droppedBytes;
    });
  }

  /** Takes over the blocks that other nodes have appended, if nodes share the store. @throws the error of the storage */
  async refresh(yieldNow: () => Promise<void>): Promise<void> {
    const store = this.#blocks;
    if (store?.refresh === undefined || !this.isOpen) return;
    const epoch = this.#epoch;
    const added = await store.refresh();
    const again = [...this.#unknown];
    this.#unknown.clear();
    for (const [i, block] of [...again, ...added].entries()) {
      if (i % TAKEN_AT_ONCE === 0) await yieldNow();
      if (this.#isClosed || this.#epoch !== epoch) return;
      this.#take(store, block);
    }
  }

  /** Runs work that changes the store while no purge is under way. So removed codes are never written during a purge. */
  async #besidePurges<Result>(work: () => Promise<Result>): Promise<Result> {
    // A purge that begins during the wait is seen as well.
    for (const { promise } of this.#purges) await promise;
    return this.#underWay.add(work());
  }

  /**
   * Begins a purge: waits for openings and writes that have begun, and holds later ones back until the returned function is called. Removed codes are
   * gone before the store rewrites itself, so that none of them is written again.
   */
  async beginPurge(): Promise<() => void> {
    const purge = deferred();
    this.#purges.add(purge);
    await this.#underWay.settled();
    // The caller has applied and indexed all records, so what is unknown now is of deleted documents.
    await this.refresh(async () => undefined).catch(() => undefined);
    for (const block of this.#unknown) this.#blocks?.remove(block);
    this.#unknown.clear();
    return () => this.#endPurge(purge);
  }

  /** A store without space for the rewrite has deleted all blocks. */
  #endPurge(purge: Deferred): void {
    this.#purges.delete(purge);
    purge.resolve();
    const lost = [...this.#directory.all()].filter((block) => this.#blocks?.has(block) !== true);
    for (const block of lost) this.#remove(block);
    if (lost.length > 0 && !this.#isClosed) this.#onLost([...new Set(lost.map(({ id }) => id))], "purged");
  }

  /** Whether openings and writes wait for the end of a purge. */
  get isPurging(): boolean {
    return this.#purges.size > 0;
  }

  /** The first gap among the first `windows` windows of a document's version; undefined if all of them are stored. */
  gap(id: string, version: number, windows: number): WindowRange | undefined {
    return this.#directory.gap(id, version, windows);
  }

  /**
   * Stores the token codes of consecutive windows, from number `first` of the version on. The version must be wanted before and after the write.
   * Rejects with the error of the disk; then nothing has changed.
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

  /** Removes the codes of a document, except those of this version; all of them without a version. */
  leave(id: string, version?: number): void {
    for (const block of [...this.#directory.of(id)]) if (block.version !== version) this.#remove(block);
  }

  /** The places of the windows `[from, to)` of a document's version; undefined if one of them is not stored. */
  placesOf(id: string, version: number, from: number, to: number): readonly TokenCodesPlace[] | undefined {
    return this.#directory.placesOf(id, version, from, to);
  }

  /** The token codes of a window, if they are in memory. Callers must not change them. */
  held({ block, window }: TokenCodesPlace): Uint8Array | undefined {
    return this.#held.find(block, window);
  }

  /**
   * Reads the token codes of windows, and caches as many as the cache has capacity for. Damaged, unreadable and removed codes are missing in the
   * result. Never rejects.
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
   * All codes that are stored now, block by block, and the label that names their maker. Blocks that are removed meanwhile or turn out damaged are
   * left out. Undefined if nothing can be stored.
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

  /**
   * Deletes the codes of all labels, unless nodes share the store: others may use them. Nothing is stored before the next {@link open}.
   * Rejects with the error of the disk.
   */
  async clear(): Promise<void> {
    this.#forgetAll();
    [this.#label, this.#opening] = [undefined, undefined];
    this.#epoch += 1;
    // No codes have this label.
    await this.#blocks?.open("none");
  }

  /** Frees the memory. Nothing is stored or found any more. */
  close(): void {
    this.#isClosed = true;
    for (const { resolve } of this.#purges) resolve();
    this.#forgetAll();
  }

  async #readWindows({ block, places }: WantedWindows, read: Map<TokenCodesPlace, Uint8Array>): Promise<void> {
    const [from, last] = [must(places[0], WANTED).window, must(places.at(-1), WANTED).window];
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
      // Nothing would drop the codes of a block that was removed while it was read.
      if (this.#directory.has(block)) this.#held.keep(block, place.window, tokenCodes);
    }
  }

  async #readBlock(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    try {
      return await this.#blocks?.read(block, from, to);
    } catch {
      // The store has been closed.
      return undefined;
    }
  }

  /** Removes a block that cannot be read. A block that was removed meanwhile is not damaged. */
  #drop(block: StoredBlock): void {
    if (this.#isClosed || !this.#directory.has(block)) return;
    this.#remove(block);
    this.#onLost([block.id], "damaged");
  }

  #take(store: BlockStore, block: StoredBlock): void {
    if (this.#isWanted(block.id, block.version)) this.#add(block);
    else if (store.refresh === undefined || this.#isReplaced(block.id, block.version)) store.remove(block);
    else this.#unknown.add(block);
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
    this.#unknown.clear();
    for (const block of this.#directory.all()) this.#held.drop(block);
    this.#directory.clear();
    this.#isOpen = false;
  }
}

const WANTED = "a wanted window of a read";

/** Groups places into reads. */
function inReads(places: readonly TokenCodesPlace[]): WantedWindows[] {
  const byBlock = new Map<StoredBlock, TokenCodesPlace[]>();
  for (const place of places) {
    const known = byBlock.get(place.block);
    if (known === undefined) byBlock.set(place.block, [place]);
    else known.push(place);
  }
  const reads: WantedWindows[] = [];
  for (const [block, wanted] of byBlock) {
    wanted.sort((a, b) => a.window - b.window);
    let last: WantedWindows | undefined;
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
