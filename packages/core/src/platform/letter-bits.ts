/** The letters of a text as a set of 32 bits. The sets of two texts bound their difference from below, without reading either. */

/** The set of the first `length` letters: a to z have their own bit, all others share by their code. */
export function letterBits(text: string, length = text.length): number {
  let letters = 0;
  for (let i = 0; i < length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

/** The number of set bits of a 32-bit word. */
export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Whether more than `count` bits are set. For a small `count` it is quicker than counting. */
export function hasMoreBits(bits: number, count: number): boolean {
  let left = bits;
  for (let i = 0; i < count; i++) left &= left - 1;
  return left !== 0;
}
