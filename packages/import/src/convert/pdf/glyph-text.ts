import { unicodeForm } from "@loredex/core";

/** Decodes a glyph from the text that the file gives for it. */

/** Bullets of symbol fonts, which files give as private use characters. */
const PRIVATE: Readonly<Record<number, string>> = {
  61607: "▪",
  61608: "◦",
  61623: "•",
  61656: "▸",
  61664: "→",
  61672: "→",
  61692: "✓",
  61485: "-",
  61548: "•",
  61550: "▪",
  61551: "◦",
  61553: "▪",
  61558: "•",
};

/** Ligatures by their positions in old and new TeX fonts: files without a letter mapping give the bare numbers. */
const TEX_LIGATURES: Readonly<Record<number, string>> = {
  11: "ff",
  12: "fi",
  13: "fl",
  14: "ffi",
  15: "ffl",
  27: "ff",
  28: "fi",
  29: "fl",
  30: "ffi",
  31: "ffl",
};

export interface GlyphText {
  readonly text: string;
  /** True if no letter is known for it. */
  readonly isUnmapped: boolean;
}

const NOTHING: GlyphText = { text: "", isUnmapped: false };
const UNMAPPED: GlyphText = { text: "", isUnmapped: true };

/** Splits ligatures, and replaces Arabic presentation forms by letters as typed. `isDrawn`: the page draws the font's letters. */
export function glyphText(given: string, isDrawn = false): GlyphText {
  if (given.length === 1) {
    const code = given.charCodeAt(0);
    if (code > 0x20 && code < 0x7f) return { text: given, isUnmapped: false };
    if (code === 0x20 || code === 0xa0 || (code >= 0x2000 && code <= 0x200a) || code === 0x202f) {
      return { text: " ", isUnmapped: false };
    }
  }
  let text = "";
  for (const character of given) {
    const code = character.codePointAt(0) ?? 0;
    const ligature = given.length === 1 && isDrawn ? TEX_LIGATURES[code] : undefined;
    if (ligature !== undefined) text += ligature;
    else if (code === 9 || code === 10 || code === 13) text += " ";
    else if (code < 0x20 || code === 0xfffd || (code >= 0x7f && code < 0xa0)) return UNMAPPED;
    else if (code >= 0xe000 && code <= 0xf8ff) {
      const known = PRIVATE[code];
      if (known === undefined) return UNMAPPED;
      text += known;
    } else if (isPresentationForm(code)) text += unicodeForm(character, "NFKC");
    else if (!isIgnorable(code)) text += character;
  }
  return text === "" ? NOTHING : { text, isUnmapped: false };
}

function isPresentationForm(code: number): boolean {
  return (code >= 0xfb00 && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc);
}

/** True for marks of direction and joining, and the byte order mark. The soft hyphen stays: it tells that a word continues. */
function isIgnorable(code: number): boolean {
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) || code === 0xfeff;
}
