import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { Semaphore } from "@loredex/core";
import type { Coding } from "./accepted-coding.ts";

/** The most answers that are compressed at once. Beyond it, answers are sent uncompressed. */
const CODERS_MAX = 64;
/** The most pieces that are compressed at once. Disk I/O uses the same few threads, and must never wait for many of them. */
const PIECES_MAX = 2;

/** The approximate memory of an open coder, in bytes. */
export const CODER_BYTES = 262_144;

/** Compresses one answer, piece by piece. */
export interface Coder {
  readonly coding: Coding;
  /** Compresses a piece. Resolves with the bytes that can be sent; perhaps none yet. */
  code(piece: Buffer): Promise<Buffer>;
  /** Compresses the last piece. Resolves with all remaining bytes. */
  finish(piece: Buffer): Promise<Buffer>;
  /** Frees the coder. It must be called in any case. Idempotent. */
  close(): void;
}

/** Compresses answers within bounds, beside the event loop. Answers beyond the bounds are sent uncompressed. */
export class Compressor {
  readonly #pieces = new Semaphore(PIECES_MAX);
  #coders = 0;

  /** Begins to compress an answer; undefined if {@link CODERS_MAX} answers are being compressed. */
  begin(coding: Coding): Coder | undefined {
    if (this.#coders >= CODERS_MAX) return undefined;
    this.#coders++;
    const stream = coding === "br" ? createBrotliCompress(BROTLI) : createGzip(GZIP);
    let made: Buffer[] = [];
    const taken = (): Buffer => {
      const all = made;
      made = [];
      return all.length === 1 && all[0] !== undefined ? all[0] : Buffer.concat(all);
    };
    stream.on("data", (piece: Buffer) => made.push(piece));
    const work = (start: (done: () => void) => void): Promise<Buffer> =>
      this.#pieces.run(
        () =>
          new Promise((resolve, reject) => {
            const settle = (): void => {
              stream.off("error", reject).off("close", settle);
              resolve(taken());
            };
            // A coder that is closed in the middle of a piece produces nothing more.
            stream.once("error", reject).once("close", settle);
            // A coder that was closed while it waited would never report that it is done.
            if (stream.destroyed) settle();
            else start(settle);
          }),
      );
    let isOpen = true;
    return {
      coding,
      code: (piece) => work((done) => stream.write(piece, done)),
      finish: (piece) => work((done) => stream.once("end", done).end(piece)),
      close: () => {
        if (!isOpen) return;
        isOpen = false;
        this.#coders--;
        stream.destroy();
      },
    };
  }
}

/** The fastest level of each. The slowest levels that a server would choose make a text a tenth smaller, in four to nine times the time. */
const GZIP = { level: 1, windowBits: 14, memLevel: 7 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 } };
