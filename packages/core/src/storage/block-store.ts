/** The port of blocks: derived bytes that are appended and read by position, since they are too large for memory or for one write. */

import { misuse } from "./port-rules.ts";

/** Parts of one block. */
export const BLOCK_PARTS_MAX = 1_024;
/** Bytes of all parts of a block. */
export const BLOCK_BYTES_MAX = 16_777_216;
/** Bytes of an id in UTF-8. */
export const BLOCK_ID_BYTES_MAX = 8_192;

/** The key of a block. The parts under a key never change. */
export interface BlockKey {
  /** 1 to {@link BLOCK_ID_BYTES_MAX} bytes. */
  readonly id: string;
  /** The version of the id: a safe integer from 0. */
  readonly version: number;
  /** The number of the block's first part among all parts of this version, from 0. */
  readonly first: number;
}

/** A stored block. It stays the same object as long as the store is open, also if its bytes move. */
export interface StoredBlock extends BlockKey {
  /** Length of each part in bytes. */
  readonly partBytes: readonly number[];
}

/** The result of {@link BlockStore.open}. */
export interface OpenedBlocks {
  /** In the order in which they were appended. */
  readonly blocks: readonly StoredBlock[];
  /** Lost bytes: blocks that a crash tore, and all blocks behind a damaged head. */
  readonly droppedBytes: number;
}

/**
 * Blocks of one kind in a store. They do not belong to its history: any block may be missing at the next start, and its loss harms nothing.
 * Obligations of an implementation:
 * - `read` returns the appended bytes or none, whatever happened to them meanwhile.
 * - Appended blocks are not synced. After a crash a block is whole or missing.
 * - At rest it takes at most 1.5 times the live bytes, plus 1 MiB. During a rewrite it takes twice that.
 * - A purge of its store leaves no bytes of removed blocks.
 */
export interface BlockStore {
  /**
   * Opens the blocks of a label, which must be called before anything else. `label` names the producer of the blocks and its method.
   * Blocks of another label are deleted, since nothing would ever read them. In a store that nodes share they stay, since another node may read them:
   * a purge deletes them, and so may the storage once no node has used their label for days.
   * A second call with the same label returns the same blocks.
   * Throws the disk's error if the stored blocks cannot be listed.
   */
  open(label: string): Promise<OpenedBlocks>;
  /**
   * Opens the blocks of a label only to read them, instead of `open`: a store that is copied must stay as it is. Nothing is changed: blocks of other labels
   * stay, and a torn one is only left out. Then `read` and `has` may be called, and nothing else. Throws as `open` does, and if the blocks are open.
   * Absent if the storage cannot do so: then the blocks are not copied.
   */
  openToRead?(label: string): Promise<readonly StoredBlock[]>;
  /**
   * Appends a block of 1 to {@link BLOCK_PARTS_MAX} parts, which may be empty, with at most {@link BLOCK_BYTES_MAX} bytes in all.
   * The parts must not change before this settles. Then `read` sees them. A failed call changes nothing. Two blocks may have the same key.
   */
  append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock>;
  /**
   * Reads the parts of a block from number `from` up to, not including, `to`. Undefined if they are damaged, unreadable or
   * removed: these are no errors.
   */
  read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined>;
  /**
   * The blocks that other nodes have appended since `open` or the last call, in any order. Only a store that nodes share has it. There, `open` may
   * be called while another node appends, and a block that another node has removed is read as undefined.
   */
  refresh?(): Promise<readonly StoredBlock[]>;
  /** Whether a block is stored, without reading it. A purge on a full disk, which cannot rewrite the file, deletes all blocks. */
  has(block: StoredBlock): boolean;
  /** Removes a block: it cannot be read any more, and its space is reused later. A removed block is no error. */
  remove(block: StoredBlock): void;
  /** Bytes of the file, and of its live blocks. */
  sizes(): { readonly bytes: number; readonly liveBytes: number };
  /** Removes all blocks of the label, and frees their space. */
  clear(): Promise<void>;
}

/** Checks a block against the limits of the port. @throws LoredexError `STORAGE_FAILED` */
export function checkBlock(key: BlockKey, parts: readonly Uint8Array[]): void {
  const idBytes = Buffer.byteLength(key.id);
  if (idBytes < 1 || idBytes > BLOCK_ID_BYTES_MAX) {
    throw misuse(`The id of a block has 1 to ${BLOCK_ID_BYTES_MAX} bytes; this one has ${idBytes}.`);
  }
  if (!Number.isSafeInteger(key.version) || key.version < 0) throw misuse(`${key.version} is no version of a block.`);
  if (!Number.isInteger(key.first) || key.first < 0 || key.first > 0xffff_ffff) {
    throw misuse(`${key.first} is no number of a block's first part.`);
  }
  if (parts.length < 1 || parts.length > BLOCK_PARTS_MAX) {
    throw misuse(`A block has 1 to ${BLOCK_PARTS_MAX} parts; this one has ${parts.length}. Split it.`);
  }
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  if (bytes > BLOCK_BYTES_MAX)
    throw misuse(`A block has up to ${BLOCK_BYTES_MAX} bytes; this one has ${bytes}. Split it.`);
}

/** Checks that a block has the parts `from` up to `to`. @throws LoredexError `STORAGE_FAILED` */
export function checkParts({ partBytes }: StoredBlock, from: number, to: number): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > partBytes.length) {
    throw misuse(`A block of ${partBytes.length} parts has no parts ${from} to ${to}.`);
  }
}

export function blocksNotOpen(): Error {
  return misuse("Blocks must be opened before they are used.");
}

export function blocksOpen(): Error {
  return misuse("Blocks that are open cannot be opened to be read, nor the other way round.");
}
