import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { Semaphore } from "@loredex/core";
import type { Coding } from "./accepted-coding.ts";

/** Answers that are being compressed at once, above which others are sent as they are. */
const CODERS_MAX = 64;
/** Pieces that are in work at once. The disk is reached through the same few threads, and must never wait for many of these. */
const PIECES_MAX = 2;

/** About what one of them holds while it is open, in bytes. */
export const CODER_BYTES = 262_144;

/** Compresses one answer, a piece after the other. */
export interface Coder {
  readonly coding: Coding;
  /** What can be sent when this piece was taken in; perhaps nothing yet. */
  code(piece: Buffer): Promise<Buffer>;
  /** The same of the last piece, with all that is left. */
  finish(piece: Buffer): Promise<Buffer>;
  /** Lets go what it holds. To be called in any case; nothing happens the second time. */
  close(): void;
}

/** Compresses answers within bounds, beside the event loop. Answers beyond the bounds are sent uncompressed. */
export class Compressor {
  readonly #pieces = new Semaphore(PIECES_MAX);
  #coders = 0;

  /** Undefined if {@link CODERS_MAX} answers are being compressed. */
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
            // A coder that is closed in the middle of a piece has nothing more to say.
            stream.once("error", reject).once("close", settle);
            // A coder that was closed while it waited would never say that it is done.
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

/** The quickest of each: the slowest that a server would choose make a tenth less of a text, in four to nine times the time. */
const GZIP = { level: 1, windowBits: 14, memLevel: 7 };
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 16 } };
