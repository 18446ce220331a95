import { accented } from "./accents.ts";
import { cellAt, type Grid } from "./grid.ts";
import type { FontStyle, Glyph } from "./ink.ts";
import { logicalOrder, seenOrder } from "./right-to-left.ts";
import type { TableRows } from "./table.ts";

/** A stretch of one line, without a gap as wide as that between columns. */
export interface Segment {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** The baseline of its longest piece. */
  readonly y: number;
  /** The font size of its longest piece, in points. */
  readonly size: number;
  /** Most of its letters are bold. */
  readonly isBold: boolean;
  /** Nearly all of its letters are equally wide. */
  readonly isMono: boolean;
  /** Width of its first word, in points. It tells if the word had fitted on the line before. */
  readonly firstWordWidth: number;
  /** Its cell in a table with ruled lines. */
  readonly cell?: Cell | undefined;
  /** A whole table that replaces its segments. */
  readonly table?: TableRows;
}

export interface Cell {
  readonly grid: Grid;
  /** The grid's number of the cell. */
  readonly index: number;
}

/** Minimum gap of a space, in font sizes. */
const SPACE_MIN = 0.17;
/** Maximum pairs of pieces that are compared for two rows: lines of text have a few dozen pieces. */
const PAIRS_MAX = 250_000;
const SPACE_LEAST = 0.085;
/** Characters at the end of a growing text that are kept for checks. */
const TAIL = 4;
/** Number of letters among which a space is expected. */
const LONG_LINE = 20;
/** A line beside a large letter or number is not raised text; a shorter one may be. */
const SCRIPT_GLYPHS_MIN = 8;
/** Minimum size of an initial, in sizes of the text beside it. */
const INITIAL = 1.8;
const INITIAL_PIECES_MAX = 50;
const SEGMENT_GAP = 0.95;
const SAME_BASELINE = 0.12;

/** Minimum gap between two words, in font sizes. Touching letters are one word, even if a ruled line crosses it. */
const APART_MIN = 0.1;

interface Piece {
  readonly glyphs: Glyph[];
  readonly cell?: Cell | undefined;
  x0: number;
  x1: number;
  readonly y: number;
  readonly size: number;
}

/** Joins the glyphs of a page to segments: rows from the top, each from the left. No segment extends over two cells. */
export function segmentsOf(glyphs: readonly Glyph[], grids: readonly Grid[] = []): Segment[] {
  const pieces = piecesOf(glyphs, grids);
  return rowsOf(pieces).flatMap((row) => splitRow(row));
}

/** Groups glyphs that follow each other in the file and on the line. */
function piecesOf(glyphs: readonly Glyph[], grids: readonly Grid[]): Piece[] {
  const pieces: Piece[] = [];
  let piece: Piece | undefined;
  for (const glyph of glyphs) {
    if (!(glyph.size > 0.5) || !Number.isFinite(glyph.x + glyph.y + glyph.width)) continue;
    const last: Glyph | undefined = piece?.glyphs.at(-1);
    const cell = glyph.text === " " ? piece?.cell : cellOf(glyph, grids);
    const goesOn =
      piece !== undefined &&
      last !== undefined &&
      Math.abs(glyph.y - piece.y) <= SAME_BASELINE * piece.size &&
      Math.abs(glyph.size - piece.size) <= 0.12 * piece.size &&
      glyph.x >= last.x - 0.05 * piece.size &&
      glyph.x - (last.x + last.width) < SEGMENT_GAP * piece.size &&
      (isSameCell(cell, piece.cell) || isTouching(last, glyph));
    if (goesOn && piece !== undefined) {
      piece.glyphs.push(glyph);
      piece.x1 = Math.max(piece.x1, glyph.x + glyph.width);
    } else {
      const { x, y, width, size } = glyph;
      piece = { glyphs: [glyph], cell: cellOf(glyph, grids), x0: x, x1: x + width, y, size };
      pieces.push(piece);
    }
  }
  return pieces.map(trimmed).filter((each) => each !== undefined);
}

function cellOf({ x, y, width, size }: Glyph, grids: readonly Grid[]): Cell | undefined {
  for (const grid of grids) {
    const index = cellAt(grid, x + width / 2, y - 0.3 * size);
    if (index !== undefined) return { grid, index };
  }
  return undefined;
}

function isSameCell(a: Cell | undefined, b: Cell | undefined): boolean {
  return a?.grid === b?.grid && a?.index === b?.index;
}

function isTouching(last: Glyph, glyph: Glyph): boolean {
  return last.text !== " " && glyph.x - (last.x + last.width) < APART_MIN * glyph.size;
}

/** Removes spaces at the ends of a piece. */
function trimmed(piece: Piece): Piece | undefined {
  let first = 0;
  let stop = piece.glyphs.length;
  while (first < stop && piece.glyphs[first]?.text === " ") first++;
  while (stop > first && piece.glyphs[stop - 1]?.text === " ") stop--;
  if (first === stop) return undefined;
  if (first === 0 && stop === piece.glyphs.length) return piece;
  const glyphs = piece.glyphs.slice(first, stop);
  const x0 = Math.min(...ends(glyphs).map((glyph) => glyph.x));
  const x1 = glyphs.reduce((most, glyph) => Math.max(most, glyph.x + glyph.width), x0);
  return { ...piece, glyphs, x0, x1 };
}

function ends(glyphs: readonly Glyph[]): Glyph[] {
  return [glyphs[0], glyphs.at(-1)].filter((glyph) => glyph !== undefined);
}

interface Row {
  y: number;
  size: number;
  readonly pieces: Piece[];
}

/** Groups pieces by baseline, with raised or lowered text beside them. */
function rowsOf(pieces: readonly Piece[]): Row[] {
  const rows: Row[] = [];
  for (const piece of [...pieces].sort((a, b) => a.y - b.y || a.x0 - b.x0)) {
    const row = rows.at(-1);
    const isLevel = row !== undefined && piece.y - row.y <= 0.2 * Math.min(piece.size, row.size);
    if (row !== undefined && isLevel && !isUnderInitial(row, piece)) {
      row.pieces.push(piece);
      row.size = Math.max(row.size, piece.size);
    } else rows.push({ y: piece.y, size: piece.size, pieces: [piece] });
  }
  return withRaised(rows);
}

/** True for the first line below a large initial and its lines. It begins under the initial, and may share its baseline. */
function isUnderInitial({ pieces, size }: Row, piece: Piece): boolean {
  if (pieces.length > INITIAL_PIECES_MAX || (size < INITIAL * piece.size && piece.size < INITIAL * size)) return false;
  return pieces.some((other) => {
    const sizes = [other.size, piece.size];
    const overlap = Math.min(piece.x1, other.x1) - Math.max(piece.x0, other.x0);
    return Math.max(...sizes) >= INITIAL * Math.min(...sizes) && overlap > 0.5 * Math.min(...sizes);
  });
}

/** Moves small pieces to the row below or above if they touch a piece there. */
function withRaised(rows: readonly Row[]): Row[] {
  const taken = new Set<Row>();
  for (const [i, row] of rows.entries()) {
    for (const at of [i + 1, i - 1, i + 2, i - 2]) {
      const host = rows[at];
      if (host === undefined || taken.has(host) || !couldCarry(host, row)) continue;
      if (host.pieces.length * row.pieces.length > PAIRS_MAX) continue;
      const carried = row.pieces.filter((piece) => touches(host, piece));
      if (carried.length === 0) continue;
      host.pieces.push(...carried);
      const left = row.pieces.filter((piece) => !carried.includes(piece));
      row.pieces.splice(0, row.pieces.length, ...left);
      if (left.length === 0) {
        taken.add(row);
        break;
      }
    }
  }
  return rows.filter((row) => row.pieces.length > 0);
}

function couldCarry(host: Row, row: Row): boolean {
  const raised = host.y - row.y;
  if (row.size > 0.9 * host.size) return Math.abs(raised) < 0.35 * host.size;
  return raised < 0.7 * host.size && raised > -0.4 * host.size;
}

function touches(host: Row, piece: Piece): boolean {
  if (piece.size > 0.9 * host.size) return isBetween(host, piece);
  if (piece.glyphs.length > SCRIPT_GLYPHS_MIN && piece.glyphs.length > largerGlyphs(host, piece)) return false;
  return host.pieces.some(
    (other) =>
      other.size > piece.size * 1.1 &&
      piece.x0 - other.x1 < 0.35 * other.size &&
      other.x0 - piece.x1 < 0.25 * other.size &&
      Math.min(piece.x1, other.x1) - Math.max(piece.x0, other.x0) < 0.5 * Math.max(other.size, piece.x1 - piece.x0),
  );
}

function largerGlyphs({ pieces }: Row, { size }: Piece): number {
  return pieces.reduce((sum, other) => sum + (other.size > size * 1.1 ? other.glyphs.length : 0), 0);
}

/** True for one to three letters of the same size, such as those of logos, that fill a gap in a line. */
function isBetween(host: Row, { x0, x1, size, glyphs }: Piece): boolean {
  if (glyphs.length > 3) return false;
  const isNear = (gap: number): boolean => Math.abs(gap) < 0.3 * size;
  return host.pieces.some((left) => isNear(x0 - left.x1)) && host.pieces.some((right) => isNear(right.x0 - x1));
}

function splitRow(row: Row): Segment[] {
  const pieces = row.pieces.sort((a, b) => a.x0 - b.x0);
  const groups: Piece[][] = [];
  let edge = Number.NEGATIVE_INFINITY;
  for (const piece of pieces) {
    const group = groups.at(-1);
    const isNear = piece.x0 - edge < SEGMENT_GAP * Math.max(piece.size, group?.[0]?.size ?? 0);
    const isInCell = isSameCell(piece.cell, group?.[0]?.cell) || piece.x0 - edge < APART_MIN * piece.size;
    if (group !== undefined && isNear && isInCell) {
      group.push(piece);
    } else groups.push([piece]);
    edge = Math.max(groups.at(-1)?.length === 1 ? piece.x1 : edge, piece.x1);
  }
  return groups.map(segmentOf).filter((segment) => segment.text !== "");
}

function segmentOf(pieces: readonly Piece[]): Segment {
  const longest = pieces.reduce((most, piece) => (piece.glyphs.length > most.glyphs.length ? piece : most));
  const [only] = pieces;
  const drawn = only !== undefined && pieces.length === 1 ? only.glyphs : pieces.flatMap((piece) => piece.glyphs);
  const glyphs = withoutDoubles(fromLeft(drawn));
  const { y, size } = longest;
  const spaced = spacedText(accented(glyphs), { y, size });
  return {
    text: logicalOrder(spaced.text),
    x0: pieces.reduce((least, piece) => Math.min(least, piece.x0), Number.POSITIVE_INFINITY),
    x1: pieces.reduce((most, piece) => Math.max(most, piece.x1), Number.NEGATIVE_INFINITY),
    y,
    size,
    isBold: share(glyphs, (font) => font.isBold) > 0.6,
    isMono: share(glyphs, (font) => font.isMono) > 0.8,
    firstWordWidth: spaced.firstWordWidth,
    cell: longest.cell,
  };
}

/** Sorts glyphs from the left. Nearly all text is drawn in that order already. */
function fromLeft(glyphs: readonly Glyph[]): readonly Glyph[] {
  const isSorted = glyphs.every((glyph, i) => i === 0 || (glyphs[i - 1]?.x ?? 0) <= glyph.x);
  return isSorted ? glyphs : [...glyphs].sort((a, b) => a.x - b.x);
}

function share(glyphs: readonly Glyph[], has: (font: FontStyle) => boolean): number {
  let all = 0;
  let some = 0;
  for (const { text, font } of glyphs) {
    if (text === " ") continue;
    all++;
    if (has(font)) some++;
  }
  return all === 0 ? 0 : some / all;
}

/** Removes doubled glyphs: text that is drawn twice with a small offset looks bold. */
function withoutDoubles(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = [];
  for (const glyph of glyphs) {
    const at = kept.length;
    if (!isDouble(glyph, kept[at - 1]) && !isDouble(glyph, kept[at - 2])) kept.push(glyph);
  }
  return kept;
}

function isDouble(glyph: Glyph, before: Glyph | undefined): boolean {
  return (
    before?.text === glyph.text &&
    glyph.text !== " " &&
    Math.abs(glyph.x - before.x) < 0.25 * Math.min(glyph.width, before.width) &&
    Math.abs(glyph.y - before.y) < 0.25 * glyph.size
  );
}

/** Adds spaces: at glyphs that are spaces, and at gaps wider than those between the letters of a word. */
function spacedText(
  glyphs: readonly Glyph[],
  line: { readonly y: number; readonly size: number },
): { readonly text: string; readonly firstWordWidth: number } {
  const spaceMin = Math.max(usualSpace(glyphs, line.size), letterSpacing(glyphs, line.size));
  const text = new GrowingText();
  let last: Glyph | undefined;
  let firstWordEnd: number | undefined;
  for (const glyph of glyphs) {
    if (last !== undefined && glyph.text !== " " && !text.tail.endsWith(" ")) {
      const gap = glyph.x - (last.x + last.width);
      const between = gap > spaceMin ? " " : script(last, glyph, { text: text.tail, line });
      text.add(between, between === " " ? undefined : last.link);
    }
    if (last !== undefined && text.tail.endsWith(" ")) firstWordEnd ??= last.x + last.width;
    if (glyph.text !== " " || !text.tail.endsWith(" ")) text.add(seenOrder(glyph.text), glyph.link);
    if (glyph.text !== " ") last = glyph;
  }
  const first = glyphs[0];
  const end = firstWordEnd ?? (last === undefined ? 0 : last.x + last.width);
  return { text: text.all.trim(), firstWordWidth: first === undefined ? 0 : Math.max(0, end - first.x) };
}

/** A text that is checked at its end while it grows; spaces at its end do not count. */
class GrowingText {
  readonly #parts: string[] = [];
  #link: string | undefined;
  #space = "";
  /** The last {@link TAIL} characters, without link signs. */
  tail = "";

  /** Appends text. A link's sign is put before and after the linked text. */
  add(text: string, link?: string): void {
    if (text === "") return;
    this.tail = (this.tail + text).slice(-TAIL);
    if (text === " ") {
      this.#space = text;
      return;
    }
    if (link !== this.#link) this.#parts.push(this.#link ?? "", this.#space, link ?? "", text);
    else this.#parts.push(this.#space, text);
    this.#link = link;
    this.#space = "";
  }

  get all(): string {
    return this.#parts.join("") + (this.#link ?? "");
  }
}

/** Returns the usual minimum of a space. In a compressed line, spaces are narrower, but still wider than gaps between letters. */
function usualSpace(glyphs: readonly Glyph[], size: number): number {
  let spaces = 0;
  for (const [i, glyph] of glyphs.entries()) {
    const before = glyphs[i - 1];
    if (before !== undefined && glyph.x - (before.x + before.width) > SPACE_MIN * size) spaces++;
    if (glyph.text === " ") spaces++;
  }
  return glyphs.length >= LONG_LINE && spaces * LONG_LINE < glyphs.length ? SPACE_LEAST * size : SPACE_MIN * size;
}

/** Returns the minimum of a space in wide-set text, where the gaps between letters are wide too. */
function letterSpacing(glyphs: readonly Glyph[], size: number): number {
  if (glyphs.length < 6) return 0;
  const gaps: number[] = [];
  for (const [i, glyph] of glyphs.entries()) {
    const before = glyphs[i - 1];
    if (before === undefined || before.text === " " || glyph.text === " ") continue;
    gaps.push(glyph.x - (before.x + before.width));
  }
  gaps.sort((a, b) => a - b);
  const middle = gaps[Math.floor(gaps.length / 2)] ?? 0;
  return gaps.length >= 4 && middle > 0.1 * size ? 1.7 * middle : 0;
}

/** The number of a footnote. It is no longer than a text's tail. */
const NOTE_NUMBER = /^\d{1,3}$/;

/** Returns the text between a letter and a raised number: `^` before an exponent, a space around the number of a note. */
function script(
  last: Glyph,
  glyph: Glyph,
  { text, line }: { readonly text: string; readonly line: { readonly y: number; readonly size: number } },
): string {
  const isRaised = glyph.size < 0.9 * line.size && line.y - glyph.y > 0.2 * line.size;
  const wasRaised = last.size < 0.9 * line.size && line.y - last.y > 0.2 * line.size;
  if (wasRaised && !isRaised && NOTE_NUMBER.test(text)) return /[\p{L}"“„«(]/u.test(glyph.text) ? " " : "";
  if (!isRaised || wasRaised || !/\d/.test(glyph.text)) return "";
  if (/[\d)\]]$/.test(text) || /(?:^|[^\p{L}])\p{L}$/u.test(text.slice(-3))) return "^";
  return " ";
}
