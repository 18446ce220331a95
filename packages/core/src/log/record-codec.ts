import { LoredexError } from "../model/errors.ts";
import type { BotRecord } from "../model/records.ts";
import { jsonBytesInSlices } from "../platform/json-pieces.ts";
import { readJson } from "../platform/read-json.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { RECORD_KINDS } from "./record-kinds.ts";

/**
 * A record as bytes:
 *
 *     0        4                4 + n
 *     | n: u32 | JSON | binary part |
 *
 * Keys of the JSON keep their order, so an owner's metadata looks the same after a start. Numbers are little-endian.
 * The binary part is empty for every record but vectors.
 */
const LENGTH_BYTES = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Encodes a record, with its binary part behind the JSON. */
export function encodeRecord(record: { readonly kind: string }, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const json = encoder.encode(JSON.stringify(record));
  const bytes = new Uint8Array(LENGTH_BYTES + json.length + binary.length);
  new DataView(bytes.buffer).setUint32(0, json.length, true);
  bytes.set(json, LENGTH_BYTES);
  bytes.set(binary, LENGTH_BYTES + json.length);
  return bytes;
}

/** As {@link encodeRecord}; undefined for a record that takes more than `bytesMax` bytes. */
export function encodeRecordUpTo(bytesMax: number, record: BotRecord, binary?: Uint8Array): Uint8Array | undefined {
  try {
    const bytes = encodeRecord(record, binary);
    return bytes.length > bytesMax ? undefined : bytes;
  } catch (error) {
    // The JSON would be longer than any string can be.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** As {@link encodeRecordUpTo}, in time slices, for a record without a binary part. */
export function* encodeRecordInSlices(bytesMax: number, record: BotRecord): Sliced<Uint8Array | undefined> {
  const bytes = yield* jsonBytesInSlices(record, LENGTH_BYTES, bytesMax);
  if (bytes !== undefined) new DataView(bytes.buffer).setUint32(0, bytes.length - LENGTH_BYTES, true);
  return bytes;
}

/** Decodes a record of a bot's log. @throws LoredexError `CORRUPT` for invalid bytes, `UNSUPPORTED_FORMAT` for an unknown kind */
export function decodeBotRecord(sequence: number, bytes: Uint8Array): { record: BotRecord; binary: Uint8Array } {
  const { json, binary } = decodeRecord(sequence, bytes, RECORD_KINDS);
  // Boundary: the frame's checksum has been verified and the kind is known, so these are the bytes that were written.
  return { record: json as BotRecord, binary };
}

/**
 * Decodes a record whose kind is a key of `kinds`. Its other fields are not checked.
 * @throws LoredexError as {@link decodeBotRecord}
 */
export function decodeRecord(
  sequence: number,
  bytes: Uint8Array,
  kinds: object,
): { readonly json: object; readonly binary: Uint8Array } {
  const length = bytes.length < LENGTH_BYTES ? -1 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const end = LENGTH_BYTES + length;
  if (length < 0 || end > bytes.length) throw corrupt(sequence, "its length is wrong");
  let json: unknown;
  try {
    json = readJson(decoder.decode(bytes.subarray(LENGTH_BYTES, end)));
  } catch (error) {
    throw corrupt(sequence, "it is no JSON", error);
  }
  if (typeof json !== "object" || json === null || !("kind" in json) || typeof json.kind !== "string") {
    throw corrupt(sequence, "it has no kind");
  }
  if (!Object.hasOwn(kinds, json.kind)) {
    throw new LoredexError(
      "UNSUPPORTED_FORMAT",
      `Record ${sequence} is of the kind "${json.kind}", which this version of Loredex does not know. A newer version wrote it: use that one.`,
    );
  }
  return { json, binary: bytes.subarray(end) };
}

function corrupt(sequence: number, why: string, cause?: unknown): LoredexError {
  return new LoredexError("CORRUPT", `Record ${sequence} cannot be read: ${why}.`, { cause });
}
