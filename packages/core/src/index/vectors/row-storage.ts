import type { QueryVector } from "./codes.ts";
import { BLOCK_ROWS, KERNEL_ROWS, SimdMemory } from "./simd-memory.ts";

/**
 * Stores rows of codes and multiplies a query with them. All storages give the same numbers. They differ in speed and in requirements:
 * {@link OwnMemoryRows} scan 57 million rows of 256 dimensions a second, {@link SharedMemoryRows} 41, {@link HeapRows} about 1.
 */
export interface RowStorage {
  /** All rows, one after the other, `stride` bytes each. Replaced by {@link reserve}. */
  readonly codes: Int8Array;
  /** Memory in bytes. */
  readonly bytes: number;
  /** Most rows of one call of {@link products}. */
  readonly blockRows: number;
  /** Reserves memory for `rows` rows and keeps their contents. False if this kind of storage has no memory for them. */
  reserve(rows: number): boolean;
  /** Inner products of the query with `count` rows from row `first` on. The result is valid until the next call of any storage. */
  products(query: QueryVector, first: number, count: number): Int32Array;
  /** The caller writes row numbers here for {@link listed}, at most {@link blockRows}. Replaced by {@link reserve}. */
  readonly list: Uint32Array;
  /** Inner products of the query with the first `count` rows of {@link list}, in their order. Valid as long as the result of {@link products}. */
  listed(query: QueryVector, count: number): Int32Array;
  /** {@link listed} with a row in the place of the query. */
  listedByRow(row: number, count: number): Int32Array;
}

/** Rows in a WebAssembly memory of their own: the fastest. */
export class OwnMemoryRows implements RowStorage {
  readonly blockRows = BLOCK_ROWS;
  readonly #memory: SimdMemory;
  readonly #stride: number;

  private constructor(memory: SimdMemory, stride: number) {
    this.#memory = memory;
    this.#stride = stride;
  }

  /** Undefined if there is no SIMD, no memory, or already {@link OWN_MEMORIES_MAX} such memories. */
  static create(stride: number, rows: number): OwnMemoryRows | undefined {
    if (ownMemoryCount >= OWN_MEMORIES_MAX) return undefined;
    const memory = SimdMemory.create((rows + KERNEL_ROWS) * stride);
    if (memory === undefined) return undefined;
    ownMemoryCount++;
    collected.register(memory, undefined);
    return new OwnMemoryRows(memory, stride);
  }

  get codes(): Int8Array {
    return this.#memory.rows;
  }
  get bytes(): number {
    return this.#memory.bytes;
  }
  reserve(rows: number): boolean {
    return this.#memory.reserve((rows + KERNEL_ROWS) * this.#stride);
  }
  products(query: QueryVector, first: number, count: number): Int32Array {
    return this.#memory.products(query, first, count, this.#stride);
  }
  get list(): Uint32Array {
    return this.#memory.list;
  }
  listed(query: QueryVector, count: number): Int32Array {
    return this.#memory.listed(query, count, this.#stride);
  }
  listedByRow(row: number, count: number): Int32Array {
    return this.#memory.listedByRow(row, count, this.#stride);
  }
}

/**
 * Most WebAssembly memories of a process. A process got about 13,000 before the next was refused, and it may be aborted
 * then. A memory counts until the garbage collector frees it.
 */
const OWN_MEMORIES_MAX = 1000;
let ownMemoryCount = 0;
const collected = new FinalizationRegistry<undefined>(() => {
  ownMemoryCount--;
});

/** Rows in a plain array, copied block by block into one WebAssembly memory that all instances share. */
export class SharedMemoryRows implements RowStorage {
  readonly blockRows: number;
  readonly #scratch: SimdMemory;
  readonly #rows: HeapRows;
  readonly #stride: number;

  private constructor(scratch: SimdMemory, stride: number) {
    this.#scratch = scratch;
    this.#stride = stride;
    this.#rows = new HeapRows(stride);
    this.blockRows = Math.min(BLOCK_ROWS, Math.floor(SCRATCH_BYTES / stride) - KERNEL_ROWS);
  }

  /** Undefined where there is no SIMD. */
  static create(stride: number): SharedMemoryRows | undefined {
    scratch ??= SimdMemory.create(SCRATCH_BYTES);
    return scratch === undefined ? undefined : new SharedMemoryRows(scratch, stride);
  }

  get codes(): Int8Array {
    return this.#rows.codes;
  }
  get bytes(): number {
    return this.#rows.bytes;
  }
  reserve(rows: number): boolean {
    return this.#rows.reserve(rows);
  }
  products(query: QueryVector, first: number, count: number): Int32Array {
    this.#scratch.rows.set(this.codes.subarray(first * this.#stride, (first + count) * this.#stride));
    return this.#scratch.products(query, 0, count, this.#stride);
  }
  get list(): Uint32Array {
    return this.#rows.list;
  }
  listed(query: QueryVector, count: number): Int32Array {
    const stride = this.#stride;
    const { codes, list } = this.#rows;
    for (let i = 0; i < count; i++) {
      const at = (list[i] as number) * stride;
      this.#scratch.rows.set(codes.subarray(at, at + stride), i * stride);
    }
    return this.#scratch.products(query, 0, count, stride);
  }
  listedByRow(row: number, count: number): Int32Array {
    return this.listed(this.#rows.asQuery(row), count);
  }
}

/** Size of the shared memory. It is small enough to stay in the processor's cache between the copy and the scan. */
const SCRATCH_BYTES = 256 * 1024;
let scratch: SimdMemory | undefined;

/** Rows in a plain array, multiplied by a plain loop: for machines without SIMD. */
export class HeapRows implements RowStorage {
  readonly blockRows = BLOCK_ROWS;
  readonly #stride: number;
  #codes = new Int8Array(0);
  #products = new Int32Array(0);
  #list = new Uint32Array(0);

  constructor(stride: number) {
    this.#stride = stride;
  }

  get codes(): Int8Array {
    return this.#codes;
  }
  get bytes(): number {
    return this.#codes.byteLength;
  }

  reserve(rows: number): boolean {
    const bytes = rows * this.#stride;
    if (bytes <= this.#codes.length) return true;
    const grown = new Int8Array(bytes);
    grown.set(this.#codes);
    this.#codes = grown;
    return true;
  }

  products(query: QueryVector, first: number, count: number): Int32Array {
    if (this.#products.length < count) this.#products = new Int32Array(BLOCK_ROWS);
    for (let row = 0; row < count; row++) {
      this.#products[row] = this.#product(query.codes, (first + row) * this.#stride);
    }
    return this.#products;
  }

  get list(): Uint32Array {
    if (this.#list.length === 0) this.#list = new Uint32Array(BLOCK_ROWS);
    return this.#list;
  }

  listed(query: QueryVector, count: number): Int32Array {
    if (this.#products.length < count) this.#products = new Int32Array(BLOCK_ROWS);
    for (let i = 0; i < count; i++) {
      this.#products[i] = this.#product(query.codes, (this.#list[i] as number) * this.#stride);
    }
    return this.#products;
  }

  listedByRow(row: number, count: number): Int32Array {
    return this.listed(this.asQuery(row), count);
  }

  /** The codes of a row as a query; its inverse norm is not set. */
  asQuery(row: number): QueryVector {
    const codes = Int16Array.from(this.#codes.subarray(row * this.#stride, (row + 1) * this.#stride));
    return { codes, inverseNorm: 0 };
  }

  /**
   * Inner product in four partial sums, as the additions of a single sum would wait for each other. In bounds: a query and a row have `stride` codes,
   * a multiple of four, and callers name rows that are there.
   */
  #product(query: Int16Array, rowAt: number): number {
    const codes = this.#codes;
    let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
    for (let i = 0, at = rowAt; i < query.length; i += 4, at += 4) {
      sum0 = (sum0 + (query[i] as number) * (codes[at] as number)) | 0;
      sum1 = (sum1 + (query[i + 1] as number) * (codes[at + 1] as number)) | 0;
      sum2 = (sum2 + (query[i + 2] as number) * (codes[at + 2] as number)) | 0;
      sum3 = (sum3 + (query[i + 3] as number) * (codes[at + 3] as number)) | 0;
    }
    return sum0 + sum1 + sum2 + sum3;
  }
}

/** The classes of storages. */
export type StorageKind = typeof HeapRows | typeof SharedMemoryRows | typeof OwnMemoryRows;

/** A storage of the wanted kind, or of the next best kind that this machine allows. */
export function storageOf(wanted: StorageKind, stride: number, rows: number): RowStorage {
  if (wanted === OwnMemoryRows) {
    const own = OwnMemoryRows.create(stride, rows);
    if (own !== undefined) return own;
  }
  const other = wanted === HeapRows ? undefined : SharedMemoryRows.create(stride);
  const storage = other ?? new HeapRows(stride);
  storage.reserve(rows);
  return storage;
}

/**
 * Bytes of rows from which on they get a WebAssembly memory of their own. Below, copying the rows for a scan costs less than 100 µs,
 * and a memory is not worth its address space. Most bots stay below.
 */
export const OWN_MEMORY_BYTES_MIN = 1024 * 1024;
