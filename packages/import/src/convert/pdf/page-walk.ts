import { OPS } from "unpdf/pdfjs";
import { glyphText } from "./glyph-text.ts";
import type { Rule } from "./ink.ts";
import { IDENTITY, type Matrix, matrixOf, multiplied, placed } from "./matrix.ts";
import { field, type PageFont, pageFont } from "./page-fonts.ts";

/** A drawn glyph. Its direction is that of its line. */
export interface DrawnGlyph {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font: PageFont;
  /** Quarter turns clockwise; undefined if it is askew. */
  readonly turns: number | undefined;
}

export interface DrawnPage {
  readonly glyphs: readonly DrawnGlyph[];
  readonly rules: readonly Rule[];
  readonly unmapped: number;
  readonly hasPictures: boolean;
  /** True if words are lost because their font could not be read. */
  readonly lacksFont: boolean;
}

/** The page as pdf.js returns it: operators and their arguments. */
export interface Operators {
  readonly fnArray: readonly number[];
  readonly argsArray: readonly unknown[];
}

interface Settings {
  matrix: Matrix;
  font: PageFont;
  fontSize: number;
  letterSpace: number;
  wordSpace: number;
  stretch: number;
  leading: number;
  rise: number;
}

const RULE_THICKNESS_MAX = 2.5;
const RULE_LENGTH_MIN = 8;
/** More glyphs than any page of text has: later ones belong to a picture. */
const GLYPHS_A_PAGE_MAX = 200_000;
const RULES_A_PAGE_MAX = 5_000;
const SAVED_MAX = 10_000;

/** Walks through the drawing operators of a page, and records every glyph and every ruled line. */
export class PageWalk {
  readonly #base: Matrix;
  readonly #fontOf: (name: string) => unknown;
  readonly #fonts: Map<string, PageFont>;
  readonly #glyphs: DrawnGlyph[] = [];
  readonly #rules: Rule[] = [];
  readonly #saved: Settings[] = [];
  #unmapped = 0;
  #hasPictures = false;
  #lacksFont = false;
  #now: Settings;
  #text: Matrix = IDENTITY;
  #x = 0;
  #y = 0;
  #lineX = 0;
  #lineY = 0;

  /**
   * `fonts` holds the fonts of earlier pages by name: facts about a font hold for all pages. `base` maps the page's units to points from its upper left corner.
   */
  constructor(base: Matrix, fontOf: (name: string) => unknown, fonts: Map<string, PageFont>) {
    this.#base = base;
    this.#fonts = fonts;
    this.#fontOf = fontOf;
    this.#now = this.#atFirst();
  }

  walk({ fnArray, argsArray }: Operators): DrawnPage {
    for (const [i, operator] of fnArray.entries()) {
      const given = argsArray[i];
      this.#step(operator, Array.isArray(given) ? given : []);
    }
    return {
      glyphs: this.#glyphs,
      rules: this.#rules,
      unmapped: this.#unmapped,
      hasPictures: this.#hasPictures,
      lacksFont: this.#lacksFont,
    };
  }

  #atFirst(): Settings {
    return {
      matrix: this.#base,
      font: pageFont(undefined),
      fontSize: 1,
      letterSpace: 0,
      wordSpace: 0,
      stretch: 1,
      leading: 0,
      rise: 0,
    };
  }

  #step(operator: number, given: readonly unknown[]): void {
    const now = this.#now;
    switch (operator) {
      case OPS.save:
      case OPS.beginGroup:
        this.#save();
        return;
      case OPS.restore:
      case OPS.endGroup:
      case OPS.paintFormXObjectEnd:
      case OPS.endAnnotation:
        this.#now = this.#saved.pop() ?? now;
        return;
      case OPS.transform:
        this.#transform(given);
        return;
      case OPS.paintFormXObjectBegin:
        this.#save();
        this.#transform(given[0]);
        return;
      case OPS.beginAnnotation:
        this.#save();
        this.#now.matrix = this.#base;
        this.#transform(given[2]);
        this.#transform(given[3]);
        return;
      case OPS.setGState:
        this.#setMany(given[0]);
        return;
      case OPS.setFont:
        this.#setFont(given[0], given[1]);
        return;
      case OPS.setCharSpacing:
        now.letterSpace = number(given[0]);
        return;
      case OPS.setWordSpacing:
        now.wordSpace = number(given[0]);
        return;
      case OPS.setHScale:
        now.stretch = number(given[0]) / 100 || 1;
        return;
      case OPS.setLeading:
        now.leading = -number(given[0]);
        return;
      case OPS.setTextRise:
        now.rise = number(given[0]);
        return;
      case OPS.beginText:
        this.#setText(IDENTITY);
        return;
      case OPS.setTextMatrix:
        this.#setText(matrixOf(given.length === 1 ? given[0] : given) ?? IDENTITY);
        return;
      case OPS.setLeadingMoveText:
        now.leading = number(given[1]);
        this.#move(number(given[0]), number(given[1]));
        return;
      case OPS.moveText:
        this.#move(number(given[0]), number(given[1]));
        return;
      case OPS.nextLine:
        this.#move(0, now.leading);
        return;
      case OPS.showText:
        if (!Array.isArray(given[0])) return;
        if (given[0].length === 0) this.#lacksFont ||= now.font.isMissing;
        else this.#show(given[0]);
        return;
      case OPS.constructPath:
        this.#path(given);
        return;
      case OPS.paintImageXObject:
      case OPS.paintInlineImageXObject:
      case OPS.paintImageMaskXObject:
      case OPS.paintImageXObjectRepeat:
        this.#hasPictures = true;
    }
  }

  #save(): void {
    if (this.#saved.length < SAVED_MAX) this.#saved.push({ ...this.#now });
  }

  #transform(given: unknown): void {
    const matrix = matrixOf(given);
    if (matrix !== undefined) this.#now.matrix = multiplied(this.#now.matrix, matrix);
  }

  #setMany(settings: unknown): void {
    if (!Array.isArray(settings)) return;
    for (const setting of settings) {
      if (Array.isArray(setting) && setting[0] === "Font" && Array.isArray(setting[1])) {
        this.#setFont(setting[1][0], setting[1][1]);
      }
    }
  }

  #setFont(name: unknown, size: unknown): void {
    if (typeof name !== "string") return;
    let font = this.#fonts.get(name);
    if (font === undefined) {
      font = pageFont(this.#fontOf(name));
      this.#fonts.set(name, font);
    }
    this.#now.font = font;
    this.#now.fontSize = number(size);
  }

  #setText(matrix: Matrix): void {
    this.#text = matrix;
    this.#x = this.#lineX = this.#y = this.#lineY = 0;
  }

  #move(dx: number, dy: number): void {
    this.#lineX += dx;
    this.#lineY += dy;
    this.#x = this.#lineX;
    this.#y = this.#lineY;
  }

  #show(items: readonly unknown[]): void {
    const { font, fontSize, stretch, letterSpace, wordSpace, rise, matrix } = this.#now;
    const whole = multiplied(matrix, this.#text);
    const [a, b, c, d, e, f] = whole;
    const along = Math.hypot(a, b);
    const size = Math.hypot(c, d) * Math.abs(fontSize) * font.sizeFactor;
    const down = font.isVertical;
    const turns = quarterTurns(down ? -c : a * fontSize, down ? -d : b * fontSize);
    for (const item of items) {
      if (typeof item === "number") {
        if (down) this.#y -= (item * fontSize) / 1000;
        else this.#x -= ((item * fontSize) / 1000) * stretch;
        continue;
      }
      const spacing = letterSpace + (field(item, "isSpace") === true ? wordSpace : 0);
      const own = number(field(item, "width")) * font.unit * fontSize;
      const height = this.#y + rise;
      const { text, isUnmapped } = glyphText(meaning(item), font.isDrawn);
      if (isUnmapped) this.#unmapped++;
      else font.see(text, own / (fontSize || 1));
      if (text !== "" && this.#glyphs.length < GLYPHS_A_PAGE_MAX) {
        this.#glyphs.push({
          text,
          x: a * this.#x + c * height + e,
          y: b * this.#x + d * height + f,
          width: down ? size : Math.abs(own * stretch) * along,
          size,
          font,
          turns,
        });
      }
      if (down) this.#y -= Math.abs(fontSize) + spacing;
      else this.#x += (own + spacing) * stretch;
    }
  }

  /** Records the lines of a path and the sides of its boxes, if they are straight, and vertical or horizontal. */
  #path(given: readonly unknown[]): void {
    // a clipping path is not drawn
    if (given[0] === OPS.endPath) return;
    const data: unknown = Array.isArray(given[1]) ? given[1][0] : undefined;
    if (!(data instanceof Float32Array) && !Array.isArray(data)) return;
    const values = Array.from(data, Number);
    const matrix = this.#now.matrix;
    let from: readonly [number, number] = [0, 0];
    let first = from;
    for (let i = 0; i < values.length && this.#rules.length < RULES_A_PAGE_MAX; ) {
      const kind = values[i++];
      if (kind === 4) {
        this.#rule(from, first);
        from = first;
        continue;
      }
      if (kind === 2) i += 4;
      else if (kind === 3) i += 2;
      const to = placed(matrix, values[i] ?? 0, values[i + 1] ?? 0);
      i += 2;
      if (kind === 0) first = to;
      else if (kind === 1) this.#rule(from, to);
      from = to;
    }
  }

  #rule([ax, ay]: readonly [number, number], [bx, by]: readonly [number, number]): void {
    const width = Math.abs(ax - bx);
    const height = Math.abs(ay - by);
    const isRule = Math.min(width, height) <= RULE_THICKNESS_MAX && Math.max(width, height) >= RULE_LENGTH_MIN;
    if (!isRule) return;
    this.#rules.push({ x0: Math.min(ax, bx), x1: Math.max(ax, bx), y0: Math.min(ay, by), y1: Math.max(ay, by) });
  }
}

function meaning(glyph: unknown): string {
  const text = field(glyph, "unicode");
  return typeof text === "string" ? text : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

/** The page's y runs downwards. */
function quarterTurns(x: number, y: number): number | undefined {
  const angle = Math.atan2(y, x) / (Math.PI / 2);
  const turns = Math.round(angle);
  return Math.abs(angle - turns) < 0.03 ? (turns + 4) % 4 : undefined;
}
