/** One file of blocks: how it is begun, found again, added to and read. */

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

/** Where a file of blocks goes on. */
interface BlocksEnd {
  /** Where the newest page begins, and where in it the next head comes. */
  readonly page: number;
  readonly slot: number;
  /** Where the next body comes, unless there is another page before it. */
  readonly end: number;
  readonly chain: number;
  /** Blocks in the file, also those that were removed. */
  readonly blocks: number;
}

/** A head in a file, with the place of its body. */
export interface PlacedHead extends DecodedHead {
  readonly position: number;
}

/** What the heads of a file say. */
export interface BlocksScan extends BlocksEnd {
  /**
   * Whether there are fewer blocks than are known to be there; where that is not known, whether something lies in the newest page where the next head would be
   * that is none, or that tells of more bytes than there are.
   */
  readonly isTorn: boolean;
}

function beginning(header: Buffer): BlocksEnd {
  const page = BLOCKS_HEADER_BYTES;
  return { page, slot: 0, end: page + PAGE_BYTES, chain: firstChain(header), blocks: 0 };
}

/** Reads the heads of a file of `bytes` bytes, up to `blocksMax`. What the disk cannot read ends it like what is damaged. */
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
      // The page may be full. Only the true next head goes on from the checksum of the last.
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

/** A page as far as the file has it; zeros stand for what the disk cannot read. */
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

  /** Begins an empty file. @throws what the disk says; then it may be there */
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
   * Goes on with a file that has this header, and hands out its blocks. Undefined where it has another one, or none.
   * @throws what the disk says where it cannot be opened
   */
  static async open(
    fileSystem: FileSystem,
    path: string,
    header: Buffer,
    visit: (head: PlacedHead) => void,
  ): Promise<{ readonly file: BlockFile; readonly droppedBytes: number } | undefined> {
    const file = await fileSystem.open(path, "update");
    try {
      const found = Buffer.alloc(BLOCKS_HEADER_BYTES);
      const read = await file.read(found, 0).catch(() => 0);
      if (read === BLOCKS_HEADER_BYTES && found.equals(header)) {
        const bytes = await file.size();
        const { isTorn, ...at } = await scanHeads(file, header, { bytes }, visit);
        const opened = new BlockFile(path, file, at);
        const droppedBytes = Math.max(0, bytes - at.end);
        if (isTorn || droppedBytes > 0) await opened.cutTail();
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

  /** Gives it another name in its directory. */
  async rename(fileSystem: FileSystem, path: string): Promise<void> {
    await fileSystem.rename(this.#path, path);
    this.#path = path;
  }

  /** Up to where it is filled. */
  get bytes(): number {
    return this.#at.end;
  }

  /** Blocks in it, also those that were removed. */
  get blocks(): number {
    return this.#at.blocks;
  }

  /** Adds blocks, and yields the places of their bodies. @throws what the disk says; then all is as before */
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

  /** As many of them as one page has room for: at least one. */
  async #appendToPage(blocks: readonly BlockToWrite[]): Promise<number[]> {
    let { page, slot, end, chain, blocks: count } = this.#at;
    if (slot + (blocks[0]?.head.bytes.length ?? 0) > PAGE_BYTES) [page, slot, end] = [end, 0, end + PAGE_BYTES];
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
    // Bodies first: a program that is killed in between leaves no head without its body.
    await this.#file.write(bodies, firstBody);
    await this.#file.write([Buffer.concat(heads)], page + firstSlot);
    this.#at = { page, slot, end, chain, blocks: count };
    return positions;
  }

  /** Gives back what lies behind the last block. What cannot be cut harms nothing: no head leads there. */
  async cutTail(): Promise<void> {
    const { page, slot, end } = this.#at;
    const blank = Buffer.alloc(PAGE_BYTES - slot);
    await this.#file.truncate(end).catch(() => undefined);
    if (blank.length > 0) await this.#file.write([blank], page + slot).catch(() => undefined);
  }

  /** Undefined where they cannot be had. */
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

  /** Waits for those who read. Nothing is asked of it after that. */
  async close(): Promise<void> {
    if (this.#reads > 0) {
      await new Promise<void>((resolve) => {
        this.#onIdle = resolve;
      });
    }
    await this.#file.close();
  }
}
