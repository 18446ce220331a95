import { jsonPieces, keysInOrder } from "./json-pieces.ts";
import { readJson } from "./read-json.ts";

/**
 * Entries of a snapshot's section, one after the other:
 *
 *     | m: u32 | b: u32 | m bytes of JSON | b bytes |
 */
const HEAD_BYTES = 8;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An entry with room for so many bytes from `at` on. Text is written right where it belongs: a copy of each takes longer than the writing. */
export function newEntry(meta: object, bytes: number): { entry: Buffer; at: number } {
  const entry = begun(meta, bytes, bytes);
  return { entry, at: entry.length - bytes };
}

/** What an entry begins with whose bytes, of this number, are written after it, in as many pieces as it takes. */
export function entryHead(meta: object, bytes: number): Buffer {
  return begun(meta, bytes, 0);
}

function begun(meta: object, bytes: number, room: number): Buffer {
  const json = JSON.stringify(meta);
  const jsonBytes = Buffer.byteLength(json);
  const entry = Buffer.allocUnsafe(HEAD_BYTES + jsonBytes + room);
  entry.writeUInt32LE(jsonBytes, 0);
  entry.writeUInt32LE(bytes, 4);
  entry.write(json, HEAD_BYTES);
  return entry;
}

/** Bytes in pieces that are no longer than a slice's work. The pieces are views. */
export function* bytePieces({ buffer, byteOffset, byteLength }: ArrayBufferView): Generator<Uint8Array, void> {
  for (let at = 0; at < byteLength; at += PIECE_BYTES) {
    yield new Uint8Array(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at));
  }
}

const PIECE_BYTES = 65_536;

/** The same of JSON alone, in pieces: empty ones while the length is counted, which stand first. */
export function* entryInPieces(meta: object): Generator<Uint8Array, void> {
  let jsonBytes = 0;
  for (const piece of jsonPieces(meta, keysInOrder)) {
    jsonBytes += Buffer.byteLength(piece);
    yield NOTHING;
  }
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(jsonBytes, 0);
  yield head;
  for (const piece of jsonPieces(meta, keysInOrder)) yield Buffer.from(piece);
}

const NOTHING = new Uint8Array(0);

/**
 * What can still be read of a section that is not as it was written: every entry that makes sense, also behind those that make none.
 * @param read takes an entry; throws if it is none
 */
export function* readableEntries<Item>(
  section: Uint8Array,
  read: (meta: unknown, bytes: Uint8Array) => Item,
): Generator<Item> {
  const bytes = Buffer.from(section.buffer, section.byteOffset, section.byteLength);
  let at = 0;
  while (at !== -1) {
    const found = readableEntry(bytes, at, read);
    if (found !== undefined) yield found.item;
    at = found === undefined ? nextPossibleEntry(bytes, at + 1) : found.end;
  }
}

function readableEntry<Item>(
  bytes: Buffer,
  at: number,
  read: (meta: unknown, bytes: Uint8Array) => Item,
): { readonly item: Item; readonly end: number } | undefined {
  const lengths = possibleLengths(bytes, at);
  if (lengths === undefined) return undefined;
  const [json, after, end] = [at + HEAD_BYTES, lengths.after, lengths.end];
  try {
    const item = read(readJson(decoder.decode(bytes.subarray(json, after))), bytes.subarray(after, end));
    return { item, end };
  } catch {
    return undefined;
  }
}

const [OPENING, CLOSING] = [0x7b, 0x7d];

/** Where an entry can begin, from `from` on: two lengths with an object of JSON behind them. -1 if nowhere. */
function nextPossibleEntry(bytes: Buffer, from: number): number {
  for (let json = bytes.indexOf(OPENING, from + HEAD_BYTES); json !== -1; json = bytes.indexOf(OPENING, json + 1)) {
    if (possibleLengths(bytes, json - HEAD_BYTES) !== undefined) return json - HEAD_BYTES;
  }
  return -1;
}

function possibleLengths(bytes: Buffer, at: number): { readonly after: number; readonly end: number } | undefined {
  if (at + HEAD_BYTES > bytes.length) return undefined;
  const after = at + HEAD_BYTES + bytes.readUInt32LE(at);
  const end = after + bytes.readUInt32LE(at + 4);
  const isPossible = end <= bytes.length && bytes[at + HEAD_BYTES] === OPENING && bytes[after - 1] === CLOSING;
  return isPossible ? { after, end } : undefined;
}

/**
 * The entries of a section that comes in chunks of any length.
 * @param bytesMax bytes of the longest entry
 * @param damaged makes the error where the bytes are no entries
 */
export async function* entriesInStream(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
  damaged: () => Error,
): AsyncGenerator<{ meta: unknown; bytes: Uint8Array }, void> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let needed = HEAD_BYTES;
  for await (const chunk of chunks) {
    waiting.push(chunk);
    bytes += chunk.length;
    if (bytes < needed) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (;;) {
      needed = HEAD_BYTES;
      if (at + needed > all.length) break;
      needed += all.readUInt32LE(at) + all.readUInt32LE(at + 4);
      if (needed > bytesMax) throw damaged();
      if (at + needed > all.length) break;
      yield onlyEntry(all.subarray(at, at + needed), damaged);
      at += needed;
    }
    waiting = [all.subarray(at)];
    bytes = all.length - at;
  }
  if (bytes > 0) throw damaged();
}

function onlyEntry(bytes: Uint8Array, damaged: () => Error): { meta: unknown; bytes: Uint8Array } {
  try {
    const [entry] = entriesOf(bytes);
    if (entry !== undefined) return entry;
  } catch {
    // Told below.
  }
  throw damaged();
}

/** @throws RangeError or SyntaxError where they make no sense */
export function* entriesOf(bytes: Uint8Array): Generator<{ meta: unknown; bytes: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const json = at + HEAD_BYTES;
    const after = json + view.getUint32(at, true);
    const end = after + view.getUint32(at + 4, true);
    yield { meta: readJson(decoder.decode(bytes.subarray(json, after))), bytes: bytes.subarray(after, end) };
    at = end;
  }
}
