import type { Glyph, InkedPage, LinkField, Rule } from "./ink.ts";
import type { DrawnGlyph, DrawnPage } from "./page-walk.ts";

/** Rotates the page so that most of its text is upright. Text in another direction, such as a watermark or a stamp in the margin, is left out. */
export function upright(
  drawn: DrawnPage,
  size: { readonly width: number; readonly height: number },
  links: readonly LinkField[] = [],
): InkedPage {
  const turns = mostTurns(drawn.glyphs);
  const isSideways = turns % 2 === 1;
  const turned = turning(turns, size);
  const glyphs: Glyph[] = [];
  for (const glyph of drawn.glyphs) {
    if (glyph.turns !== turns) continue;
    // most pages stand upright: a page has thousands of glyphs
    const [x, y] = turns === 0 ? [glyph.x, glyph.y] : turned(glyph.x, glyph.y);
    glyphs.push({
      text: glyph.text,
      x,
      y,
      width: glyph.width,
      size: glyph.size,
      font: glyph.font.style,
      link: linkOf(glyph, links),
    });
  }
  const rules = drawn.rules.map(({ x0, y0, x1, y1 }): Rule => {
    const [ax, ay] = turned(x0, y0);
    const [bx, by] = turned(x1, y1);
    return { x0: Math.min(ax, bx), x1: Math.max(ax, bx), y0: Math.min(ay, by), y1: Math.max(ay, by) };
  });
  return {
    width: isSideways ? size.height : size.width,
    height: isSideways ? size.width : size.height,
    glyphs,
    rules,
    unmapped: drawn.unmapped,
    hasPictures: drawn.hasPictures,
    lacksFont: drawn.lacksFont,
  };
}

/** Finds the link of a glyph. A link field covers its lines, and often a little of those above and below. */
function linkOf({ x, y, width, size }: DrawnGlyph, links: readonly LinkField[]): string | undefined {
  if (links.length === 0) return undefined;
  const [middle, height] = [x + width / 2, y - 0.25 * size];
  return links.find(({ x0, x1, y0, y1 }) => middle >= x0 && middle <= x1 && height >= y0 && height <= y1)?.sign;
}

function mostTurns(glyphs: readonly DrawnGlyph[]): number {
  const counts = [0, 0, 0, 0];
  for (const { turns, text } of glyphs) {
    if (turns !== undefined && text !== " ") counts[turns] = (counts[turns] ?? 0) + 1;
  }
  return counts.indexOf(Math.max(...counts));
}

function turning(
  turns: number,
  { width, height }: { readonly width: number; readonly height: number },
): (x: number, y: number) => readonly [number, number] {
  if (turns === 1) return (x, y) => [y, width - x];
  if (turns === 2) return (x, y) => [width - x, height - y];
  if (turns === 3) return (x, y) => [height - y, x];
  return (x, y) => [x, y];
}
