/**
 * Texts of one and the same FNV-1a hash, all 32 bits of it: two for each block are 2^blocks of them. A block is some letters and digits; there are
 * always two that bring the hash from the same state to the same state. Whoever begins with another state finds such texts as quickly.
 */
export function sameByFnv(blocks: number, letters: number): string[] {
  let words = [""];
  let state = 0x811c9dc5;
  for (let left = blocks; left > 0; left--) {
    const byState = new Map<number, string>();
    for (let number = 0; ; number++) {
      const block = blockOf(number, letters);
      let next = state;
      for (let at = 0; at < letters; at++) next = Math.imul(next ^ block.charCodeAt(at), 0x01000193);
      const other = byState.get(next);
      if (other !== undefined) {
        words = words.flatMap((word) => [word + other, word + block]);
        state = next;
        break;
      }
      byState.set(next, block);
    }
  }
  return words;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

function blockOf(number: number, length: number): string {
  let block = "";
  for (let rest = number * SCATTER; block.length < length; rest = Math.floor(rest / LETTERS.length)) {
    block += LETTERS[rest % LETTERS.length] ?? "";
  }
  return block;
}

/** Odd and no multiple of 3, so that no block comes twice; large, so that blocks that follow each other have little in common. */
const SCATTER = 1_000_003;
