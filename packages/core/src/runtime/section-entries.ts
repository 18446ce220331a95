import { jsonPieces, keysInOrder } from "./json-pieces.ts";

/**
 * Entries of a snapshot's section, one after the other:
 *
 *     | m: u32 | b: u32 | m bytes of JSON | b bytes |
 */
const HEAD_BYTES = 8;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An entry with room for so many bytes from `at` on. Text is written right where it belongs: a copy of each takes longer than the writing. */
export function newEntry(meta: object, bytes: number): { entry: Buffer; at: number } {
  const json = JSON.stringify(meta);
  const jsonBytes = Buffer.byteLength(json);
  const at = HEAD_BYTES + jsonBytes;
  const entry = Buffer.allocUnsafe(at + bytes);
  entry.writeUInt32LE(jsonBytes, 0);
  entry.writeUInt32LE(bytes, 4);
  entry.write(json, HEAD_BYTES);
  return { entry, at };
}

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

/** @throws RangeError or SyntaxError where they make no sense */
export function* entriesOf(bytes: Uint8Array): Generator<{ meta: unknown; bytes: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;
  while (at < bytes.length) {
    const json = at + HEAD_BYTES;
    const after = json + view.getUint32(at, true);
    const end = after + view.getUint32(at + 4, true);
    yield { meta: JSON.parse(decoder.decode(bytes.subarray(json, after))), bytes: bytes.subarray(after, end) };
    at = end;
  }
}
