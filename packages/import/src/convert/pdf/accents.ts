import { unicodeForm } from "@loredex/core";
import type { Glyph } from "./ink.ts";

/** Accents that old fonts draw over a separate letter, with their combining marks. */
const COMBINING: Readonly<Record<string, string>> = {
  "`": "\u0300",
  "´": "\u0301",
  ˆ: "\u0302",
  "˜": "\u0303",
  "¯": "\u0304",
  "˘": "\u0306",
  "˙": "\u0307",
  "¨": "\u0308",
  "˚": "\u030a",
  "˝": "\u030b",
  ˇ: "\u030c",
  "¸": "\u0327",
  "˛": "\u0328",
};

/** Composes an accent and the letter below it to one character. */
export function accented(glyphs: readonly Glyph[]): Glyph[] {
  const out: Glyph[] = [];
  for (let i = 0; i < glyphs.length; i++) {
    const glyph = glyphs[i];
    const next = glyphs[i + 1];
    if (glyph === undefined) continue;
    const joined = next && (over(glyph, next) ?? over(next, glyph));
    if (joined === undefined) {
      out.push(glyph);
      continue;
    }
    out.push(joined);
    i++;
  }
  return out;
}

function over(accent: Glyph, letter: Glyph): Glyph | undefined {
  const mark = COMBINING[accent.text];
  if (mark === undefined || !/^\p{L}$/u.test(letter.text)) return undefined;
  const apart = Math.abs(accent.x + accent.width / 2 - (letter.x + letter.width / 2));
  if (apart > 0.3 * Math.max(accent.width, letter.width)) return undefined;
  const base = letter.text === "ı" ? "i" : letter.text;
  return { ...letter, text: unicodeForm(base + mark, "NFC") };
}
