import type { SummedRows } from "./plain-rows.ts";
import { ROWS_KERNEL_BASE64 } from "./rows-kernel.ts";

/**
 * Rows in a WebAssembly memory, summed by a SIMD kernel (`tools/simd/rows-kernel.wat`).
 *
 * ```text
 *      0  sums: up to 4,096 components, f64
 * 32,768  addresses of the rows of one block: 1,024, i32
 * 36,864  factors of the rows of one block: 1,024, f64
 * 45,056  rows, int8
 * ```
 */
export class SimdRows implements SummedRows {
  readonly #kernel: Kernel;
  readonly #width: number;
  readonly #sum: Float64Array;
  readonly #addresses: Int32Array;
  readonly #factors: Float64Array;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel, rows: Int8Array, width: number) {
    this.#kernel = kernel;
    this.#width = width;
    this.#sum = new Float64Array(memory.buffer, 0, width);
    this.#addresses = new Int32Array(memory.buffer, ADDRESSES_AT, BLOCK_ROWS);
    this.#factors = new Float64Array(memory.buffer, FACTORS_AT, BLOCK_ROWS);
    new Int8Array(memory.buffer, ROWS_AT).set(rows);
  }

  /** Copies `rows` into a new memory. Undefined where WebAssembly, its SIMD or memory is missing, and for a width that the kernel does not take. */
  static create(rows: Int8Array, width: number): SimdRows | undefined {
    if (width % COMPONENTS_AT_ONCE !== 0 || width > WIDTH_MAX) return undefined;
    try {
      const module = new WebAssembly.Module(Buffer.from(ROWS_KERNEL_BASE64, "base64"));
      const pages = Math.ceil((ROWS_AT + rows.length) / PAGE_BYTES);
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports.addRows;
      return isKernel(kernel) ? new SimdRows(memory, kernel, rows, width) : undefined;
    } catch {
      return undefined;
    }
  }

  sumOf(numbers: Uint32Array, factorOf: (row: number) => number): Float64Array {
    this.#sum.fill(0);
    for (let from = 0; from < numbers.length; from += BLOCK_ROWS) {
      const count = Math.min(BLOCK_ROWS, numbers.length - from);
      for (let i = 0; i < count; i++) {
        const row = numbers[from + i] as number;
        this.#addresses[i] = ROWS_AT + row * this.#width;
        this.#factors[i] = factorOf(row);
      }
      this.#kernel(ADDRESSES_AT, FACTORS_AT, count, this.#width, 0);
    }
    return this.#sum;
  }
}

/** Rows of one call of the kernel. It is a multiple of four, so that four rows that are added together are always in one call. */
const BLOCK_ROWS = 1024;
const COMPONENTS_AT_ONCE = 8;
const WIDTH_MAX = 4096;

type Kernel = (addresses: number, factors: number, count: number, width: number, sums: number) => void;
const ADDRESSES_AT = WIDTH_MAX * 8;
const FACTORS_AT = ADDRESSES_AT + BLOCK_ROWS * 4;
const ROWS_AT = FACTORS_AT + BLOCK_ROWS * 8;
const PAGE_BYTES = 65_536;

/** The boundary to WebAssembly. A test of the kernel's source checks the parameters of its one function. */
function isKernel(exported: unknown): exported is Kernel {
  return typeof exported === "function";
}
