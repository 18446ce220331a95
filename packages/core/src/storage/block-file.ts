/** One blocks file: creating, opening, appending and reading. */

import { must } from "../model/must.ts";
import {
  BLOCKS_HEADER_BYTES,
  type BlockHead,
  bodyBytes,
  type DecodedHead,
  decodeHead,
  encodeBody,
  firstChain,
  PAGE_BYTES,
  seal,
} from "./block-format.ts";
import type { FileSystem, OpenFile } from "./file-system.ts";

/** The end of a blocks file, where appends continue. */
interface BlocksEnd {
  /** Byte offset of the newest page. */
  readonly page: number;
  /** Offset in that page of the next head. */
  readonly slot: number;
  /** Byte offset of the next body, or of the next page. */
  readonly end: number;
  /** Checksum of the last head, from which the next one continues. */
  readonly chain: number;
  /** Blocks in the file, including removed ones. */
  readonly blocks: number;
}

/** A head in a file, with the place of its body. */
export interface PlacedHead extends DecodedHead {
  readonly position: number;
}

/** The result of scanning the heads of a file. */
export interface BlocksScan extends BlocksEnd {
  /** True if the scan stopped before `blocksMax`, or, without it, if the newest page has non-zero bytes after the last head. */
  readonly isTorn: boolean;
}

function beginning(header: Buffer): BlocksEnd {
  const page = BLOCKS_HEADER_BYTES;
  return { page, slot: 0, end: page + PAGE_BYTES, chain: firstChain(header), blocks: 0 };
}

/** Reads the heads of a file of `bytes` bytes, up to `blocksMax`. An unreadable or damaged head ends the scan. */
export async function scanHeads(
  file: OpenFile,
  header: Buffer,
  { bytes, blocksMax = Number.POSITIVE_INFINITY }: { readonly bytes: number; readonly blocksMax?: number },
  visit: (head: PlacedHead) => void | Promise<void>,
): Promise<BlocksScan> {
  let at = beginning(header);
  let page = await readPage(file, at.page);
  while (at.blocks < blocksMax) {
    let head = decodeHead(page, at.slot, at.chain, header);
    if (head === undefined) {
      // The page may be full. Only the true next head continues from the checksum of the last.
      const next = at.end < bytes ? await readPage(file, at.end) : Buffer.alloc(0);
      head = decodeHead(next, 0, at.chain, header);
      if (head === undefined) break;
      at = { ...at, page: at.end, slot: 0, end: at.end + PAGE_BYTES };
      page = next;
    }
    const end = at.end + bodyBytes(head.partBytes);
    if (end > bytes) break;
    await visit({ ...head, position: at.end });
    at = { page: at.page, slot: at.slot + head.headBytes, end, chain: head.chain, blocks: at.blocks + 1 };
  }
  const isLess = at.blocks < blocksMax;
  const isTorn = Number.isFinite(blocksMax) ? isLess : page.subarray(at.slot).some((byte) => byte !== 0);
  return { ...at, isTorn };
}

/** Reads a page. Bytes after the end of the file, and an unreadable page, are zeros. */
async function readPage(file: OpenFile, position: number): Promise<Buffer> {
  const page = Buffer.alloc(PAGE_BYTES);
  const read = await file.read(page, position).catch(() => 0);
  return read === 0 ? page.fill(0) : page;
}

/** A block to be written. */
export interface BlockToWrite {
  readonly head: BlockHead;
  readonly partBytes: readonly number[];
  readonly parts: readonly Uint8Array[];
}

/** An open blocks file. Appends are all or nothing; nothing is synced until {@link sync}. */
export class BlockFile {
  #path: string;
  readonly #file: OpenFile;
  #at: BlocksEnd;
  #reads = 0;
  #onIdle: (() => void) | undefined;

  private constructor(path: string, file: OpenFile, at: BlocksEnd) {
    this.#path = path;
    this.#file = file;
    this.#at = at;
  }

  /** Creates an empty file. @throws the disk's error; then the file may exist */
  static async create(fileSystem: FileSystem, path: string, header: Buffer): Promise<BlockFile> {
    const file = await fileSystem.open(path, "create");
    try {
      await file.write([header], 0);
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    return new BlockFile(path, file, beginning(header));
  }

  /**
   * Opens a file that has this header, and visits its blocks. With "update" a torn tail is cut off; with "read" nothing is changed, and only
   * {@link read} and {@link close} may follow. Undefined if the header is another one or missing.
   * @throws the disk's error if the file cannot be opened
   */
  static async open(
    fileSystem: FileSystem,
    path: string,
    header: Buffer,
    visit: (head: PlacedHead) => void,
    mode: "update" | "read" = "update",
  ): Promise<{ readonly file: BlockFile; readonly droppedBytes: number } | undefined> {
    const file = await fileSystem.open(path, mode);
    try {
      const found = Buffer.alloc(BLOCKS_HEADER_BYTES);
      const read = await file.read(found, 0).catch(() => 0);
      if (read === BLOCKS_HEADER_BYTES && found.equals(header)) {
        const bytes = await file.size();
        const { isTorn, ...at } = await scanHeads(file, header, { bytes }, visit);
        const opened = new BlockFile(path, file, at);
        const droppedBytes = Math.max(0, bytes - at.end);
        if (mode === "update" && (isTorn || droppedBytes > 0)) await opened.cutTail();
        return { file: opened, droppedBytes };
      }
    } catch (error) {
      await file.close().catch(() => undefined);
      throw error;
    }
    await file.close().catch(() => undefined);
    return undefined;
  }

  get path(): string {
    return this.#path;
  }

  /** Renames the file in its directory. */
  async rename(fileSystem: FileSystem, path: string): Promise<void> {
    await fileSystem.rename(this.#path, path);
    this.#path = path;
  }

  /** Bytes up to the end of the last block. */
  get bytes(): number {
    return this.#at.end;
  }

  /** Blocks in it, including removed ones. */
  get blocks(): number {
    return this.#at.blocks;
  }

  /** Appends blocks. Resolves with the byte offsets of their bodies. @throws the disk's error; then nothing has changed */
  async append(blocks: readonly BlockToWrite[]): Promise<readonly number[]> {
    const before = this.#at;
    try {
      const positions: number[] = [];
      for (let done = 0; done < blocks.length; done = positions.length) {
        positions.push(...(await this.#appendToPage(blocks.slice(done))));
      }
      return positions;
    } catch (error) {
      this.#at = before;
      await this.cutTail();
      throw error;
    }
  }

  /** Appends as many blocks as have their heads in one page: at least one. */
  async #appendToPage(blocks: readonly BlockToWrite[]): Promise<number[]> {
    let { page, slot, end, chain, blocks: count } = this.#at;
    const { head: first } = must(blocks[0], "the first block to append");
    if (slot + first.bytes.length > PAGE_BYTES) [page, slot, end] = [end, 0, end + PAGE_BYTES];
    const [firstSlot, firstBody] = [slot, end];
    const heads: Buffer[] = [];
    const bodies: Uint8Array[] = [];
    const positions: number[] = [];
    for (const { head, partBytes, parts } of blocks) {
      if (slot + head.bytes.length > PAGE_BYTES) break;
      chain = seal(head.bytes, chain);
      heads.push(head.bytes);
      bodies.push(...encodeBody(head.sum, parts));
      positions.push(end);
      slot += head.bytes.length;
      end += bodyBytes(partBytes);
      count += 1;
    }
    // Bodies first: a process that is killed in between leaves no head without its body.
    await this.#file.write(bodies, firstBody);
    await this.#file.write([Buffer.concat(heads)], page + firstSlot);
    this.#at = { page, slot, end, chain, blocks: count };
    return positions;
  }

  /** Cuts the file behind the last block. Bytes that cannot be cut off harm nothing, since no head names them. */
  async cutTail(): Promise<void> {
    const { page, slot, end } = this.#at;
    const blank = Buffer.alloc(PAGE_BYTES - slot);
    await this.#file.truncate(end).catch(() => undefined);
    if (blank.length > 0) await this.#file.write([blank], page + slot).catch(() => undefined);
  }

  /** Reads bytes at a position. Undefined if they cannot be read. */
  async read(position: number, bytes: number): Promise<Buffer | undefined> {
    this.#reads += 1;
    try {
      const target = Buffer.allocUnsafeSlow(bytes);
      return (await this.#file.read(target, position)) === bytes ? target : undefined;
    } catch {
      return undefined;
    } finally {
      this.#reads -= 1;
      if (this.#reads === 0) this.#onIdle?.();
    }
  }

  sync(): Promise<void> {
    return this.#file.sync();
  }

  /** Waits for running reads, then closes the file. No other call may follow. */
  async close(): Promise<void> {
    if (this.#reads > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#file.close();
  }
}
