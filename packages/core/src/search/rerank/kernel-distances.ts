import { MAX_SIM_KERNEL_BASE64 } from "./max-sim-kernel.ts";

/**
 * A WebAssembly memory for the tokens of one question and of one text, and the kernel that compares them. The numbers are those of
 * `plainLeastDistances`.
 *
 * The memory is laid out as: the question's tokens, the distances, the text's tokens; each token is filled up with zeros to a multiple of 16 bytes.
 */
export class KernelDistances {
  readonly #kernel: Kernel;
  readonly #bytes: Uint8Array;
  readonly #distances: Uint16Array;

  private constructor(memory: WebAssembly.Memory, kernel: Kernel) {
    this.#kernel = kernel;
    this.#bytes = new Uint8Array(memory.buffer);
    this.#distances = new Uint16Array(memory.buffer, DISTANCES_AT, DISTANCES_MAX);
  }

  /** Undefined where there is no WebAssembly, or no room. */
  static create(): KernelDistances | undefined {
    try {
      const module = new WebAssembly.Module(Buffer.from(MAX_SIM_KERNEL_BASE64, "base64"));
      const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
      const kernel = new WebAssembly.Instance(module, { env: { memory } }).exports.leastDistances;
      return isKernel(kernel) ? new KernelDistances(memory, kernel) : undefined;
    } catch {
      return undefined;
    }
  }

  /** As `plainLeastDistances`; false, and nothing done, where there are more tokens than the memory has room for. */
  leastDistances(question: Uint8Array, tokenCodes: Uint8Array, bytes: number, out: Uint16Array): boolean {
    const stride = Math.ceil(bytes / STRIDE_STEP) * STRIDE_STEP;
    const asked = question.length / bytes;
    const questionEnd = asked * stride;
    const tokenCodesEnd = TOKEN_CODES_AT + (tokenCodes.length / bytes) * stride;
    if (asked > DISTANCES_MAX || questionEnd > DISTANCES_AT || tokenCodesEnd > this.#bytes.length) return false;
    this.#fill(0, question, bytes, stride);
    this.#fill(TOKEN_CODES_AT, tokenCodes, bytes, stride);
    this.#kernel(0, questionEnd, TOKEN_CODES_AT, tokenCodesEnd, stride, bytes * 8, DISTANCES_AT);
    out.set(this.#distances.subarray(0, asked));
    return true;
  }

  #fill(at: number, tokens: Uint8Array, bytes: number, stride: number): void {
    if (bytes === stride) this.#bytes.set(tokens, at);
    else {
      for (let from = 0, to = at; from < tokens.length; from += bytes, to += stride) {
        this.#bytes.set(tokens.subarray(from, from + bytes), to);
        this.#bytes.fill(0, to + bytes, to + stride);
      }
    }
  }
}

type Kernel = (
  question: number,
  questionEnd: number,
  tokenCodes: number,
  tokenCodesEnd: number,
  bytes: number,
  most: number,
  out: number,
) => void;

/** The kernel takes so many bytes at a time. */
const STRIDE_STEP = 16;
/** Room for 64 tokens of a question with 1,024 token codes. */
const DISTANCES_AT = 8_192;
/** Room for as many as there are tokens with 128 token codes. */
const DISTANCES_MAX = 512;
const TOKEN_CODES_AT = DISTANCES_AT + DISTANCES_MAX * 2;
/** 128 KiB: room for 512 tokens of a text with 1,024 token codes, and more. */
const PAGES = 2;

/** The boundary to WebAssembly: what its one function takes is known from its source, and checked there by a test. */
function isKernel(exported: unknown): exported is Kernel {
  return typeof exported === "function";
}
