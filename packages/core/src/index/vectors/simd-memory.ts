import type { QueryVector } from "./codes.ts";
import { SCAN_KERNEL_BASE64 } from "./scan-kernel.ts";

/**
 * Rows of codes in a WebAssembly memory, with the SIMD kernel that multiplies a query with them.
 *
 * ```text
 *      0  query: up to 4,096 codes, i16
 *  8,192  products of one block: 1,024, i32
 * 12,288  list of row numbers: 1,024, u32
 * 16,384  rows, int8
 * ```
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

  /** A memory for `rowBytes` of rows; undefined where WebAssembly or its SIMD is missing, or no memory is left. */
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

  /** The bytes of the rows. Valid until the next {@link reserve}. */
  get rows(): Int8Array {
    return this.#rows;
  }

  /** The caller writes up to {@link BLOCK_ROWS} row numbers here for {@link listed}. Valid until the next {@link reserve}. */
  get list(): Uint32Array {
    return this.#list;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Grows the memory to `rowBytes` of rows; false if there is no memory. The rows keep their contents. */
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
   * memory must reach {@link KERNEL_ROWS} - 1 rows beyond the last. The result is valid until the next call.
   */
  products(query: QueryVector, first: number, count: number, stride: number): Int32Array {
    this.#take(query);
    this.#kernel.products(0, ROWS_AT + first * stride, count, stride, PRODUCTS_AT);
    return this.#products;
  }

  /** {@link products} with the first `count` rows of {@link list}, in their order. */
  listed(query: QueryVector, count: number, stride: number): Int32Array {
    this.#take(query);
    this.#fillFour(count);
    this.#kernel.listed(0, ROWS_AT, LIST_AT, count, stride, PRODUCTS_AT);
    return this.#products;
  }

  /** {@link listed} with row `row` in the place of the query. */
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

  /** Pads the list to whole groups of {@link KERNEL_ROWS}: an old number there may point beyond the rows. */
  #fillFour(count: number): void {
    for (let i = count; i % KERNEL_ROWS !== 0; i++) this.#list[i] = 0;
  }
}

/** Most rows of one call of {@link SimdMemory.products}. */
export const BLOCK_ROWS = 1024;
/** Rows that the kernel reads at a time. It reads up to `KERNEL_ROWS` - 1 rows beyond the end. */
export const KERNEL_ROWS = 4;

/** The functions of `tools/simd/scan-kernel.wat`; addresses are in bytes. */
interface Kernel {
  products(query: number, row: number, count: number, stride: number, products: number): void;
  listed(query: number, rows: number, list: number, count: number, stride: number, products: number): void;
  listedByRow(row: number, rows: number, list: number, count: number, stride: number, products: number): void;
}

/** Byte addresses of the products, the list and the rows. The query stands at 0: up to 4,096 codes of 16 bits. */
const PRODUCTS_AT = 8192;
const LIST_AT = 12_288;
const ROWS_AT = 16_384;

const PAGE_BYTES = 65_536;
/** 2 GiB, so that the kernel may add a few rows to any address within 32 bits. */
const PAGES_MAX = 32_768;

function pagesFor(rowBytes: number): number {
  return Math.ceil((ROWS_AT + rowBytes) / PAGE_BYTES);
}

let module: WebAssembly.Module | undefined | "not tried yet" = "not tried yet";

/** The kernel's module, compiled once a process. */
function kernelModule(): WebAssembly.Module | undefined {
  if (module === "not tried yet") module = compileKernel();
  return module;
}

function compileKernel(): WebAssembly.Module | undefined {
  try {
    return new WebAssembly.Module(Buffer.from(SCAN_KERNEL_BASE64, "base64"));
  } catch {
    // WebAssembly or its SIMD is missing: the caller has a plain loop that gives the same numbers.
    return undefined;
  }
}

/** The boundary to WebAssembly. A test of the kernel's source checks the parameters of its functions. */
function isKernel(exported: unknown): exported is Kernel {
  return typeof exported === "object" && exported !== null && "listedByRow" in exported;
}
