/** The port for bytes that can be made again and are too many to be held or to be written whole: blocks that are appended, and read by position. */

import { misuse } from "./port-rules.ts";

/** Parts of one block. */
export const BLOCK_PARTS_MAX = 1_024;
/** Bytes of all parts of a block. */
export const BLOCK_BYTES_MAX = 16_777_216;
/** Bytes of an id in UTF-8. */
export const BLOCK_ID_BYTES_MAX = 8_192;

/** What a block is of. What lies under a key never changes. */
export interface BlockKey {
  /** 1 to {@link BLOCK_ID_BYTES_MAX} bytes. */
  readonly id: string;
  /** Which of those of this id: a safe integer from 0. */
  readonly version: number;
  /** The number of its first part among all parts of this version, from 0. */
  readonly first: number;
}

/** A block that is there. It stays the same object for as long as the store is open, also where its bytes move. */
export interface StoredBlock extends BlockKey {
  /** Length of each part in bytes. */
  readonly partBytes: readonly number[];
}

/** What {@link BlockStore.open} found. */
export interface OpenedBlocks {
  /** In the order in which they were appended. */
  readonly blocks: readonly StoredBlock[];
  /** Bytes that are no whole blocks any more: of those that a crash tore, and of all behind one whose description is damaged. */
  readonly droppedBytes: number;
}

/**
 * Blocks of one kind in a store. They are no part of its history: any may be gone at the next start, and losing them harms nothing.
 * Obligations of an implementation:
 * - `read` gives the bytes that were appended or none, whatever has become of them meanwhile.
 * - What is appended is not synced. What a crash leaves of it is whole or not there.
 * - At rest it takes at most half as much again as what is live, and 1 MiB; twice that for the moment when it is rewritten.
 * - A purge of its store leaves nothing of what was removed.
 */
export interface BlockStore {
  /**
   * Finds what is there. Called before anything else, and again for another label: then those of the one before are deleted, and blocks
   * that were given out before are gone. Again for the same it gives what is there. `label` says what makes the blocks and how: those of another label are
   * deleted, for they would never be asked for. Throws what the disk says where not even that can be found out.
   */
  open(label: string): Promise<OpenedBlocks>;
  /**
   * Adds a block of 1 to {@link BLOCK_PARTS_MAX} parts, which may be empty, with {@link BLOCK_BYTES_MAX} bytes in all. They must not change before this
   * settles; then `read` sees them. A failed call leaves what was there. Nothing keeps two blocks from having one key.
   */
  append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock>;
  /**
   * The parts from number `from` of the block up to, not including, `to`. Undefined where they are not what was written, cannot be read, or
   * were removed: never an error for that.
   */
  read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined>;
  /** Whether it is there, as far as that is known without reading it: a purge that has no room to write anew deletes all. */
  has(block: StoredBlock): boolean;
  /** From now on it cannot be read; its room is used again some time. One that is gone already is no error. */
  remove(block: StoredBlock): void;
  /** Bytes it takes, and those of blocks that are there. */
  sizes(): { readonly bytes: number; readonly liveBytes: number };
  /** Removes all blocks, and gives their room back. */
  clear(): Promise<void>;
}

/** @throws LoredexError `STORAGE_FAILED` where a block is none by its port */
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

/** @throws LoredexError `STORAGE_FAILED` where a block has no such parts */
export function checkParts({ partBytes }: StoredBlock, from: number, to: number): void {
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 0 || to < from || to > partBytes.length) {
    throw misuse(`A block of ${partBytes.length} parts has no parts ${from} to ${to}.`);
  }
}

export function blocksNotOpen(): Error {
  return misuse("Blocks must be opened before they are used.");
}
