import { MAX_SIM_KERNEL_BASE64 } from "./max-sim-kernel.ts";

/**
 * A WebAssembly kernel that compares the tokens of a question with those of a text, and its memory. It gives the numbers of `plainLeastDistances`.
 *
 *     byte 0        DISTANCES_AT   TOKEN_CODES_AT                  end
 *     ├─ question   ├─ distances   ├─ tokens of the text           ┤
 *
 * Each token is padded with zeros to a multiple of 16 bytes.
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

  /** Compiles the kernel. Undefined if WebAssembly or its memory is not available. */
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

  /** As `plainLeastDistances`. Returns false, and does nothing, if the tokens do not fit into the memory. */
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

/** Bytes that the kernel reads at a time. */
const STRIDE_STEP = 16;
/** Space for 64 question tokens of 1,024 bits, at 128 bytes each. */
const DISTANCES_AT = 8_192;
/** The maximum number of question tokens: as many as fit with 128 bits each. */
const DISTANCES_MAX = 512;
const TOKEN_CODES_AT = DISTANCES_AT + DISTANCES_MAX * 2;
/** 128 KiB: enough for 512 tokens of a text with 1,024 bits each, and more. */
const PAGES = 2;

/** The boundary to WebAssembly. The signature of its one function is known from its source, where a test checks it. */
function isKernel(exported: unknown): exported is Kernel {
  return typeof exported === "function";
}
