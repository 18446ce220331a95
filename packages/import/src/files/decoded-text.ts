import { analyse } from "chardet";

/** A decoded text, with its encoding. */
export interface DecodedText {
  readonly text: string;
  /** The name in `TextDecoder`, for example `utf-8` or `windows-1252`. */
  readonly encoding: string;
  /** True if the encoding was only guessed from the bytes. A file's owner should know. */
  readonly isGuessed: boolean;
}

/** The bytes are no text. The message says so for the user. */
export class NoTextError extends Error {
  override readonly name = "NoTextError";
}

/** Byte order marks, with their encodings. */
const MARKS: readonly (readonly [encoding: string, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-32", [0xff, 0xfe, 0, 0]],
  ["utf-32", [0, 0, 0xfe, 0xff]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

/** Returns the encoding of the byte order mark; undefined if there is none. */
function markedEncoding(bytes: Uint8Array): string | undefined {
  return MARKS.find(([, mark]) => mark.every((byte, at) => bytes[at] === byte))?.[0];
}

/**
 * Decodes a text. The byte order mark decides, and is dropped; else UTF-8 is tried, then the `declared` encoding (of a server, or of the text itself), then the
 * likeliest one. Linear in time.
 * @throws NoTextError for bytes of another kind, and for text in UTF-32
 */
export function decodeText(bytes: Uint8Array, { declared }: { readonly declared?: string } = {}): DecodedText {
  const marked = markedEncoding(bytes);
  if (marked === "utf-32") throw new NoTextError("the file is in UTF-32; save it as UTF-8");
  if (marked !== undefined) return told(bytes, marked);
  const said = declared === undefined ? undefined : encodingOf(declared);
  // Valid UTF-8 is read as UTF-8: wrong declarations are far more frequent than text that is valid by chance.
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

/** @throws NoTextError if it has NUL, or if one of fifty characters is a control character */
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
/** Control characters of texts: tab, line breaks, form feed, and escape, which begins a colour. */
const IN_TEXTS: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);

/** Characters of windows-1252 in place of the control characters of ISO 8859-1. The decoder of Node.js 20 confuses the two. */
const WESTERN =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

function western(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return latin.replace(/[\x80-\x9f]/g, (character) => WESTERN.charAt(character.charCodeAt(0) - 0x80));
}

/** True for an encoding that writes other letters with ASCII bytes: it could be read as UTF-8, as nonsense. */
function isSevenBit(encoding: string | undefined): boolean {
  return encoding === "iso-2022-jp" || encoding === "utf-16le" || encoding === "utf-16be";
}

/** Returns the name in `TextDecoder`. */
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

/** Detects UTF-16 without a mark: in many pairs, white space among them, one byte is zero, and the other byte never is. */
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
/** Bytes kept around a letter outside ASCII: words tell more than letters. */
const AROUND_BYTES = 32;

/** Returns the likeliest encoding that can decode the whole text. */
function likelyEncoding(bytes: Uint8Array): string {
  for (const { name } of analyse(telling(bytes))) {
    const encoding = encodingOf(name);
    if (encoding === undefined || encoding === "utf-8" || encoding.startsWith("utf-16")) continue;
    if (strictly(bytes, encoding) !== undefined) return encoding;
  }
  return "windows-1252";
}

/** Returns the parts of a text that reveal its encoding: those around non-ASCII bytes and escapes. */
function telling(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  let from = 0;
  for (let at = 0; at < bytes.length && length < SAMPLE_BYTES_MAX; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < 0x80 && byte !== 0x1b) continue;
    const start = Math.max(from, at - AROUND_BYTES);
    from = Math.min(bytes.length, at + AROUND_BYTES);
    // The next part does not begin within a pair of bytes.
    while (from < bytes.length && (bytes[from] ?? 0) >= 0x80) from += 1;
    parts.push(bytes.subarray(start, from));
    length += from - start;
    at = from - 1;
  }
  return Buffer.concat(parts).subarray(0, 2 * SAMPLE_BYTES_MAX);
}
