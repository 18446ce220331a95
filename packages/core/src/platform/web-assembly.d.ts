/** The few parts of WebAssembly that the kernels use. Node.js has them; TypeScript declares them for browsers only. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    /** Replaced, and the old one emptied, when the memory grows. */
    readonly buffer: ArrayBuffer;
    /** Grows by pages of 64 KiB. Throws a `RangeError` if there is no memory. */
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: { env: { memory: Memory } });
    readonly exports: Readonly<Record<string, unknown>>;
  }
}
