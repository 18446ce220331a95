/** The content hash of codes, by which a saved graph finds its vectors again: an integer below 2^53, the same on every machine. */
export function codesHash(codes: Int8Array): number {
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] as number;
    // Two independent multiplicative hashes: an odd multiplier loses nothing, the shift brings high bits down.
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low + code, 0x2c1b3c6d) ^ (low >>> 15);
  }
  return (mixed(high ^ codes.length) & 0x1fffff) * 2 ** 32 + mixed(low);
}

/** Mixes the bits of a hash: every input bit affects all 32 output bits. */
function mixed(hash: number): number {
  let bits = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
