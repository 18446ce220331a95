/** The kind of a line of markdown by its first characters. It holds anywhere but within a fence or a block of HTML. */

/** Only spaces, tabs and lone carriage returns. */
export const BLANK = 0;
/** Begins no block, so it belongs to a paragraph. Behind a blank line it closes all open blocks. */
export const TEXT = 1;
/** A heading with its marks. It closes open blocks as text does. */
export const HEADING = 2;
/** Opens a fence at the top level. */
export const FENCE = 3;
/** May begin or continue a block. A line of text behind a blank one closes that block. */
export const OTHER = 4;
/** May open a block of HTML that ends at a blank line. No fence opens in it. */
export const TAG = 5;
/** May open a block that continues behind blank lines and text. */
export const OPENING = 6;

export type LineKind =
  | typeof BLANK
  | typeof TEXT
  | typeof HEADING
  | typeof FENCE
  | typeof OTHER
  | typeof TAG
  | typeof OPENING;

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const HASH = 35;
const CLOSING_BRACKET = 41;
const STAR = 42;
const DOT = 46;
const LESS = 60;
const UNDERSCORE = 95;
const BACKTICK = 96;
const TILDE = 126;

/** A deeper line belongs to the block around it, or is code. */
const INDENT_MAX = 3;
const HEADING_LEVEL_MAX = 6;
const FENCE_MARKS_MIN = 3;

/** ASCII characters that begin no block at the start of a line: letters, and these. */
const BEGINS_NOTHING = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z!"$%&'(),./;?@[\\\]^{}]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** The kind of the line that begins at `start` and ends before `end`. */
export function lineKind(text: string, start: number, end: number): LineKind {
  let at = start;
  let indent = 0;
  while (at < end && isBlank(text.charCodeAt(at))) indent += text.charCodeAt(at++) === TAB ? INDENT_MAX + 1 : 1;
  const code = at < end ? text.charCodeAt(at) : LINE_FEED;
  if (code === LINE_FEED) return BLANK;
  if (code === LESS) return indent > INDENT_MAX ? TAG : tagKind(text.slice(at, end));
  if (code === BACKTICK || code === TILDE) {
    if (runLength(text, at, end) < FENCE_MARKS_MIN) return code === BACKTICK && indent === 0 ? TEXT : OTHER;
    return indent === 0 ? FENCE : indent > INDENT_MAX ? OTHER : OPENING;
  }
  return indent > 0 ? OTHER : unindentedKind(text, at, end);
}

function unindentedKind(text: string, start: number, end: number): LineKind {
  const code = text.charCodeAt(start);
  if (code > 127) return isFarLetter(code) ? TEXT : OTHER;
  if (BEGINS_NOTHING[code] === 1) return TEXT;
  if (code === HASH) return headingLevel(text, start, end) > 0 ? HEADING : OTHER;
  if (isDigit(code)) {
    let at = start + 1;
    while (at < end && isDigit(text.charCodeAt(at))) at++;
    const next = text.charCodeAt(at);
    return next === DOT || next === CLOSING_BRACKET ? OTHER : TEXT;
  }
  if (code !== STAR && code !== UNDERSCORE) return OTHER;
  // Emphasis with a letter behind it: no rule and no list item.
  const next = text.charCodeAt(start + runLength(text, start, end));
  return isDigit(next) || isLetter(next) ? TEXT : OTHER;
}

/** The level of a heading whose marks begin the line; 0 if there is none. */
export function headingLevel(text: string, start: number, end: number): number {
  if (text.charCodeAt(start) !== HASH) return 0;
  const level = runLength(text, start, end);
  const next = start + level < end ? text.charCodeAt(start + level) : LINE_FEED;
  return level <= HEADING_LEVEL_MAX && (next === SPACE || next === TAB || next === LINE_FEED) ? level : 0;
}

/** The marks of an open fence. */
export interface OpenFence {
  readonly mark: number;
  readonly length: number;
}

/** The fence that a line of kind `FENCE` opens; undefined if it opens none, since a backtick follows its marks. */
export function fenceOf(text: string, start: number, end: number): OpenFence | undefined {
  const mark = text.charCodeAt(start);
  const length = runLength(text, start, end);
  return mark === BACKTICK && text.slice(start + length, end).includes("`") ? undefined : { mark, length };
}

/** Whether the line from `start` to `end` closes an open fence at the top level. */
export function closesOpenFence({ mark, length }: OpenFence, text: string, start: number, end: number): boolean {
  let at = start;
  while (at < end && text.charCodeAt(at) === SPACE) at++;
  if (at - start > INDENT_MAX || text.charCodeAt(at) !== mark) return false;
  const run = runLength(text, at, end);
  for (at += run; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isBlank(code) && code !== LINE_FEED) return false;
  }
  return run >= length;
}

/** Comments, declarations and these elements continue until they are closed. All other blocks of HTML end at a blank line. */
const GOES_ON = /^<(?:[!?]|script|pre|style|textarea)/i;

function tagKind(line: string): LineKind {
  if (!GOES_ON.test(line)) return TAG;
  return line.startsWith("<!--") && line.includes("-->") ? OTHER : OPENING;
}

function runLength(text: string, start: number, end: number): number {
  const code = text.charCodeAt(start);
  let at = start + 1;
  while (at < end && text.charCodeAt(at) === code) at++;
  return at - start;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === CARRIAGE_RETURN;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122;
}

/** Whether a code beyond ASCII is a letter or sign from Latin to Tibetan, Chinese, Japanese or Korean, and no space. */
function isFarLetter(code: number): boolean {
  return (code >= 0xc0 && code < 0x1680) || (code > 0x3000 && code < 0xd800);
}
