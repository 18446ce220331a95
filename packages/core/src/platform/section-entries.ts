import { jsonPieces, keysInOrder } from "./json-pieces.ts";
import { readJson } from "./read-json.ts";

/**
 * Entries of a snapshot's section, one after the other:
 *
 *     | m: u32 | b: u32 | m bytes of JSON | b bytes |
 */
const HEAD_BYTES = 8;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A new entry with space for `bytes` bytes from `at` on. Text is written in place: copying it takes longer than the writing. */
export function newEntry(meta: object, bytes: number): { entry: Buffer; at: number } {
  const entry = begun(meta, bytes, bytes);
  return { entry, at: entry.length - bytes };
}

/** The head of an entry whose `bytes` bytes are written after it, in any number of pieces. */
export function entryHead(meta: object, bytes: number): Buffer {
  return begun(meta, bytes, 0);
}

function begun(meta: object, bytes: number, capacity: number): Buffer {
  const json = JSON.stringify(meta);
  const jsonBytes = Buffer.byteLength(json);
  const entry = Buffer.allocUnsafe(HEAD_BYTES + jsonBytes + capacity);
  entry.writeUInt32LE(jsonBytes, 0);
  entry.writeUInt32LE(bytes, 4);
  entry.write(json, HEAD_BYTES);
  return entry;
}

/** Splits bytes into pieces that are no longer than a slice's work. The pieces are views. */
export function* bytePieces({ buffer, byteOffset, byteLength }: ArrayBufferView): Generator<Uint8Array, void> {
  for (let at = 0; at < byteLength; at += PIECE_BYTES) {
    yield new Uint8Array(buffer, byteOffset + at, Math.min(PIECE_BYTES, byteLength - at));
  }
}

const PIECE_BYTES = 65_536;

/** An entry of JSON alone, in pieces. Its length stands first, so empty pieces are yielded while the length is counted. */
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
 * Salvages a damaged section: yields every readable entry, also those behind unreadable ones.
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

/** The offset of the next possible entry, from `from` on: two lengths with a JSON object behind them. -1 if there is none. */
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
 * Reads the entries of a section from chunks of any length.
 * @param bytesMax bytes of the longest entry
 * @param damaged makes the error for bytes that are no entries
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

/** Reads the entries of a section. @throws RangeError or SyntaxError for bytes that are no entries */
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
