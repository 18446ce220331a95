/**
 * In how few bits each token of a question differs from a token of a text, without WebAssembly. Both are whole tokens, `bytes` each, one after the other.
 * `out` gets one number a token of the question; `8 * bytes` where the text has none.
 */
export function plainLeastDistances(question: Uint8Array, signs: Uint8Array, bytes: number, out: Uint16Array): void {
  const width = Math.ceil(bytes / WORD_BYTES);
  const asked = wordsOf(question, bytes, width);
  const held = wordsOf(signs, bytes, width);
  for (let token = 0, from = 0; from < asked.length; token++, from += width) {
    let least = bytes * 8;
    for (let at = 0; at < held.length; at += width) {
      let distance = 0;
      for (let word = 0; word < width; word++) {
        distance += onesIn((asked[from + word] as number) ^ (held[at + word] as number));
      }
      if (distance < least) least = distance;
    }
    out[token] = least;
  }
}

const WORD_BYTES = 4;

/** The tokens in words of 32 bits, the last one of each filled up with zeros. */
function wordsOf(signs: Uint8Array, bytes: number, width: number): Int32Array {
  const tokens = signs.length / bytes;
  const words = new Int32Array(tokens * width);
  const filled = new Uint8Array(words.buffer);
  if (bytes === width * WORD_BYTES) filled.set(signs);
  else {
    for (let i = 0; i < tokens; i++) filled.set(signs.subarray(i * bytes, (i + 1) * bytes), i * width * WORD_BYTES);
  }
  return words;
}

/** The ones among 32 bits: added up in pairs, fours and bytes, and the bytes by one multiplication. */
function onesIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
