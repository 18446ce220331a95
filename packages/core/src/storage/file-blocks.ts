/** Blocks of one kind in a file of a store's directory, `<name>-<generation>.blocks`. Compaction writes the next generation. */

import { must } from "../model/must.ts";
import { SerialQueue } from "../scheduling/serial-queue.ts";
import { BlockFile, type BlockToWrite, type PlacedHead } from "./block-file.ts";
import { bodyBytes, decodeBody, encodeBlocksHeader, encodeHead } from "./block-format.ts";
import {
  type BlockKey,
  type BlockStore,
  blocksNotOpen,
  blocksOpen,
  checkBlock,
  checkParts,
  type OpenedBlocks,
  type StoredBlock,
} from "./block-store.ts";
import { systemCodeOf } from "./disk-errors.ts";
import { storeClosed } from "./port-rules.ts";
import type { SnapshotPlace } from "./snapshot.ts";
import { blocksFile, blocksGeneration, deleteLeftovers } from "./store-files.ts";

/** A file is rewritten when its removed blocks have more than this many bytes, and more than a third of it. */
const DEAD_BYTES_MAX = 1_048_576;
const DEAD_SHARE_MAX = 1 / 3;
/** A rewrite copies blocks in batches of about this many bytes. */
const REWRITE_BYTES = 1_048_576;

/** Error codes of a path that can never be opened as a blocks file. */
const UNUSABLE: ReadonlySet<string> = new Set(["EACCES", "EISDIR", "ELOOP", "ENOENT", "ENXIO", "EPERM"]);

/** A block with its place in the file. */
class FileBlock implements StoredBlock {
  readonly id: string;
  readonly version: number;
  readonly first: number;
  readonly partBytes: readonly number[];
  /** Checksum of its head, from which the checksums of its parts continue. */
  readonly sum: number;
  /** Byte offset of its body in the newest file. */
  position: number;
  /** Bytes of its head and its body. */
  readonly bytes: number;

  constructor({ id, version, first, partBytes, sum, position, headBytes }: Omit<PlacedHead, "chain">) {
    this.id = id;
    this.version = version;
    this.first = first;
    this.partBytes = partBytes;
    this.sum = sum;
    this.position = position;
    this.bytes = headBytes + bodyBytes(partBytes);
  }
}

/** Implements {@link BlockStore} on one file. Changes of the file run one after the other; reads do not wait for them. */
export class FileBlocks implements BlockStore {
  readonly #place: SnapshotPlace;
  readonly #name: string;
  #state: "new" | "read" | "open" | "closed" = "new";
  #header: Buffer = Buffer.alloc(0);
  /** Undefined as long as there are no blocks. */
  #file: BlockFile | undefined;
  #generation = 0;
  /** Whether the stored files have been read. */
  #isFound = false;
  /** The name of a file that is being created, or written to replace the current one. */
  #writing: string | undefined;
  /** The live blocks, in file order. */
  readonly #blocks = new Set<FileBlock>();
  #liveBytes = 0;
  /** Dead bytes above which a rewrite is due. Higher than usual after a failed rewrite. */
  #deadBytesMax = DEAD_BYTES_MAX;
  #isRewriting = false;
  /** Changes of the file. */
  readonly #changes = new SerialQueue();

  constructor(place: SnapshotPlace, name: string) {
    this.#place = place;
    this.#name = name;
  }

  async open(label: string): Promise<OpenedBlocks> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "read") throw blocksOpen();
    this.#state = "open";
    const header = encodeBlocksHeader(this.#place.storeId, label);
    return this.#changes.run(async () => {
      const isSame = header.equals(this.#header);
      this.#header = header;
      if (!this.#isFound) return this.#find();
      if (!isSame) await this.#clear();
      return { blocks: [...this.#blocks], droppedBytes: 0 };
    });
  }

  async openToRead(label: string): Promise<readonly StoredBlock[]> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state !== "new") throw blocksOpen();
    this.#state = "read";
    this.#header = encodeBlocksHeader(this.#place.storeId, label);
    const [newest] = await this.#generations();
    if (newest === undefined) return [];
    const visit = (head: PlacedHead) => this.#add(new FileBlock(head));
    const opened = await BlockFile.open(this.#place.fileSystem, this.#path(newest), this.#header, visit, "read");
    this.#file = opened?.file;
    return [...this.#blocks];
  }

  /** The numbers of the stored files, the newest first. */
  async #generations(): Promise<number[]> {
    const { fileSystem, directory } = this.#place;
    return (await fileSystem.readDirectory(directory))
      .map((name) => blocksGeneration(name, this.#name))
      .filter((generation) => generation !== undefined)
      .sort((a, b) => b - a);
  }

  /** Opens the newest file if it has this label, and deletes all others. The newest file is whole, since it was synced before it got its name. */
  async #find(): Promise<OpenedBlocks> {
    const { fileSystem, directory } = this.#place;
    const generations = await this.#generations();
    const newest = generations[0];
    if (newest === undefined) {
      this.#isFound = true;
      return { blocks: [], droppedBytes: 0 };
    }
    this.#generation = newest;
    const blocks: FileBlock[] = [];
    const opened = await BlockFile.open(fileSystem, this.#path(newest), this.#header, (head) => {
      blocks.push(new FileBlock(head));
    }).catch((error: unknown) => {
      // A path that cannot be opened is worthless, as a file without a readable header. Any other error may pass, so it is thrown.
      if (UNUSABLE.has(systemCodeOf(error) ?? "")) return undefined;
      throw error;
    });
    this.#file = opened?.file;
    this.#isFound = true;
    for (const block of blocks) this.#add(block);
    const others = generations.filter((generation) => opened === undefined || generation !== newest);
    await deleteLeftovers(
      fileSystem,
      directory,
      others.map((generation) => blocksFile(this.#name, generation)),
    );
    return { blocks, droppedBytes: opened?.droppedBytes ?? 0 };
  }

  async append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock> {
    this.#refuseUnlessOpen();
    checkBlock(key, parts);
    return this.#changes.run(async () => {
      const partBytes = parts.map((part) => part.length);
      const head = encodeHead(key, partBytes, this.#header);
      const file = this.#file ?? (await this.#begin());
      const [appended] = await file.append([{ head, partBytes, parts }]);
      const position = must(appended, "the position of an appended block");
      const { id, version, first } = key;
      const headBytes = head.bytes.length;
      const block = new FileBlock({ id, version, first, partBytes, sum: head.sum, position, headBytes });
      this.#add(block);
      return block;
    });
  }

  async #begin(): Promise<BlockFile> {
    // A file that could not be created keeps its number, since its leftovers are unknown.
    this.#generation += 1;
    const { fileSystem, directory } = this.#place;
    const name = blocksFile(this.#name, this.#generation);
    this.#writing = name;
    try {
      this.#file = await BlockFile.create(fileSystem, `${directory}/${name}`, this.#header);
      return this.#file;
    } catch (error) {
      await deleteLeftovers(fileSystem, directory, [name]);
      throw error;
    } finally {
      this.#writing = undefined;
    }
  }

  async read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    if (this.#state !== "read") this.#refuseUnlessOpen();
    checkParts(block, from, to);
    if (!this.has(block)) return undefined;
    const start = block.position + bodyBytes(block.partBytes, 0, from);
    const bytes = await this.#file?.read(start, bodyBytes(block.partBytes, from, to));
    return bytes === undefined ? undefined : decodeBody(bytes, block, from, to);
  }

  has(block: StoredBlock): block is FileBlock {
    return block instanceof FileBlock && this.#blocks.has(block);
  }

  remove(block: StoredBlock): void {
    this.#refuseUnlessOpen();
    if (block instanceof FileBlock) this.#forget(block);
    this.#rewriteIfDue();
  }

  #rewriteIfDue(): void {
    if (this.#state !== "open") return;
    const { bytes, liveBytes } = this.sizes();
    const deadBytes = bytes - liveBytes;
    const isDue = deadBytes > this.#deadBytesMax && deadBytes > bytes * DEAD_SHARE_MAX;
    if (!isDue || this.#isRewriting) return;
    this.#isRewriting = true;
    this.#changes
      .run(() => this.#rewrite())
      .then(
        () => {
          this.#isRewriting = false;
          this.#deadBytesMax = DEAD_BYTES_MAX;
          // More blocks may have been removed meanwhile.
          this.#rewriteIfDue();
        },
        () => {
          this.#isRewriting = false;
          this.#deadBytesMax = 2 * deadBytes;
        },
      );
  }

  #add(block: FileBlock): void {
    this.#blocks.add(block);
    this.#liveBytes += block.bytes;
  }

  #forget(block: FileBlock): void {
    if (this.#blocks.delete(block)) this.#liveBytes -= block.bytes;
  }

  sizes(): { readonly bytes: number; readonly liveBytes: number } {
    return { bytes: this.#file?.bytes ?? 0, liveBytes: this.#liveBytes };
  }

  async clear(): Promise<void> {
    this.#refuseUnlessOpen();
    await this.#changes.run(() => this.#clear());
  }

  /** Removes all blocks and the file. @throws the disk's error if the file cannot be deleted; nothing is read from it any more */
  async #clear(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    this.#blocks.clear();
    this.#liveBytes = 0;
    if (file !== undefined) await this.#discard(file);
  }

  /** Closes a file and deletes it, durably. */
  async #discard(file: BlockFile): Promise<void> {
    const { fileSystem, directory } = this.#place;
    await file.close().catch(() => undefined);
    await fileSystem.unlink(file.path).catch((error: unknown) => {
      if (systemCodeOf(error) !== "ENOENT") throw error;
    });
    await fileSystem.syncDirectory(directory);
  }

  /** Rewrites the file without removed blocks. If that fails, all blocks are removed. The caller must delete files that are not {@link isInUse in use} then. */
  async purge(): Promise<void> {
    // In unopened blocks it is unknown which were removed: their file is not in use.
    if (this.#state !== "open") return;
    await this.#changes.run(async () => {
      const old = this.#file;
      await this.#rewrite().catch(async () => {
        if (this.#file === old) await this.#clear().catch(() => undefined);
      });
    });
  }

  /** Writes the live blocks into a new file, and deletes the old one. @throws the disk's error; the newest file is whole then, too */
  async #rewrite(): Promise<void> {
    const old = this.#file;
    if (old === undefined) return;
    if (this.#blocks.size === 0) return this.#clear();
    const { fileSystem, directory } = this.#place;
    this.#generation += 1;
    const name = blocksFile(this.#name, this.#generation);
    this.#writing = `${name}.tmp`;
    let isNamed = false;
    let file: BlockFile | undefined;
    try {
      file = await BlockFile.create(fileSystem, `${directory}/${name}.tmp`, this.#header);
      const positions = await this.#copy(old, file);
      // The new file will hold the only copy, so it is synced.
      await file.sync();
      await file.rename(fileSystem, this.#path(this.#generation));
      isNamed = true;
      this.#file = file;
      for (const block of [...this.#blocks]) this.#move(block, positions.get(block));
    } finally {
      this.#writing = undefined;
      if (!isNamed) {
        await file?.close().catch(() => undefined);
        await deleteLeftovers(fileSystem, directory, [`${name}.tmp`]);
      }
    }
    try {
      await fileSystem.syncDirectory(directory);
    } finally {
      await this.#discard(old);
    }
  }

  /** Sets a block's new place. A damaged block has none, and is removed. */
  #move(block: FileBlock, position: number | undefined): void {
    if (position === undefined) this.#forget(block);
    else block.position = position;
  }

  /** Copies the live blocks to another file. Resolves with the places of their bodies there, without damaged blocks. */
  async #copy(from: BlockFile, to: BlockFile): Promise<Map<FileBlock, number>> {
    const positions = new Map<FileBlock, number>();
    let waiting: { block: FileBlock; toWrite: BlockToWrite }[] = [];
    let waitingBytes = 0;
    const write = async () => {
      const places = await to.append(waiting.map(({ toWrite }) => toWrite));
      for (const [index, position] of places.entries()) {
        positions.set(must(waiting[index], "the block of a position").block, position);
      }
      waiting = [];
      waitingBytes = 0;
    };
    for (const block of [...this.#blocks]) {
      // A rewrite that is broken off can be done later.
      if (this.#state === "closed") throw storeClosed();
      if (!this.#blocks.has(block)) continue;
      const { partBytes } = block;
      const body = await from.read(block.position, bodyBytes(partBytes));
      const parts = body === undefined ? undefined : decodeBody(body, block, 0, partBytes.length);
      if (parts === undefined) continue;
      waiting.push({ block, toWrite: { head: encodeHead(block, partBytes, this.#header), partBytes, parts } });
      waitingBytes += block.bytes;
      if (waitingBytes >= REWRITE_BYTES) await write();
    }
    await write();
    return positions;
  }

  /** Whether the stored files have been read, so that {@link sizes} counts them. */
  get isFound(): boolean {
    return this.#isFound;
  }

  /** Whether a file name is one of these blocks, of any generation. */
  isOwn(name: string): boolean {
    return blocksGeneration(name, this.#name) !== undefined;
  }

  /** Whether the file of this name is in use, or being written. */
  isInUse(name: string): boolean {
    return name === this.#writing || this.#file?.path === `${this.#place.directory}/${name}`;
  }

  /** The name of the file with its number of whole blocks, and of a file that is being created with 0. */
  written(): readonly (readonly [string, number])[] {
    const file = this.#file;
    const begun = this.#writing === undefined ? [] : [[this.#writing, 0] as const];
    return file === undefined ? begun : [...begun, [file.path.slice(this.#place.directory.length + 1), file.blocks]];
  }

  /** Waits for pending changes, but breaks a rewrite off. Idempotent. */
  async close(): Promise<void> {
    this.#state = "closed";
    await this.#changes.settled();
    const file = this.#file;
    this.#file = undefined;
    await file?.close().catch(() => undefined);
  }

  #path(generation: number): string {
    return `${this.#place.directory}/${blocksFile(this.#name, generation)}`;
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== "open") throw this.#state === "closed" ? storeClosed() : blocksNotOpen();
  }
}
