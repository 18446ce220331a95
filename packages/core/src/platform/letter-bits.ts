/** Which letters a text has, one bit for each: what two texts differ in at least is told without reading either. */

/** Of the first `length` letters: a to z have their own bit, all others share by their code. */
export function letterBits(text: string, length = text.length): number {
  let letters = 0;
  for (let i = 0; i < length; i++) letters |= 1 << (text.charCodeAt(i) & 31);
  return letters;
}

export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Whether so many bits are set and more, for few: quicker than counting them. */
export function hasMoreBits(bits: number, count: number): boolean {
  let left = bits;
  for (let i = 0; i < count; i++) left &= left - 1;
  return left !== 0;
}
