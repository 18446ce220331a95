import { crc32 } from "node:zlib";
import { LoredexError } from "../model/errors.ts";
import type { Sliced } from "../scheduling/time-slices.ts";

/**
 * The table of the language detector: n-grams of bytes with their scores for languages. As a file, little-endian, with numbers after the header in groups of
 * 7 bits (LEB128):
 *
 *     | magic: u32 | crc of all after it: u32 | languages: u32 | n-grams: u32 | pairs: u32 |
 *     for each language: its tag in two letters, | average score in thousandths: u16 |
 *     for each n-gram, in rising order: its number minus the previous one, | languages: u8 |
 *         for each of them: | language: u8 | score: u8 |
 *
 * The number of an n-gram is its bytes, the first one highest: at most {@link NGRAM_BYTES_MAX}, and none is 0.
 */
export interface NgramTable {
  readonly languages: readonly NgramLanguage[];
  /** Numbers of the n-grams, in rising order. */
  readonly ngrams: Float64Array;
  /** By n-gram: the start of its pairs. One more entry holds the end of the last ones. */
  readonly starts: Uint32Array;
  /** Pairs of a language and its score, one after the other. */
  readonly pairs: Uint8Array;
}

/** A language of the table. */
export interface NgramLanguage {
  readonly tag: string;
  /** The average score of texts in it that are detected correctly. */
  readonly averageScore: number;
}

export const NGRAM_BYTES_MAX = 6;

const MAGIC = 0x314c_474e;
const HEADER_BYTES = 20;
const LANGUAGE_BYTES = 4;
/** The first byte that the checksum covers. */
const CHECKED_FROM = 8;
const THOUSANDTHS = 1_000;
/** N-grams between two yields. */
const SLICE_NGRAMS = 8_192;

/** Reads a table in time slices. @throws LoredexError `CORRUPT` if the bytes are damaged */
export function* readNgramTable(file: Uint8Array): Sliced<NgramTable> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (
    file.length < HEADER_BYTES ||
    view.getUint32(0, true) !== MAGIC ||
    view.getUint32(4, true) !== crc32(file.subarray(CHECKED_FROM))
  ) {
    throw new LoredexError("CORRUPT", "The table of languages is damaged; install @loredex/core again.");
  }
  const languages = Array.from({ length: view.getUint32(8, true) }, (_, i): NgramLanguage => {
    const at = HEADER_BYTES + i * LANGUAGE_BYTES;
    const tag = String.fromCharCode(view.getUint8(at), view.getUint8(at + 1));
    return { tag, averageScore: view.getUint16(at + 2, true) / THOUSANDTHS };
  });
  const ngrams = new Float64Array(view.getUint32(12, true));
  const starts = new Uint32Array(ngrams.length + 1);
  const pairs = new Uint8Array(view.getUint32(16, true) * 2);
  // In bounds: the checksum says that the file is as it was written.
  let at = HEADER_BYTES + languages.length * LANGUAGE_BYTES;
  let [number, filled] = [0, 0];
  for (let i = 0; i < ngrams.length; i++) {
    if (i > 0 && i % SLICE_NGRAMS === 0) yield;
    // Up to 48 bits, more than a shift can hold.
    for (let unit = 1, byte = 128; byte > 127; unit *= 128) {
      byte = file[at++] as number;
      number += (byte & 127) * unit;
    }
    ngrams[i] = number;
    for (let left = (file[at++] as number) * 2; left > 0; left--) pairs[filled++] = file[at++] as number;
    starts[i + 1] = filled;
  }
  return { languages, ngrams, starts, pairs };
}

/** Encodes a table as a file. */
export function writtenNgramTable({ languages, ngrams, starts, pairs }: NgramTable): Uint8Array {
  const bytes: number[] = [];
  for (const { tag, averageScore } of languages) {
    const thousandths = Math.round(averageScore * THOUSANDTHS);
    bytes.push(tag.charCodeAt(0), tag.charCodeAt(1), thousandths & 255, thousandths >> 8);
  }
  let before = 0;
  for (const [i, number] of ngrams.entries()) {
    let left = number - before;
    for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
    const own = pairs.subarray(starts[i], starts[i + 1]);
    bytes.push(left, own.length / 2, ...own);
    before = number;
  }
  const file = Buffer.alloc(HEADER_BYTES + bytes.length);
  file.writeUInt32LE(MAGIC, 0);
  file.writeUInt32LE(languages.length, 8);
  file.writeUInt32LE(ngrams.length, 12);
  file.writeUInt32LE(pairs.length / 2, 16);
  file.set(bytes, HEADER_BYTES);
  file.writeUInt32LE(crc32(file.subarray(CHECKED_FROM)), 4);
  return file;
}
