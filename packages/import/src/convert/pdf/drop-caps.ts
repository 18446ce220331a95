import type { Segment } from "./segments.ts";

const INITIAL = /^["“„«‘']?\p{Lu}$/u;
/** Minimum size of a drop cap, in sizes of the text beside it. */
const CAP_MIN = 1.8;
/** Maximum gap between the drop cap and the lines beside it, in sizes of the text. */
const GAP_MAX = 1.2;
const LINES_MIN = 2;
/** Minimum gap after a word of one letter, in sizes of the text: a space follows it. */
const WORD_GAP = 0.4;
const CAPS_A_PAGE_MAX = 20;

/** Joins each drop cap with the word that it begins, and widens the lines beside it to the paragraph's width. */
export function withDropCaps(segments: readonly Segment[]): Segment[] {
  const caps = segments.filter(({ text }) => INITIAL.test(text)).slice(0, CAPS_A_PAGE_MAX);
  let out = [...segments];
  for (const cap of caps) {
    const beside = segments.filter((each) => isBeside(cap, each)).sort((a, b) => a.y - b.y);
    const [first] = beside;
    if (first === undefined || beside.length < LINES_MIN) continue;
    const isWord = /[AIOÀYEÉ]$/.test(cap.text) && first.x0 - cap.x1 > WORD_GAP * first.size;
    out = out.flatMap((each) => {
      if (each === cap) return [];
      if (each === first) return [{ ...each, x0: cap.x0, text: `${cap.text}${isWord ? " " : ""}${each.text}` }];
      return [beside.includes(each) ? { ...each, x0: cap.x0 } : each];
    });
  }
  return out;
}

function isBeside(cap: Segment, { x0, y, size, text }: Segment): boolean {
  const gap = x0 - cap.x1;
  const isLevel = y > cap.y - 0.95 * cap.size && y < cap.y + 0.3 * size;
  return size * CAP_MIN <= cap.size && isLevel && gap > -0.3 * size && gap < GAP_MAX * size && text.length > 10;
}
