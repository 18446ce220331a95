import type { Region } from "./columns.ts";
import { type Line, linesOf } from "./lines.ts";
import type { Segment } from "./segments.ts";

/** A page number in a table of contents: `12`, `iv`, `A-3`, `3.12`. */
const PAGE_NUMBER = /^(?:(?:[A-Z\d]{1,3}[-.])?\d{1,5}|[ivxlc]{1,8})$/i;
const LEADER = /[.·…_‥]/;
/** Forms have lines to write on. These lead to a page only if its number follows. */
const UNDERLINE = /_\s*$/;
const LEADERS_MIN = 4;
/** Files of fewer pages, such as price lists and menus, have no table of contents. */
const PAGES_MIN = 3;
/** A page with more lines is not for reading. */
const LINES_MAX = 2_000;
/** Maximum share of falling numbers in a table of contents without a title. */
const FALLS_SHARE_MAX = 0.2;
/** Maximum pages of the same work in another file. */
const PAGES_BEFORE_MAX = 40;
const ENDS_IN_ROMAN = /\s[ivxlc]{1,6}$/;
/** `term, 12, 34–36, 40` */
const INDEX_ENTRY =
  /(?:,\s*|\s)(?:[A-Z]-)?\d{1,5}(?:\s?[-–—]\s?\d{1,5}|n|ff?\.?)?(?:,\s*(?:[A-Z]-)?\d{1,5}(?:\s?[-–—]\s?\d{1,5}|n|ff?\.?)?)*[,.]?$/;
const CONTENTS_TITLE =
  /^(?:(?:table of |brief |short )?contents|(?:list|table) of (?:figures|tables|listings|examples|programs|algorithms)|figures|tables|examples|inhalt(?:sverzeichnis)?|abbildungsverzeichnis|tabellenverzeichnis|table des mati[eè]res|sommaire|liste des (?:figures|tableaux)|[ií]ndice(?: general| de (?:figuras|tablas|tabelas))?|contenido|sum[aá]rio|indice|目\s*[次录錄]|inhoudsopgave|spis treści|содержание|оглавление)$/i;
const INDEX_TITLE =
  /^(?:(?:[a-z]+ ){0,3}index(?: of [a-z]+(?: [a-z]+)*)?|stichwortverzeichnis|sachverzeichnis|[ií]ndice (?:alfab[eé]tico|remissivo)|register|索引)$/i;

/**
 * Finds the segments of tables of contents, lists of figures and indexes: they match every question and answer none. A page is given as its regions, in reading
 * order.
 */
export function contentsSegments(pages: readonly (readonly Region[])[]): Set<Segment> {
  const out = new Set<Segment>();
  if (pages.length < PAGES_MIN) return out;
  let isInIndex = false;
  let isInContents = false;
  for (const [i, page] of pages.entries()) {
    const lines = page.flatMap((region) => linesOf(region));
    if (lines.length === 0 || lines.length > LINES_MAX) continue;
    isInContents = markContents(lines, { wasInContents: isInContents, pageCount: pages.length, out });
    const isLate = i >= pages.length * 0.5;
    isInIndex = isLate && isIndexPage(lines, isInIndex);
    if (isInIndex) for (const segment of page.flat()) out.add(segment);
  }
  return out;
}

/**
 * Marks lines with leaders. Lines with page numbers but without leaders are marked if many follow each other and the numbers rise. Lines between marked ones
 * are beginnings of long titles. Without a title that announces contents, the lines may also be table rows or prices. Then their numbers must be pages of this
 * file.
 */
function markContents(
  lines: readonly Line[],
  {
    wasInContents,
    pageCount,
    out,
  }: { readonly wasInContents: boolean; readonly pageCount: number; readonly out: Set<Segment> },
): boolean {
  const isEntry = lines.map((line) => hasLeaders(line.text));
  const title = lines.findIndex(({ text }) => CONTENTS_TITLE.test(text.trim()));
  const isToldAt = (at: number): boolean => wasInContents || (title >= 0 && title < at);
  const led = isEntry.flatMap((is, at) => (is && !isToldAt(at) ? [at] : []));
  if (!areThesePages(lines, led, pageCount)) for (const at of led) isEntry[at] = false;
  for (const run of risingRuns(lines)) {
    const isTold = isToldAt(run[0] ?? 0);
    const isPlain = isTold || (!run.some((at) => hasFigures(lines[at])) && areThesePages(lines, run, pageCount));
    if (isPlain && run.length >= (isTold ? 3 : 8)) for (const at of run) isEntry[at] = true;
  }
  const entries = isEntry.flatMap((is, at) => (is ? [at] : []));
  const first = entries[0];
  const last = entries.at(-1);
  if (first === undefined || last === undefined || entries.length < 3) return false;
  for (const [at, line] of lines.entries()) {
    const isBetween = at > first && at < last && isNear(entries, at);
    const isTitle = CONTENTS_TITLE.test(line.text.trim());
    if (isEntry[at] || isBetween || isTitle) for (const segment of line.segments) out.add(segment);
    else if (at < first && first - at <= 2 && wasInContents) for (const segment of line.segments) out.add(segment);
  }
  return entries.length >= lines.length * 0.5;
}

/** True if the lines' numbers hardly ever fall, and a file of `pageCount` pages may have them. */
function areThesePages(lines: readonly Line[], at: readonly number[], pageCount: number): boolean {
  const numbers = at.map((each) => pageAtEnd(lines[each]?.text ?? "")).filter((number) => !Number.isNaN(number));
  const falls = numbers.filter((number, i) => i > 0 && number < (numbers[i - 1] ?? 0)).length;
  return falls <= FALLS_SHARE_MAX * numbers.length && numbers.every((number) => number <= pageCount + PAGES_BEFORE_MAX);
}

/** True if a line has a cell of figures that is not its last one. */
function hasFigures(line: Line | undefined): boolean {
  return line?.segments.slice(1, -1).some(({ text }) => /^[\d.,%-]+$/.test(text)) ?? false;
}

/** `Title . . . . . . 12`; the dots may be of any kind. */
function hasLeaders(text: string): boolean {
  if (UNDERLINE.test(text.slice(-20))) return false;
  const words = text.slice(-200).trimEnd().split(" ");
  if (PAGE_NUMBER.test(words.at(-1) ?? "")) words.pop();
  let leaders = 0;
  for (const character of [...words.join("")].reverse()) {
    if (!LEADER.test(character)) break;
    leaders++;
  }
  return leaders >= LEADERS_MIN;
}

/** The number at the end of a line; `NaN` if it has none, or is nothing else. */
function pageAtEnd(text: string): number {
  const space = text.lastIndexOf(" ");
  const word = text.slice(space + 1);
  if (space <= 0 || !PAGE_NUMBER.test(word)) return Number.NaN;
  return Number(word.split(/[-.]/).at(-1));
}

/** True if an entry stands at most two lines below, and another at most three lines above: a title of several lines. */
function isNear(entries: readonly number[], at: number): boolean {
  return (
    entries.some((entry) => entry > at && entry - at <= 2) && entries.some((entry) => entry < at && at - entry <= 3)
  );
}

/** Finds runs of lines with numbers at their ends that never fall. */
function risingRuns(lines: readonly Line[]): number[][] {
  const runs: number[][] = [];
  let run: number[] = [];
  let before = 0;
  let gap = 0;
  for (const [at, { text, segments }] of lines.entries()) {
    const isRoman = ENDS_IN_ROMAN.test(text.slice(-10));
    const number = isRoman ? 0 : pageAtEnd(text);
    const isAside = segments.length > 1 || (run.length > 0 && text.length < 120);
    if (!Number.isNaN(number) && number >= before && isAside) {
      run.push(at);
      before = number;
      gap = 0;
    } else if (!Number.isNaN(number) && isAside && run.length < 3) {
      run = [at];
      before = number;
      gap = 0;
    } else if (++gap > 2) {
      if (run.length > 0) runs.push(run);
      run = [];
      before = 0;
      gap = 0;
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function isIndexPage(lines: readonly Line[], wasIndex: boolean): boolean {
  const segments = lines.flatMap((line) => line.segments);
  if (segments.length < 5) return false;
  const hasTitle = lines.slice(0, 4).some(({ text }) => INDEX_TITLE.test(text.trim()));
  const entries = segments.filter(({ text }) => INDEX_ENTRY.test(text.slice(-80))).length;
  const share = entries / segments.length;
  const letters = segments.filter(({ text }) => text.length <= 60).length / segments.length;
  const isTold = hasTitle || wasIndex;
  return letters > 0.8 && share >= (isTold ? 0.35 : 0.7) && (isTold || isAlphabetic(segments));
}

/** True if the entries follow the alphabet: those of an index do, those of a parts list seldom. */
function isAlphabetic(segments: readonly Segment[]): boolean {
  const initials = segments.map(({ text }) => text.slice(0, 1).toLowerCase());
  const risen = initials.filter((initial, i) => i > 0 && initial >= (initials[i - 1] ?? "")).length;
  return risen >= 0.65 * (segments.length - 1) && new Set(initials).size > 2;
}
