import type { QueryVector } from "./codes.ts";
import { SCAN_KERNEL_BASE64 } from "./scan-kernel.ts";

/**
 * Rows of codes in a WebAssembly memory, and the SIMD kernel that multiplies a query with them.
 *
 * The memory is laid out as: the query (room for 4,096 codes of 16 bits), the products (room for one block), a list of row numbers (as
 * many), the rows.
 */
export class SimdMemory {
  readonly #memory: WebAssembly.Memory;
  readonly #kernel: Kernel;
  #list: Uint32Array;
  #rows: Int8Array;
  #products: Int32Array;
  #query: QueryVector | undefined;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel) {
    this.#memory = memory;
    this.#kernel = kernel;
    this.#list = new Uint32Array(memory.buffer, LIST_AT, BLOCK_ROWS);
    this.#rows = new Int8Array(memory.buffer, ROWS_AT);
    this.#products = new Int32Array(memory.buffer, PRODUCTS_AT, BLOCK_ROWS);
  }

  /** A memory with room for `rowBytes`; undefined where there is no WebAssembly, no SIMD in it, or no room. */
  static create(rowBytes: number): SimdMemory | undefined {
    const module = kernelModule();
    if (module === undefined) return undefined;
    try {
      const memory = new WebAssembly.Memory({ initial: pagesFor(rowBytes), maximum: PAGES_MAX });
      const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports;
      return isKernel(kernel) ? new SimdMemory(memory, kernel) : undefined;
    } catch (error) {
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** The rows' bytes. Valid until the next {@link reserve}. */
  get rows(): Int8Array {
    return this.#rows;
  }

  /** Room for the numbers of {@link BLOCK_ROWS} rows, for {@link listed}. Valid until the next {@link reserve}. */
  get list(): Uint32Array {
    return this.#list;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Makes room for `rowBytes`; false if there is none. The rows keep their contents. */
  reserve(rowBytes: number): boolean {
    const missing = pagesFor(rowBytes) - this.#memory.buffer.byteLength / PAGE_BYTES;
    if (missing <= 0) return true;
    try {
      this.#memory.grow(missing);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    this.#list = new Uint32Array(this.#memory.buffer, LIST_AT, BLOCK_ROWS);
    this.#rows = new Int8Array(this.#memory.buffer, ROWS_AT);
    this.#products = new Int32Array(this.#memory.buffer, PRODUCTS_AT, BLOCK_ROWS);
    return true;
  }

  /**
   * Inner products of the query with `count` rows (at most {@link BLOCK_ROWS}) of `stride` bytes, from row `first` on. The
   * memory must reach {@link KERNEL_ROWS} - 1 rows further than they. The answer is valid until the next call.
   */
  products(query: QueryVector, first: number, count: number, stride: number): Int32Array {
    this.#take(query);
    this.#kernel.products(0, ROWS_AT + first * stride, count, stride, PRODUCTS_AT);
    return this.#products;
  }

  /** The same with the first `count` rows of {@link list}, wherever they are. */
  listed(query: QueryVector, count: number, stride: number): Int32Array {
    this.#take(query);
    this.#fillFour(count);
    this.#kernel.listed(0, ROWS_AT, LIST_AT, count, stride, PRODUCTS_AT);
    return this.#products;
  }

  /** The same with row `row` in the place of the query. */
  listedByRow(row: number, count: number, stride: number): Int32Array {
    this.#fillFour(count);
    this.#kernel.listedByRow(ROWS_AT + row * stride, ROWS_AT, LIST_AT, count, stride, PRODUCTS_AT);
    return this.#products;
  }

  #take(query: QueryVector): void {
    if (this.#query === query) return;
    new Int16Array(this.#memory.buffer, 0, query.codes.length).set(query.codes);
    this.#query = query;
  }

  /** The kernel takes four at a time: what stood there before may be no row any more. */
  #fillFour(count: number): void {
    for (let i = count; i % KERNEL_ROWS !== 0; i++) this.#list[i] = 0;
  }
}

/** Most rows that one call of {@link SimdMemory.products} takes. */
export const BLOCK_ROWS = 1024;
/** Rows that the kernel takes at a time: it reads up to one less beyond the end. */
export const KERNEL_ROWS = 4;

/** See `tools/simd/scan-kernel.wat`. */
interface Kernel {
  products(query: number, row: number, count: number, stride: number, products: number): void;
  listed(query: number, rows: number, list: number, count: number, stride: number, products: number): void;
  listedByRow(row: number, rows: number, list: number, count: number, stride: number, products: number): void;
}

/** Addresses of the query, the products, the list and the rows; the first leaves room for 4,096 codes of 16 bits. */
const PRODUCTS_AT = 8192;
const LIST_AT = 12_288;
const ROWS_AT = 16_384;

const PAGE_BYTES = 65_536;
/** 2 GiB: the kernel may then add a few rows to any address without leaving 32 bits. */
const PAGES_MAX = 32_768;

function pagesFor(rowBytes: number): number {
  return Math.ceil((ROWS_AT + rowBytes) / PAGE_BYTES);
}

let module: WebAssembly.Module | undefined | "not tried yet" = "not tried yet";

/** Compiled once a process. */
function kernelModule(): WebAssembly.Module | undefined {
  if (module === "not tried yet") module = compileKernel();
  return module;
}

function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(SCAN_KERNEL_BASE64, "base64"));
  } catch {
    // No WebAssembly here, or one without SIMD: the caller has a plain loop that gives the same numbers.
    return undefined;
  }
}

/** The boundary to WebAssembly: what its functions take is known from their source, and checked there by a test. */
function isKernel(exported: unknown): exported is Kernel {
  return typeof exported === "object" && exported !== null && "listedByRow" in exported;
}
