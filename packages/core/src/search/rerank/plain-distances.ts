import { bitCount } from "../../platform/letter-bits.ts";

/**
 * The least Hamming distance of each question token to a token of a text, without WebAssembly.
 * Both arrays are whole tokens, `bytes` each, one after the other.
 * @param out gets one distance for each token of the question; `8 * bytes` if the text has no tokens
 */
export function plainLeastDistances(question: Uint8Array, codes: Uint8Array, bytes: number, out: Uint16Array): void {
  const width = Math.ceil(bytes / WORD_BYTES);
  const asked = wordsOf(question, bytes, width);
  const held = wordsOf(codes, bytes, width);
  for (let token = 0, from = 0; from < asked.length; token++, from += width) {
    let least = bytes * 8;
    for (let at = 0; at < held.length; at += width) {
      let distance = 0;
      for (let word = 0; word < width; word++) {
        distance += bitCount((asked[from + word] as number) ^ (held[at + word] as number));
      }
      if (distance < least) least = distance;
    }
    out[token] = least;
  }
}

const WORD_BYTES = 4;

/** The tokens as words of 32 bits. The last word of each is padded with zeros. */
function wordsOf(codes: Uint8Array, bytes: number, width: number): Int32Array {
  const tokens = codes.length / bytes;
  const words = new Int32Array(tokens * width);
  const filled = new Uint8Array(words.buffer);
  if (bytes === width * WORD_BYTES) filled.set(codes);
  else {
    for (let i = 0; i < tokens; i++) filled.set(codes.subarray(i * bytes, (i + 1) * bytes), i * width * WORD_BYTES);
  }
  return words;
}
