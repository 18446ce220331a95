import { randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import { type BlockKey, type BlockStore, type OpenedBlocks, type StoredBlock, storageKit } from "@loredex/core";
import type { Database } from "./database.ts";
import type { DiskCache } from "./disk-cache.ts";
import { NOTED_MS, noteOf } from "./leases.ts";
import { deleteInPieces, PIECE_BYTES, PIECE_ROWS } from "./pieces.ts";
import { batchLength } from "./records.ts";

/** Each part is stored behind its checksum, so that a part is verified without reading the whole block. */
const CHECKSUM_BYTES = 4;
/** Blocks in one answer of the listing. */
const LISTED_MAX = 2_000;
/** A longer block is not kept on the disk: some parts of it are wanted, and all of it would be read. */
const KEPT_BLOCK_BYTES_MAX = 262_144;

/** The row of a block. */
interface Row {
  /** Rises in the order of the appends of one handle. */
  readonly number: number;
  readonly block: string;
}

interface Waiting {
  readonly values: readonly unknown[];
  readonly bytes: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Blocks as rows, which are read by range. A handle sees its own blocks, and those that others had stored when it opened them or refreshed.
 * Each node has its own label, such as that of another version of an encoder. Blocks of a label that no node has used for days are deleted.
 */
export class BlockRows implements BlockStore {
  readonly #database: Database;
  readonly #store: string;
  readonly #name: string;
  readonly #cache: DiskCache | undefined;
  readonly #queue = new storageKit.SerialQueue();
  readonly #rows = new Map<StoredBlock, Row>();
  #waiting: Waiting[] = [];
  /** Not listed and not deleted yet. */
  #removed: (Row & { readonly bytes: number })[] = [];
  /** Whether a deletion of them runs or waits. */
  #isDeleting = false;
  #state: "new" | "read" | "open" | "closed" = "new";
  #label: string | undefined;
  /** Ends with the deletion of the blocks of unused labels. */
  #ofUnused: Promise<void> = Promise.resolve();
  #notedMs = 0;
  #number = 0;
  #bytes = 0;

  constructor(database: Database, store: string, name: string, cache?: DiskCache) {
    this.#database = database;
    this.#store = store;
    this.#name = name;
    this.#cache = cache;
  }

  async open(label: string): Promise<OpenedBlocks> {
    if (this.#state === "closed") throw storageKit.storeClosed();
    if (this.#state === "read") throw storageKit.blocksOpen();
    await this.#queue.run(async () => {
      if (label === this.#label) return;
      this.#forget();
      await this.#noteUse(label);
      await this.#list(label);
      this.#label = label;
    });
    this.#state = "open";
    return { blocks: [...this.#rows.keys()], droppedBytes: 0 };
  }

  async openToRead(label: string): Promise<readonly StoredBlock[]> {
    if (this.#state === "closed") throw storageKit.storeClosed();
    if (this.#state !== "new") throw storageKit.blocksOpen();
    this.#state = "read";
    return this.#queue.run(() => this.#list(label));
  }

  async refresh(): Promise<readonly StoredBlock[]> {
    this.#refuseUnlessOpen();
    this.#noteUseDaily();
    const label = this.#label;
    return this.#queue.run(() => (label === undefined ? Promise.resolve([]) : this.#list(label)));
  }

  async append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock> {
    this.#refuseUnlessOpen();
    storageKit.checkBlock(key, parts);
    this.#noteUseDaily();
    const { id, version, first } = key;
    const block = { id, version, first, partBytes: parts.map((part) => part.length) };
    const bytes = Buffer.concat(parts.flatMap((part) => [checksumOf(part), part]));
    const row = { number: this.#number, block: randomUUID() };
    this.#number += 1;
    const lengths = Buffer.from(new Uint32Array(block.partBytes).buffer);
    const values = [row.number, row.block, Buffer.from(id), version, first, lengths, bytes];
    await new Promise<void>((resolve, reject) => {
      if (this.#waiting.length === 0) void this.#queue.run(() => this.#write());
      this.#waiting.push({ values, bytes: bytes.length, resolve, reject });
    });
    this.#rows.set(block, row);
    this.#bytes += bytes.length;
    return block;
  }

  async read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    if (this.#state !== "read") this.#refuseUnlessOpen();
    storageKit.checkParts(block, from, to);
    const row = this.#rows.get(block);
    if (row === undefined) return undefined;
    this.#noteUseDaily();
    if (this.#cache !== undefined && storedBytes(block.partBytes) <= KEPT_BLOCK_BYTES_MAX) {
      return (await this.#readWhole(this.#cache, block, row))?.slice(from, to);
    }
    const start = storedBytes(block.partBytes.slice(0, from));
    const lengths = block.partBytes.slice(from, to);
    const [found] = await this.#ask<{ bytes: Buffer }>(
      `select substring(bytes from $5 for $6) as bytes from ${this.#table} where store = $1 and name = $2 and number = $3 and block = $4`,
      [row.number, row.block, start + 1, storedBytes(lengths)],
    );
    return found === undefined ? undefined : partsIn(found.bytes, lengths);
  }

  /** All parts of a block: from the disk, or from the database and then to the disk. */
  async #readWhole(cache: DiskCache, { partBytes }: StoredBlock, row: Row): Promise<Uint8Array[] | undefined> {
    const key = { store: this.#store, object: row.block };
    const [kept] = (await cache.read(key, [storedBytes(partBytes)])) ?? [];
    if (kept !== undefined) return partsIn(kept, partBytes);
    const [found] = await this.#ask<{ bytes: Buffer }>(
      `select bytes from ${this.#table} where store = $1 and name = $2 and number = $3 and block = $4`,
      [row.number, row.block],
    );
    const parts = found && partsIn(found.bytes, partBytes);
    if (found !== undefined && parts !== undefined) cache.write(key, [found.bytes]);
    return parts;
  }

  has(block: StoredBlock): boolean {
    return this.#rows.has(block);
  }

  remove(block: StoredBlock): void {
    this.#refuseUnlessOpen();
    const row = this.#rows.get(block);
    if (row === undefined) return;
    this.#rows.delete(block);
    this.#bytes -= storedBytes(block.partBytes);
    this.#removed.push({ ...row, bytes: storedBytes(block.partBytes) });
    // What cannot be deleted now is deleted with the next removal, by a purge, or by the closing.
    if (!this.#isDeleting) void this.settleRemovals().catch(() => undefined);
  }

  sizes(): { readonly bytes: number; readonly liveBytes: number } {
    return { bytes: this.#bytes, liveBytes: this.#bytes };
  }

  async clear(): Promise<void> {
    this.#refuseUnlessOpen();
    await this.#queue.run(async () => {
      await this.#deleteAll("label = $3", [this.#label]);
      this.#forget();
    });
  }

  /** The label of an open handle. */
  get openLabel(): string | undefined {
    return this.#state === "open" ? this.#label : undefined;
  }

  /** Deletes the rows of removed blocks, after what was called before. */
  settleRemovals(): Promise<void> {
    this.#isDeleting = true;
    return this.#queue.run(() =>
      this.#deleteRemoved().finally(() => {
        this.#isDeleting = false;
      }),
    );
  }

  async #deleteRemoved(): Promise<void> {
    while (this.#removed.length > 0) {
      const rows = this.#removed.slice(
        0,
        batchLength(this.#removed, ({ bytes }) => bytes, [PIECE_ROWS, PIECE_BYTES]),
      );
      await this.#ask(
        `delete from ${this.#table} where store = $1 and name = $2 and number = any($3::bigint[]) and block = any($4::uuid[])`,
        [rows.map(({ number }) => number), rows.map(({ block }) => block)],
      );
      this.#removed = this.#removed.slice(rows.length);
      for (const { block } of rows) void this.#cache?.remove({ store: this.#store, object: block });
    }
  }

  /** Resolves when what was called has ended. */
  async close(): Promise<void> {
    this.#state = "closed";
    while (this.#waiting.length > 0) await this.#queue.settled();
    // Otherwise the next opening would take them for blocks that it does not know yet.
    await this.settleRemovals().catch(() => undefined);
    await this.#ofUnused;
    this.#forget();
  }

  async #write(): Promise<void> {
    const batch = this.#waiting.splice(
      0,
      batchLength(this.#waiting, ({ bytes }) => bytes),
    );
    if (batch.length === 0) return;
    const values: unknown[] = [];
    // The first values are those of every statement: store, name, label.
    const rows = batch.map((each) => {
      const at = values.push(...each.values) + 3;
      return `($1::uuid, $2::text, $3::text, ${each.values.map((_, i) => `$${at - each.values.length + 1 + i}`).join(", ")})`;
    });
    try {
      await this.#ask(
        `insert into ${this.#table} (store, name, label, number, block, id, version, first, lengths, bytes) values ${rows.join(", ")}
        on conflict (store, name, number, block) do nothing`,
        [this.#label, ...values],
      );
      for (const { resolve } of batch) resolve();
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (this.#waiting.length > 0) void this.#queue.run(() => this.#write());
  }

  /** Notes that a node uses this label, and begins to delete the blocks of labels that none has used for days. No call waits for that. */
  async #noteUse(label: string): Promise<void> {
    this.#notedMs = performance.now();
    // A use has the name of the blocks and the label in it. The key of a row is not longer than some thousand bytes.
    const useOf = (of: string) => `'blocks ' || $2::text || ' ' || left(${of}, 500)`;
    await this.#ask(noteOf(this.#database, useOf("$3::text")), [label]);
    const unused = `label <> $3 and not exists (select 1 from ${this.#database.table("leases")} l
      where l.store = $1 and l.job = ${useOf("t.label")} and l.until > clock_timestamp())`;
    this.#ofUnused = this.#ofUnused
      .then(() => this.#deleteAll(unused, [label], () => this.#state === "closed"))
      .catch(() => undefined);
  }

  /** Deletes rows of this name. `$3` is the first of the values. */
  async #deleteAll(where: string, values: readonly unknown[], isStopped?: () => boolean): Promise<void> {
    const deletion = { store: this.#store, where: `name = $2 and ${where}`, values: [this.#name, ...values] };
    await deleteInPieces(this.#database, { table: "blocks", ...deletion }, isStopped);
  }

  #noteUseDaily(): void {
    const label = this.#label;
    if (label === undefined || performance.now() < this.#notedMs + NOTED_MS) return;
    this.#notedMs = performance.now();
    void this.#queue.run(() => this.#noteUse(label)).catch(() => undefined);
  }

  /** Lists the stored blocks that this handle does not know, without their bytes. Handles number independently, so all are looked through. */
  async #list(label: string): Promise<StoredBlock[]> {
    const known = new Set([...this.#rows.values(), ...this.#removed].map(({ block }) => block));
    const added: StoredBlock[] = [];
    let from = 0;
    const stored = "store = $1 and name = $2 and label = $3";
    for (;;) {
      // A range that is closed: with a limit alone the server may sort all that follow, for each answer.
      const rows = await this.#ask<ListedRow>(
        `with next as (select min(number) as number from ${this.#table} where ${stored} and number >= $4)
        select b.number, block, id, version, first, lengths from ${this.#table} b, next
        where ${stored} and b.number >= next.number and b.number < next.number + ${LISTED_MAX} order by b.number, block`,
        [label, from],
      );
      for (const row of rows) {
        from = row.number + 1;
        if (known.has(row.block)) continue;
        const block = blockIn(row);
        added.push(block);
        this.#rows.set(block, { number: row.number, block: row.block });
        this.#bytes += storedBytes(block.partBytes);
      }
      this.#number = Math.max(this.#number, from);
      if (rows.length === 0) return added;
    }
  }

  #ask<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#database.ask<Row>(text, [this.#store, this.#name, ...values], { isBulk: true });
  }

  #forget(): void {
    this.#rows.clear();
    this.#removed = [];
    this.#bytes = 0;
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== "open") throw this.#state === "closed" ? storageKit.storeClosed() : storageKit.blocksNotOpen();
  }

  get #table(): string {
    return this.#database.table("blocks");
  }
}

interface ListedRow extends Row {
  readonly id: Buffer;
  readonly version: number;
  readonly first: number;
  readonly lengths: Buffer;
}

function blockIn({ id, version, first, lengths }: ListedRow): StoredBlock {
  const partBytes = Array.from({ length: lengths.length / 4 }, (_, i) => lengths.readUInt32LE(i * 4));
  return { id: id.toString(), version, first, partBytes };
}

function storedBytes(lengths: readonly number[]): number {
  return lengths.reduce((sum, length) => sum + CHECKSUM_BYTES + length, 0);
}

function checksumOf(part: Uint8Array): Buffer {
  const bytes = Buffer.allocUnsafe(CHECKSUM_BYTES);
  bytes.writeUInt32LE(crc32(part));
  return bytes;
}

/** The parts of these lengths; undefined if a byte of them is not the written one. */
function partsIn(bytes: Buffer, lengths: readonly number[]): Uint8Array[] | undefined {
  if (bytes.length !== storedBytes(lengths)) return undefined;
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    const part = bytes.subarray(at + CHECKSUM_BYTES, at + CHECKSUM_BYTES + length);
    if (bytes.readUInt32LE(at) !== crc32(part)) return undefined;
    parts.push(part);
    at += CHECKSUM_BYTES + length;
  }
  return parts;
}
