import type { Typography } from "./block.ts";
import { Outline } from "./outline.ts";
import type { Segment } from "./segments.ts";

/** Minimum length of running text. Nearly all of its lines are longer, in columns too. */
const PROSE_CHARACTERS_MIN = 30;

/** Finds the most common look of the document's letters. */
export function typographyOf(pages: readonly (readonly Segment[])[], outline: Outline = new Outline([])): Typography {
  const sizes = new Map<number, number>();
  let all = 0;
  let bold = 0;
  let mono = 0;
  for (const segments of pages) {
    for (const { text, size, isBold, isMono } of segments) {
      const key = Math.round(size * 2) / 2;
      // code and the cells of tables are often set smaller than the text that they stand in
      const isText = !isMono && text.length >= PROSE_CHARACTERS_MIN;
      sizes.set(key, (sizes.get(key) ?? 0) + text.length * (isText ? 1 : 0.3));
      all += text.length;
      if (isBold) bold += text.length;
      if (isMono) mono += text.length;
    }
  }
  const [bodySize = 10] = [...sizes].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [10, 0]);
  return { bodySize, outline, isBodyBold: bold > 0.5 * all, isBodyMono: mono > 0.6 * all };
}
