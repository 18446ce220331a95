import { type Line, linesOf } from "./lines.ts";
import type { Segment } from "./segments.ts";

/** The segments and size of a page, before anything is left out. */
export interface SegmentedPage {
  readonly width: number;
  readonly height: number;
  readonly segments: readonly Segment[];
  /** Horizontal rules, from the top. */
  readonly rules: readonly LevelRule[];
}

/** A horizontal rule, for example between the rows of a table. */
export interface LevelRule {
  readonly x0: number;
  readonly x1: number;
  readonly y: number;
}

/** Rows at either end of a page that may be heads or feet. */
const ROWS_AT_AN_END = 3;
/** Maximum difference of heights that count as one, in points. */
const SAME_PLACE = 4;
const SIGHTINGS_MIN = 3;
/** Maximum distance in pages to the next sighting of a head. */
const NEAR_PAGES = 6;

interface Candidate {
  readonly page: number;
  readonly line: Line;
  readonly end: "head" | "foot";
  /** The text with its numbers replaced by `#`. */
  readonly shape: string;
  /** Numbers in the text minus the page's index. One that is equal on all pages is the page number. */
  readonly offsets: readonly number[];
}

/** Finds running heads, feet and page numbers: segments that repeat over the pages at the same place. */
export function runningSegments(pages: readonly SegmentedPage[], bodySize: number): Set<Segment> {
  const candidates = pages.flatMap((page, i) => candidatesOf(page, i, bodySize));
  const found = new Set<Candidate>();
  for (const end of ["head", "foot"] as const) {
    const own = candidates.filter((candidate) => candidate.end === end);
    markRepeated(own, pages.length, found);
    markNumbered(own, pages.length, found);
    markPlaces(own, found);
    markLabelled(own, found);
  }
  return new Set(outermost(candidates, found).flatMap(({ line }) => line.segments));
}

function candidatesOf(page: SegmentedPage, index: number, bodySize: number): Candidate[] {
  const lines = linesOf(page.segments).filter(({ segments }) => !segments.some((each) => isOfTable(each, page)));
  const heads = lines.slice(0, ROWS_AT_AN_END).filter((line) => line.y < page.height * 0.2);
  const feet = lines.slice(-ROWS_AT_AN_END).filter((line) => line.y > page.height * 0.8 && !heads.includes(line));
  const of = (line: Line, end: "head" | "foot"): Candidate => {
    return { page: index, line, end, shape: shapeOf(line.text), offsets: numbersOf(line).map((n) => n - index) };
  };
  return [...heads.map((line) => of(line, "head")), ...feet.map((line) => of(line, "foot"))].filter(
    ({ line, shape }) => line.size <= 1.3 * bodySize || shape === "#",
  );
}

/** True for a table's cell. A table may begin or end at a page's edge, and its header is on each page. A table within the head or the foot is a part of it. */
function isOfTable({ cell }: Segment, { height }: SegmentedPage): boolean {
  if (cell === undefined) return false;
  return (cell.grid.ys.at(-1) ?? 0) > height * 0.2 && (cell.grid.ys[0] ?? 0) < height * 0.8;
}

function shapeOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/\d+/g, "#")
    .replace(/\s+/g, " ")
    .replace(/^[ivxlc]+$|^[ivxlc]+ | [ivxlc]+$/g, "#");
}

/** Numbers at the ends of a line's segments, Roman ones too. */
function numbersOf(line: Line): number[] {
  const words = line.segments.flatMap(({ text }) => {
    const all = text.split(/[\s|/–—-]+/).filter((word) => word !== "");
    return [all[0], all.at(-1), /^page$/i.test(all[0] ?? "") ? all[1] : undefined];
  });
  return words.flatMap((word) => {
    if (word === undefined) return [];
    if (/^\d{1,5}$/.test(word)) return [Number(word)];
    const sheet = /^[A-Z\d]{1,3}[-.](\d{1,4})$/.exec(word)?.[1];
    if (sheet !== undefined) return [Number(sheet)];
    return /^[ivxlc]{1,8}$/i.test(word) ? [romanNumber(word.toLowerCase())] : [];
  });
}

const ROMAN: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanNumber(letters: string): number {
  let sum = 0;
  let before = 0;
  for (const letter of [...letters].reverse()) {
    const value = ROMAN[letter] ?? 0;
    sum += value < before ? -value : value;
    before = Math.max(before, value);
  }
  return sum;
}

/** Words that only label a page number, even in a file of one page. */
const PAGE_LABEL =
  /^(?:page|seite|p\.|pagina|p[aá]gina|side|sida|strona|страница|стр\.)\s*\d{1,5}(?:\s*(?:of|von|sur|de|di|af|av|van|z|из|\/)\s*\d{1,5})?$/i;

function markLabelled(candidates: readonly Candidate[], found: Set<Candidate>): void {
  for (const each of candidates) if (PAGE_LABEL.test(each.line.text.slice(0, 60).trim())) found.add(each);
}

/** Marks equal words at the same place on several pages near each other. */
function markRepeated(candidates: readonly Candidate[], pageCount: number, found: Set<Candidate>): void {
  const needed = pageCount <= 3 ? 2 : SIGHTINGS_MIN;
  for (const group of grouped(candidates, ({ shape }) => shape)) {
    for (const run of nearRuns(group)) {
      if (new Set(run.map(({ page }) => page)).size >= needed) for (const each of run) found.add(each);
    }
  }
}

/** Groups candidates at the same height, on pages near each other. */
function nearRuns(group: readonly Candidate[]): Candidate[][] {
  const runs: Candidate[][] = [];
  for (const candidate of group) {
    const run = runs.findLast((each) => {
      const last = each.at(-1);
      return (
        last !== undefined &&
        candidate.page - last.page <= NEAR_PAGES &&
        Math.abs(last.line.y - candidate.line.y) <= SAME_PLACE
      );
    });
    if (run === undefined) runs.push([candidate]);
    else run.push(candidate);
    if (runs.length > 50) runs.shift();
  }
  return runs;
}

/** Marks numbers at the same height that count the pages. All text beside such a number is marked too. */
function markNumbered(candidates: readonly Candidate[], pageCount: number, found: Set<Candidate>): void {
  const needed = pageCount <= 3 ? 2 : SIGHTINGS_MIN;
  const entries = candidates.flatMap((candidate) =>
    [...new Set(candidate.offsets)].map((offset) => ({ candidate, offset })),
  );
  for (const group of grouped(entries, ({ offset }) => String(offset))) {
    for (const run of nearRuns(group.map(({ candidate }) => candidate))) {
      if (new Set(run.map(({ page }) => page)).size >= needed) for (const each of run) found.add(each);
    }
  }
}

/** Marks the rest at a height if half of the candidates there are running heads: for example the name of a chapter of one page. */
function markPlaces(candidates: readonly Candidate[], found: Set<Candidate>): void {
  for (const group of grouped(candidates, ({ line }) => `${Math.round(line.y)} ${Math.round(line.size)}`)) {
    const known = group.filter((candidate) => found.has(candidate)).length;
    if (known >= SIGHTINGS_MIN && known * 2 >= group.length) for (const each of group) found.add(each);
  }
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Keeps found candidates only if no kept text is nearer to the page's edge. */
function outermost(candidates: readonly Candidate[], found: ReadonlySet<Candidate>): Candidate[] {
  const ofPage = grouped(candidates, ({ page, end }) => `${page} ${end}`);
  return ofPage.flatMap((group) => {
    const inwards = group[0]?.end === "head" ? group : [...group].reverse();
    const stays = inwards.findIndex((candidate) => !found.has(candidate));
    return stays < 0 ? inwards : inwards.slice(0, stays);
  });
}
