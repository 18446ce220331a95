/**
 * Marks at the beginning and at the end of a line of markdown. Each character is read once.
 * Lines are given without their `\n`; a `\r` before it counts as white space.
 */

const TAB = 9;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const CLOSING_BRACKET = 41;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const COLON = 58;
const EQUALS = 61;
const GREATER = 62;
const BACKTICK = 96;
const UNDERSCORE = 95;
const PIPE = 124;
const TILDE = 126;

/** Marks of headings and numbers of lists are no longer than this. */
const HEADING_LEVEL_MAX = 6;
const LIST_DIGITS_MAX = 9;

/** The marks at the beginning of a line. */
export interface LineMarks {
  /** Start of the text behind the marks; 0 for a line without marks, which keeps its white space. */
  readonly end: number;
  /** Whether one of the marks begins a block: a list item or a heading, not a quote. */
  readonly beginsBlock: boolean;
  readonly isHeading: boolean;
}

const NO_MARKS: LineMarks = { end: 0, beginsBlock: false, isHeading: false };

/**
 * Reads quotes, list marks and heading marks in any nesting, with the space behind them. A number at the end of the line is no mark. With
 * `keepsNumbers` no number is.
 */
export function lineMarks(line: string, keepsNumbers = false): LineMarks {
  let end = 0;
  let beginsBlock = false;
  let isHeading = false;
  for (let at = skipBlanks(line, 0); at < line.length; at = skipBlanks(line, end)) {
    const length = isHeading || (keepsNumbers && isDigit(line.charCodeAt(at))) ? 0 : markLength(line, at);
    if (length === 0) break;
    end = at + length;
    isHeading = line.charCodeAt(at) === HASH;
    beginsBlock ||= line.charCodeAt(at) !== GREATER;
  }
  if (end === 0) return NO_MARKS;
  return { end: isBlank(line.charCodeAt(end)) ? end + 1 : end, beginsBlock, isHeading };
}

/** The number of nested marks at the beginning of a line. */
export function marksIn(line: string): number {
  let marks = 0;
  for (let at = skipBlanks(line, 0); at < line.length; marks++) {
    const length = markLength(line, at);
    if (length === 0) break;
    at = skipBlanks(line, at + length);
  }
  return marks;
}

/** The length of the mark at `at`; 0 if there is none. */
function markLength(line: string, at: number): number {
  const code = line.charCodeAt(at);
  if (code === GREATER) return 1;
  if (code === STAR || code === PLUS || code === MINUS) return endsOrBlank(line, at + 1) ? 1 : 0;
  if (code === HASH) {
    const end = skipRun(line, at, HASH);
    return end - at <= HEADING_LEVEL_MAX && endsOrBlank(line, end) ? end - at : 0;
  }
  let end = at;
  while (end - at <= LIST_DIGITS_MAX && isDigit(line.charCodeAt(end))) end++;
  if (end === at || end - at > LIST_DIGITS_MAX) return 0;
  const mark = line.charCodeAt(end);
  if (mark !== DOT && mark !== CLOSING_BRACKET) return 0;
  const text = skipBlanks(line, end + 1);
  return text > end + 1 && text < line.length ? end + 1 - at : 0;
}

/** End of a heading's text, before closing marks if it has any. */
export function headingEnd(line: string): number {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end--;
  let marks = end;
  while (marks > 0 && line.charCodeAt(marks - 1) === HASH) marks--;
  return marks < end && (marks === 0 || isBlank(line.charCodeAt(marks - 1))) ? marks : line.length;
}

/** The marks of a fence of code. */
export interface Fence {
  /** End of the marks. The name of a language may follow. */
  readonly end: number;
  readonly mark: number;
  readonly length: number;
}

/** The fence that a line opens from `start` on; undefined if it opens none. */
export function openingFence(line: string, start: number): Fence | undefined {
  const at = skipBlanks(line, start);
  const mark = line.charCodeAt(at);
  if (mark !== BACKTICK && mark !== TILDE) return undefined;
  const end = skipRun(line, at, mark);
  if (end - at < 3 || (mark === BACKTICK && line.includes("`", end))) return undefined;
  return { mark, length: end - at, end };
}

/** Whether a line closes a fence, from `start` on. */
export function closesFence(line: string, start: number, { mark, length }: Fence): boolean {
  const at = skipBlanks(line, start);
  if (line.charCodeAt(at) !== mark) return false;
  const end = skipRun(line, at, mark);
  return end - at >= length && skipBlanks(line, end) === line.length;
}

/** Start of the text of a quoted line, behind its quote marks and the space after each. */
export function quoteEnd(line: string): number {
  let end = 0;
  for (let at = skipBlanks(line, 0); line.charCodeAt(at) === GREATER; at = skipBlanks(line, end)) end = at + 1;
  return end > 0 && line.charCodeAt(end) === SPACE ? end + 1 : end;
}

/** Whether a line from `start` on is a rule: below a table's header, below a heading, or between two sections. */
export function isRule(line: string, start: number): boolean {
  let strokes = 0;
  for (let at = start; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === MINUS || code === EQUALS || code === STAR || code === UNDERSCORE) strokes++;
    else if (code !== PIPE && code !== COLON && !isBlank(code)) return false;
  }
  return strokes >= 2;
}

/** Whether a line has only white space. */
export function isBlankLine(line: string): boolean {
  return skipBlanks(line, 0) === line.length;
}

function skipBlanks(line: string, start: number): number {
  let at = start;
  while (isBlank(line.charCodeAt(at))) at++;
  return at;
}

function skipRun(line: string, start: number, code: number): number {
  let at = start;
  while (line.charCodeAt(at) === code) at++;
  return at;
}

function endsOrBlank(line: string, at: number): boolean {
  return at >= line.length || isBlank(line.charCodeAt(at));
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CARRIAGE_RETURN;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
