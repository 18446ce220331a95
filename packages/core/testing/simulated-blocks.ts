/** The blocks of a store in a `SimulatedDatabase`, as one node knows them. */

import { must } from "../src/model/must.ts";
import {
  type BlockKey,
  type BlockStore,
  blocksNotOpen,
  blocksOpen,
  checkBlock,
  checkParts,
  type OpenedBlocks,
  type StoredBlock,
} from "../src/storage/block-store.ts";
import { storeClosed } from "../src/storage/port-rules.ts";
import type { BlockRow, StoreTables } from "./simulated-tables.ts";

/** Runs a transaction on a store. */
export type Ask = <Result>(work: (tables: StoreTables) => Result) => Promise<Result>;

/** Blocks of other labels stay until a purge. A block that another node appended after the opening is known after `refresh`. One that another node removed is known, and read as undefined. */
export class SimulatedBlocks implements BlockStore {
  readonly #ask: Ask;
  readonly #name: string;
  readonly #newNumber: () => number;
  #state: "new" | "read" | "open" | "closed" = "new";
  #label = "";
  readonly #numbers = new Map<StoredBlock, number>();

  constructor(ask: Ask, name: string, newNumber: () => number) {
    this.#ask = ask;
    this.#name = name;
    this.#newNumber = newNumber;
  }

  /** The label of an open handle. */
  get openLabel(): string | undefined {
    return this.#state === "open" ? this.#label : undefined;
  }

  async open(label: string): Promise<OpenedBlocks> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state === "read") throw blocksOpen();
    const blocks = await this.#list(label);
    this.#label = label;
    this.#state = "open";
    return { blocks, droppedBytes: 0 };
  }

  async openToRead(label: string): Promise<readonly StoredBlock[]> {
    if (this.#state === "closed") throw storeClosed();
    if (this.#state !== "new") throw blocksOpen();
    this.#state = "read";
    return this.#list(label);
  }

  async #list(label: string): Promise<readonly StoredBlock[]> {
    const rows = await this.#ask((tables) => new Map([...this.#rows(tables)].filter(([, row]) => row.label === label)));
    const known = new Map([...this.#numbers].map(([block, number]) => [number, block]));
    this.#numbers.clear();
    for (const [number, row] of rows) this.#numbers.set(known.get(number) ?? blockOf(row), number);
    return [...this.#numbers.keys()];
  }

  async refresh(): Promise<readonly StoredBlock[]> {
    this.#refuseUnlessOpen();
    const rows = await this.#ask((tables) => new Map(this.#rows(tables)));
    const known = new Set(this.#numbers.values());
    const added: StoredBlock[] = [];
    for (const [number, row] of rows) {
      if (known.has(number) || row.label !== this.#label) continue;
      const block = blockOf(row);
      this.#numbers.set(block, number);
      added.push(block);
    }
    return added;
  }

  async append(key: BlockKey, parts: readonly Uint8Array[]): Promise<StoredBlock> {
    this.#refuseUnlessOpen();
    checkBlock(key, parts);
    const number = this.#newNumber();
    const { id, version, first } = key;
    const row = { id, version, first, label: this.#label, parts: parts.map((part) => part.slice()) };
    await this.#ask((tables) => this.#rows(tables).set(number, row));
    const block = blockOf(row);
    this.#numbers.set(block, number);
    return block;
  }

  async read(block: StoredBlock, from: number, to: number): Promise<readonly Uint8Array[] | undefined> {
    if (this.#state !== "read") this.#refuseUnlessOpen();
    checkParts(block, from, to);
    const number = this.#numbers.get(block);
    if (number === undefined) return undefined;
    const row = await this.#ask((tables) => this.#rows(tables).get(number));
    return row?.parts.slice(from, to).map((part) => part.slice());
  }

  has(block: StoredBlock): boolean {
    return this.#numbers.has(block);
  }

  remove(block: StoredBlock): void {
    this.#refuseUnlessOpen();
    const number = this.#numbers.get(block);
    if (number === undefined) return;
    this.#numbers.delete(block);
    // A block that stays because the database is unreachable harms nothing.
    this.#ask((tables) => this.#rows(tables).delete(number)).catch(() => undefined);
  }

  sizes(): { readonly bytes: number; readonly liveBytes: number } {
    const parts = [...this.#numbers.keys()].flatMap(({ partBytes }) => partBytes);
    const bytes = parts.reduce((sum, length) => sum + length, 0);
    return { bytes, liveBytes: bytes };
  }

  async clear(): Promise<void> {
    this.#refuseUnlessOpen();
    await this.#ask((tables) => {
      const rows = this.#rows(tables);
      for (const [number, { label }] of rows) if (label === this.#label) rows.delete(number);
    });
    this.#numbers.clear();
  }

  close(): void {
    this.#state = "closed";
  }

  #rows(tables: StoreTables): Map<number, BlockRow> {
    if (!tables.blocks.has(this.#name)) tables.blocks.set(this.#name, new Map());
    return must(tables.blocks.get(this.#name), "the blocks that were just made");
  }

  #refuseUnlessOpen(): void {
    if (this.#state !== "open") throw this.#state === "closed" ? storeClosed() : blocksNotOpen();
  }
}

function blockOf({ id, version, first, parts }: BlockRow): StoredBlock {
  return { id, version, first, partBytes: parts.map((part) => part.length) };
}
