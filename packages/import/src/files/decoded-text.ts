import { analyse } from "chardet";

/** A text, and how it was found to be written. */
export interface DecodedText {
  readonly text: string;
  /** As `TextDecoder` calls it, for example `utf-8` or `windows-1252`. */
  readonly encoding: string;
  /** Nothing said so: the bytes only look like it. A file's owner should know. */
  readonly isGuessed: boolean;
}

/** Bytes that are no text. The message says so in words. */
export class NoTextError extends Error {
  override readonly name = "NoTextError";
}

/** What begins a text and says how it is written. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32", [0xff, 0xfe, 0, 0]],
  ["utf-32", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** The encoding that a mark at the beginning says (BOM); undefined where there is none. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/**
 * The text that these bytes are: by the mark at their beginning, which is dropped, else as UTF-8 if they are, else as `declared` says (by a server, or
 * by the text itself), else by how they look. Linear in time.
 * @throws NoTextError for bytes of another kind, and for text in UTF-32
 */
export function decodeText(bytes: Uint8Array, { declared }: { readonly declared?: string } = {}): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked === "utf-32") throw new NoTextError("the file is in UTF-32; save it as UTF-8");
  if (marked !== undefined) return told(bytes, marked);
  const said = declared === undefined ? undefined : encodingOf(declared);
  // What can be read as UTF-8 is: the others are declared wrongly far more often than a text is both by chance.
  const utf8 = isSevenBit(said) ? undefined : strictly(bytes, "utf-8");
  if (utf8 !== undefined && !utf8.includes("\0")) return { text: text(utf8), encoding: "utf-8", isGuessed: false };
  const wide = wideEncoding(bytes);
  if (wide !== undefined) return { ...told(bytes, wide), isGuessed: said !== wide };
  if (said !== undefined && said !== "utf-8") return told(bytes, said);
  const encoding = likelyEncoding(bytes);
  return { ...told(bytes, encoding), isGuessed: true };
}

function told(bytes: Uint8Array, encoding: string): DecodedText {
  const decoded = encoding === "windows-1252" ? western(bytes) : new TextDecoder(encoding).decode(bytes);
  return { text: text(decoded), encoding, isGuessed: false };
}

/** @throws NoTextError where it has NUL, or one character of fifty is a control character */
function text(decoded: string): string {
  let controls = 0;
  for (let at = 0; at < decoded.length; at += 1) {
    const code = decoded.charCodeAt(at);
    if (code === 0) throw new NoTextError(NO_TEXT);
    if (code < SPACE && !IN_TEXTS.has(code)) controls += 1;
  }
  if (controls * 50 > decoded.length) throw new NoTextError(NO_TEXT);
  return decoded;
}

const NO_TEXT = "the file is no text";
const SPACE = 0x20;
/** Tab, line breaks, form feed and what begins a colour. */
const IN_TEXTS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** What windows-1252 has where ISO 8859-1 has control characters: the decoder of Node.js 20 takes one for the other. */
const WESTERN =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

function western(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (character) => WESTERN.charAt(character.charCodeAt(0) - 0x80));
}

/** It writes other letters with bytes of ASCII, so that it can be read as UTF-8, as nonsense. */
function isSevenBit(encoding: string | undefined): boolean {
  return encoding === "iso-2022-jp" || encoding === "utf-16le" || encoding === "utf-16be";
}

/** As `TextDecoder` calls it. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label.trim()).encoding;
  } catch {
    return undefined;
  }
}

function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

const WIDE_SAMPLE_BYTES = 65_536;

/** UTF-16 without a mark: one half of many pairs is zero, that of white space among them, and the other half never is. */
function wideEncoding(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  if (bytes.length < 2 || bytes.length % 2 !== 0) return undefined;
  const end = Math.min(bytes.length, WIDE_SAMPLE_BYTES);
  const narrow = { first: 0, second: 0, firstWhite: 0, secondWhite: 0 };
  for (let at = 0; at < end; at += 2) {
    const [first = 0, second = 0] = [bytes[at], bytes[at + 1]];
    if (first === 0 && second === 0) return undefined;
    if (first === 0) narrow.first += 1;
    if (second === 0) narrow.second += 1;
    if (first === 0 && WHITE.has(second)) narrow.firstWhite += 1;
    if (second === 0 && WHITE.has(first)) narrow.secondWhite += 1;
  }
  const isMuch = (count: number, white: number): boolean => count > end / 4 || (white > 0 && count > end / 100);
  const isLittle = narrow.first === 0 && isMuch(narrow.second, narrow.secondWhite);
  const isBig = narrow.second === 0 && isMuch(narrow.first, narrow.firstWhite);
  if (isLittle && strictly(bytes, "utf-16le") !== undefined) return "utf-16le";
  return isBig && strictly(bytes, "utf-16be") !== undefined ? "utf-16be" : undefined;
}

/** Space, tab and line breaks. */
const WHITE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

const SAMPLE_BYTES_MAX = 16_384;
/** Around a letter that is not of ASCII: words tell more than letters. */
const AROUND_BYTES = 32;

/** The most likely one of those that can read all of it. */
function likelyEncoding(bytes: Uint8Array): string {
  for (const { name } of analyse(telling(bytes))) {
    const encoding = encodingOf(name);
    if (encoding === undefined || encoding === "utf-8" || encoding.startsWith("utf-16")) continue;
    if (strictly(bytes, encoding) !== undefined) return encoding;
  }
  return "windows-1252";
}

/** The parts of a text that say how it is written: those around bytes that are not of ASCII, or that escape from it. */
function telling(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  let from = 0;
  for (let at = 0; at < bytes.length && length < SAMPLE_BYTES_MAX; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80 && byte !== 0x1b) continue;
    const start = Math.max(from, at - AROUND_BYTES);
    from = Math.min(bytes.length, at + AROUND_BYTES);
    // A pair of bytes is not cut in two where the next part begins.
    while (from < bytes.length && (bytes[from] ?? 0) >= 0x80) from += 1;
    parts.push(bytes.subarray(start, from));
    length += from - start;
    at = from - 1;
  }
  return Buffer.concat(parts).subarray(0, 2 * SAMPLE_BYTES_MAX);
}
