import type { FontStyle } from "./ink.ts";
import { IDENTITY, type Matrix, matrixOf } from "./matrix.ts";

/** Facts about a font for the page walk. */
export interface PageFont {
  readonly style: FontStyle;
  /** From the font's units to points of size 1. */
  readonly unit: number;
  /** Apparent size in points at a font size of 1. */
  readonly sizeFactor: number;
  readonly isVertical: boolean;
  /** True if the file lacks the font, and its letters cannot be decoded without it. */
  readonly isMissing: boolean;
  /** True if the page draws its letters: its name tells nothing, and often its letters have no meaning. */
  readonly isDrawn: boolean;
  /** Records the width of a letter. */
  see(text: string, width: number): void;
}

const PLAIN_MATRIX: Matrix = [0.001, 0, 0, 0.001, 0, 0];
const BOLD = /bold|black|heavy|demi|semib|cmbx|cmssbx|cmb\d|[-,]b(?:old)?$|sfbx|ecbx|lmb/i;
const MONO =
  /mono|courier|consol|typewriter|cmtt|cmsltt|cmitt|sltt|ectt|tctt|sftt|lmtt|txtt|pcr[rb]|menlo|inconsol|fixed|ocr|lettergothic|nimbusmon|sourcecode|code/i;

/** Reads a font of pdf.js; missing facts get usual values. */
export function pageFont(font: unknown): PageFont {
  const name = text(field(font, "name"));
  const isType3 = field(font, "isType3Font") === true;
  const matrix = matrixOf(field(font, "fontMatrix")) ?? PLAIN_MATRIX;
  const unit = Math.abs(matrix[0]) || 0.001;
  const widths = new Widths();
  const isNamedMono = MONO.test(name);
  return {
    style: {
      isBold: field(font, "bold") === true || field(font, "black") === true || BOLD.test(name),
      get isMono() {
        return isNamedMono || widths.areEqual;
      },
    },
    unit,
    sizeFactor: isType3 ? drawnSize(font, matrix) : unit * 1000,
    isVertical: field(font, "vertical") === true,
    isMissing: typeof font !== "object",
    isDrawn: isType3,
    see: (text, width) => widths.see(text, width),
  };
}

const NARROW = /^[ijlt.,:;']$/;
const WIDE = /^[mwMWOQ@]$/;
const LETTER = /^[a-zA-Z.,:;'@]$/;

/** Tells if the letters seen so far have equal widths, narrow ones and wide ones alike. */
class Widths {
  #width: number | undefined;
  #hasNarrow = false;
  #hasWide = false;
  #differs = false;

  see(text: string, width: number): void {
    if (this.#differs || !LETTER.test(text)) return;
    this.#width ??= width;
    if (Math.abs(width - this.#width) > 0.02 * this.#width) this.#differs = true;
    this.#hasNarrow ||= NARROW.test(text);
    this.#hasWide ||= WIDE.test(text);
  }

  get areEqual(): boolean {
    return this.#hasNarrow && this.#hasWide && !this.#differs;
  }
}

/** Size of letters that the page draws: they have only their box. */
function drawnSize(font: unknown, matrix: Matrix): number {
  const box = field(font, "bbox");
  const [, bottom = 0, , top = 0] = Array.isArray(box) ? box.map(Number) : [];
  const height = Math.abs(top - bottom) * Math.abs(matrix[3] || IDENTITY[3]);
  return height > 0 && Number.isFinite(height) ? height * 0.9 : Math.abs(matrix[0]) * 1000;
}

export function field(of: unknown, name: string): unknown {
  return typeof of === "object" && of !== null ? Reflect.get(of, name) : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
