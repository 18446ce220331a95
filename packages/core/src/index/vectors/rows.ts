import { VECTOR_DIMENSIONS_MAX, VECTOR_ROWS_BYTES_MAX } from "../../model/limits.ts";
import type { OperationMeter, Sliced } from "../../scheduling/time-slices.ts";
import { CODES_AN_OPERATION, encodeQuery, inverseNormOf, paddedLength, type QueryVector } from "./codes.ts";
import { codesHash } from "./codes-hash.ts";
import {
  HeapRows,
  OWN_MEMORY_BYTES_MIN,
  OwnMemoryRows,
  type RowStorage,
  SharedMemoryRows,
  type StorageKind,
  storageOf,
} from "./row-storage.ts";
import { BLOCK_ROWS } from "./simd-memory.ts";
import type { GraphRows } from "./vector-graph.ts";

/** Options of {@link VectorRows}. */
export interface VectorRowsOptions {
  /** Whether SIMD may be used; default true. Results do not depend on it. */
  readonly simd?: boolean;
  /** Bytes from which on the rows get a WebAssembly memory of their own; default {@link OWN_MEMORY_BYTES_MIN}. */
  readonly ownMemoryBytesMin?: number;
  /** Most bytes of the rows; default {@link VECTOR_ROWS_BYTES_MAX}. */
  readonly bytesMax?: number;
}

/**
 * Quantized vectors, one row of int8 codes each, in contiguous memory. The key of a vector is also the number of its row, so keys
 * should be dense. Invariant: a cosine depends on the query and the codes only.
 */
export class VectorRows implements GraphRows {
  readonly dimensions: number;
  readonly #stride: number;
  readonly #options: Required<VectorRowsOptions>;
  #storage: RowStorage;
  /** Number of rows that the storage and the arrays beside it can hold. */
  #capacity = 0;
  /** By key: 1 / (the length) of the row's codes. NaN where there is no vector, 0 for a vector of zeros. */
  #inverseNorms = new Float64Array(0);
  #cosines = new Float32Array(0);
  #listed = new Float32Array(0);
  #changes = 0;
  /** The query that `#cosines` belong to; undefined as soon as a row has changed. */
  #scanned: QueryVector | undefined;
  #count = 0;
  #end = 0;
  /** Rows below this may hold codes of staged vectors. */
  #stagedEnd = 0;

  /** `dimensions` is 1 to 4,096; throws a `RangeError` otherwise. */
  constructor(dimensions: number, options: VectorRowsOptions = {}) {
    if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > VECTOR_DIMENSIONS_MAX) {
      throw new RangeError(`Vectors have 1 to ${VECTOR_DIMENSIONS_MAX} dimensions, not ${dimensions}.`);
    }
    this.dimensions = dimensions;
    this.#stride = paddedLength(dimensions);
    this.#options = {
      simd: true,
      ownMemoryBytesMin: OWN_MEMORY_BYTES_MIN,
      bytesMax: VECTOR_ROWS_BYTES_MAX,
      ...options,
    };
    this.#storage = new HeapRows(this.#stride);
  }

  /** Number of vectors. */
  get count(): number {
    return this.#count;
  }
  /** The highest key + 1; 0 if there is none. */
  get end(): number {
    return this.#end;
  }
  /** Cost of comparing one row, in operations of a search. */
  get operationsARow(): number {
    return this.#stride / CODES_AN_OPERATION;
  }
  /** Memory in bytes. */
  get bytes(): number {
    return this.#storage.bytes + this.#inverseNorms.byteLength + this.#cosines.byteLength;
  }

  /**
   * Sets or replaces the vector of a key. `codes` has one code a dimension and is copied.
   * @throws RangeError for a wrong number of codes, for a key that is no integer from 0, and where there is no memory for the row; nothing has changed then
   */
  set(key: number, codes: Int8Array): void {
    this.#check(key, codes);
    if (key >= this.#capacity) this.#grow(key + 1);
    if (!this.has(key)) this.#count++;
    this.#end = Math.max(this.#end, key + 1);
    this.#changed();
    this.#storage.codes.set(codes, key * this.#stride);
    this.#inverseNorms[key] = inverseNormOf(codes);
  }

  /**
   * Writes the row of a staged vector: no search sees it before {@link enter}. Its key must be new: above all keys that were hidden.
   * Returns the inverse norm that `enter` needs.
   */
  stage(key: number, codes: Int8Array): number {
    this.#check(key, codes);
    if (key >= this.#capacity) this.#grow(key + 1);
    this.#stagedEnd = Math.max(this.#stagedEnd, key + 1);
    this.#storage.codes.set(codes, key * this.#stride);
    return inverseNormOf(codes);
  }

  /** Makes staged vectors visible, whose keys are consecutive from `first` on. */
  enter(first: number, inverseNorms: Float64Array): void {
    if (inverseNorms.length === 0) return;
    this.#inverseNorms.set(inverseNorms, first);
    this.#count += inverseNorms.length;
    this.#end = Math.max(this.#end, first + inverseNorms.length);
    this.#changed();
  }

  /** Hides the vectors of `[first, end)` from searches; their codes stay in the rows. Returns the keys that had a vector. */
  hide(first: number, end: number): Uint32Array {
    const norms = this.#inverseNorms;
    const keys = new Uint32Array(Math.max(0, Math.min(end, this.#end) - first));
    let count = 0;
    for (let key = first; key < first + keys.length; key++) if (!Number.isNaN(norms[key])) keys[count++] = key;
    norms.fill(Number.NaN, first, first + keys.length);
    this.#count -= count;
    this.#changed();
    this.#shrinkEnd();
    this.#stagedEnd = Math.max(this.#stagedEnd, Math.min(end, this.#capacity));
    return keys.subarray(0, count);
  }

  /** A view of a row's codes, also of a hidden vector. Valid until a vector is set or moved. */
  rowOf(key: number): Int8Array {
    return this.#storage.codes.subarray(key * this.#stride, key * this.#stride + this.dimensions);
  }

  /** Deletes a vector; false if there was none. */
  delete(key: number): boolean {
    if (!this.has(key)) return false;
    this.#changed();
    this.#inverseNorms[key] = Number.NaN;
    this.#count--;
    this.#shrinkEnd();
    return true;
  }

  /** Restores the invariant that no vector has a key at or above `#end`. */
  #shrinkEnd(): void {
    while (this.#end > 0 && !this.has(this.#end - 1)) this.#end--;
  }

  /** Rises whenever a vector is set, deleted or moved to another key. */
  get changes(): number {
    return this.#changes;
  }

  #changed(): void {
    this.#changes++;
    this.#scanned = undefined;
  }

  /** False for any number beyond the rows. */
  has(key: number): boolean {
    return !Number.isNaN(this.#inverseNorms[key] ?? Number.NaN);
  }

  /** A copy of a vector's codes; undefined if there is none. */
  codesOf(key: number): Int8Array | undefined {
    return this.has(key) ? this.rowOf(key).slice() : undefined;
  }

  /** The content hash of a vector's codes, by which a saved graph finds it again: see {@link codesHash}; undefined if there is none. */
  hashOf(key: number): number | undefined {
    return this.has(key) ? codesHash(this.rowOf(key)) : undefined;
  }

  /** Visits all vectors, by rising key. The codes are valid during the call only. */
  forEach(visit: (key: number, codes: Int8Array) => void): void {
    for (let key = 0; key < this.#end; key++) if (this.has(key)) visit(key, this.rowOf(key));
  }

  /** Encodes a query's vector for comparison. The result never expires and fits all rows of the same dimensions. */
  prepare(vector: Float32Array): QueryVector {
    if (vector.length !== this.dimensions) {
      throw new RangeError(`A vector here has ${this.dimensions} dimensions, not ${vector.length}.`);
    }
    return encodeQuery(vector);
  }

  /** The cosine of the query and a vector, -1 to 1; undefined if there is none. Right after a scan for the same query it is read from the scan. */
  cosine(query: QueryVector, key: number): number | undefined {
    if (!this.has(key)) return undefined;
    if (query === this.#scanned) return this.#cosines[key];
    this.#checkQuery(query);
    const product = this.#storage.products(query, key, 1)[0] as number;
    return Math.fround(product * query.inverseNorm * (this.#inverseNorms[key] as number));
  }

  /** The highest {@link cosine} of the keys in `[first, end)`; undefined if none of them has a vector. In bounds: all arrays reach to `#end`. */
  highestCosine(query: QueryVector, first: number, end: number): number | undefined {
    const isScanned = query === this.#scanned;
    if (!isScanned) this.#checkQuery(query);
    let highest: number | undefined;
    const last = Math.min(end, this.#end);
    for (let from = first; from < last; from += this.#storage.blockRows) {
      const count = Math.min(this.#storage.blockRows, last - from);
      const products = isScanned ? undefined : this.#storage.products(query, from, count);
      for (let row = 0; row < count; row++) {
        const inverseNorm = this.#inverseNorms[from + row] as number;
        // NaN where there is no vector: it is never higher.
        const cosine =
          products === undefined
            ? (this.#cosines[from + row] as number)
            : Math.fround((products[row] as number) * query.inverseNorm * inverseNorm);
        if (cosine > (highest ?? Number.NEGATIVE_INFINITY)) highest = cosine;
      }
    }
    return highest;
  }

  /**
   * The {@link cosine} of each of the first `count` keys, in their order; NaN for a key without a vector. Scattered rows are compared in one
   * call of the kernel for each block. The next call overwrites the array. In bounds: keys from `#end` on have no vector and are not looked up.
   */
  cosinesOf(query: QueryVector, keys: Uint32Array, count: number): Float32Array {
    this.#checkQuery(query);
    if (this.#listed.length < count) this.#listed = new Float32Array(Math.max(BLOCK_ROWS, count));
    const cosines = this.#listed;
    if (query === this.#scanned) {
      for (let i = 0; i < count; i++) {
        const key = keys[i] as number;
        cosines[i] = key < this.#end ? (this.#cosines[key] as number) : Number.NaN;
      }
      return cosines;
    }
    const { blockRows, list } = this.#storage;
    for (let from = 0; from < count; from += blockRows) {
      const here = Math.min(blockRows, count - from);
      for (let i = 0; i < here; i++) {
        const key = keys[from + i] as number;
        list[i] = key < this.#end ? key : 0;
      }
      const products = this.#storage.listed(query, here);
      for (let i = 0; i < here; i++) {
        const key = keys[from + i] as number;
        const inverseNorm = key < this.#end ? (this.#inverseNorms[key] as number) : Number.NaN;
        cosines[from + i] = (products[i] as number) * query.inverseNorm * inverseNorm;
      }
    }
    return cosines;
  }

  /**
   * The inner products of the query and the first `count` keys, in their order, also of hidden vectors. A key beyond all rows gives an
   * arbitrary number. The next comparison of any kind overwrites the array.
   */
  productsOf(query: QueryVector, keys: Uint32Array, count: number): Int32Array {
    this.#checkQuery(query);
    const storage = this.#storage;
    if (count > storage.blockRows)
      return this.#inBlocks(keys, count, (some) => this.productsOf(query, some, some.length));
    this.#fillList(keys, count);
    return storage.listed(query, count);
  }

  /** {@link productsOf} with the vector of a key in the place of the query. */
  productsOfRow(key: number, keys: Uint32Array, count: number): Int32Array {
    const storage = this.#storage;
    if (count > storage.blockRows)
      return this.#inBlocks(keys, count, (some) => this.productsOfRow(key, some, some.length));
    this.#fillList(keys, count);
    return storage.listedByRow(key < this.#capacity ? key : 0, count);
  }

  #inBlocks(keys: Uint32Array, count: number, compare: (keys: Uint32Array) => Int32Array): Int32Array {
    const all = new Int32Array(count);
    const { blockRows } = this.#storage;
    for (let from = 0; from < count; from += blockRows) {
      const some = keys.subarray(from, Math.min(count, from + blockRows));
      all.set(compare(some).subarray(0, some.length), from);
    }
    return all;
  }

  #fillList(keys: Uint32Array, count: number): void {
    const { list } = this.#storage;
    const capacity = this.#capacity;
    for (let i = 0; i < count; i++) {
      const key = keys[i] as number;
      list[i] = key < capacity ? key : 0;
    }
  }

  /** Whether the codes of two keys are the same, also of hidden vectors. */
  areEqual(a: number, b: number): boolean {
    if (a >= this.#capacity || b >= this.#capacity) return false;
    const { codes } = this.#storage;
    const [atA, atB] = [a * this.#stride, b * this.#stride];
    for (let i = 0; i < this.dimensions; i++) if (codes[atA + i] !== codes[atB + i]) return false;
    return true;
  }

  /** 1 / (the length) of a vector's codes; 0 for a vector of zeros, undefined if there is no vector. */
  inverseNorm(key: number): number | undefined {
    return this.has(key) ? this.#inverseNorms[key] : undefined;
  }

  /**
   * The cosines of the query and all vectors, by key, for keys below {@link end}; NaN where there is no vector. Works in time slices, one scan
   * at a time; no row may change meanwhile. The query of the last scan is not scanned again. The next scan overwrites the array.
   */
  *scanInSlices(query: QueryVector, meter: OperationMeter): Sliced<Float32Array> {
    this.#checkQuery(query);
    if (query === this.#scanned) return this.#cosines.subarray(0, this.#end);
    this.#scanned = undefined;
    const cosines = this.#cosines;
    const inverseNorms = this.#inverseNorms;
    for (let first = 0; first < this.#end; first += this.#storage.blockRows) {
      const count = Math.min(this.#storage.blockRows, this.#end - first);
      const products = this.#storage.products(query, first, count);
      for (let row = 0; row < count; row++) {
        cosines[first + row] = (products[row] as number) * query.inverseNorm * (inverseNorms[first + row] as number);
      }
      if (meter.shouldYield(count * this.operationsARow)) yield;
    }
    this.#scanned = query;
    return cosines.subarray(0, this.#end);
  }

  /** Moves a vector to a lower key that has no vector. @throws RangeError for any other key; nothing has changed then */
  move(from: number, to: number): void {
    if (!this.has(from)) return;
    if (!Number.isInteger(to) || to < 0 || to >= from || this.has(to)) {
      throw new RangeError(`The key ${from} can't become ${to}: a vector only moves to a lower key that none has.`);
    }
    this.#changed();
    this.#storage.codes.copyWithin(to * this.#stride, from * this.#stride, (from + 1) * this.#stride);
    this.#inverseNorms[to] = this.#inverseNorms[from] as number;
    this.#inverseNorms[from] = Number.NaN;
    this.#shrinkEnd();
  }

  /** Frees memory if less than half of the rows are used. No vector may be staged. */
  trim(): void {
    this.#stagedEnd = 0;
    if (this.#end < this.#capacity / 2) this.#resize(this.#end);
  }

  #check(key: number, codes: Int8Array): void {
    if (codes.length !== this.dimensions) {
      throw new RangeError(`A vector here has ${this.dimensions} dimensions, not ${codes.length}.`);
    }
    if (!Number.isSafeInteger(key) || key < 0) throw new RangeError(`A key is an integer from 0 on, not ${key}.`);
  }

  #checkQuery(query: QueryVector): void {
    if (query.codes.length !== this.#stride) {
      throw new RangeError(`The query was prepared for other vectors than these of ${this.dimensions} dimensions.`);
    }
  }

  #grow(rows: number): void {
    const rowsMax = Math.floor(this.#options.bytesMax / this.#stride);
    if (rows > rowsMax) {
      throw new RangeError(
        `A bot is searched by at most ${rowsMax} vectors of ${this.dimensions} dimensions. Divide its knowledge among several bots.`,
      );
    }
    const more = Math.max(Math.ceil(this.#capacity * 1.5), Math.ceil(SMALLEST_BYTES / this.#stride));
    this.#resize(Math.max(rows, Math.min(rowsMax, more)));
  }

  /** Sets the capacity to `rows`, at least the number in use. All memory is allocated before anything changes. */
  #resize(rows: number): void {
    const inverseNorms = new Float64Array(rows).fill(Number.NaN);
    inverseNorms.set(this.#inverseNorms.subarray(0, this.#end));
    const cosines = new Float32Array(rows);
    const isSmaller = rows < this.#capacity;
    const wanted = this.#kindFor(rows);
    if (isSmaller || !(this.#storage instanceof wanted) || !this.#storage.reserve(rows)) {
      const storage = storageOf(wanted, this.#stride, rows);
      const written = Math.min(rows, Math.max(this.#end, this.#stagedEnd));
      storage.codes.set(this.#storage.codes.subarray(0, written * this.#stride));
      this.#storage = storage;
    }
    this.#inverseNorms = inverseNorms;
    this.#cosines = cosines;
    this.#scanned = undefined;
    this.#capacity = rows;
  }

  #kindFor(rows: number): StorageKind {
    if (!this.#options.simd) return HeapRows;
    return rows * this.#stride >= this.#options.ownMemoryBytesMin ? OwnMemoryRows : SharedMemoryRows;
  }
}

/** Bytes of rows that the first vector reserves. */
const SMALLEST_BYTES = 4096;
