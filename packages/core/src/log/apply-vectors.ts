import { type RecordOf, sameSpace } from "../model/records.ts";
import { type IndexChange, UNCHANGED } from "./index-change.ts";
import type { BotState } from "./state.ts";

/**
 * Appends vectors to those of the document; a record with `first` 0 starts over.
 * A record that leaves a gap, or that belongs to a replaced version, is ignored.
 */
export function applyVectors(
  state: BotState,
  record: RecordOf<"vectors">,
  _sequence: number,
  binary: Uint8Array,
): IndexChange {
  const { id, version, space, texts, first, count } = record;
  const newest = state.articles.get(id) ?? state.documents.get(id);
  if (newest?.version !== version || binary.length !== count * space.dimensions) return UNCHANGED;
  const known = state.vectors.get(id);
  const goesOn = known !== undefined && sameSpace(known.space, space) && known.texts === texts;
  const before = goesOn && first !== 0 ? known.codes : new Int8Array(0);
  if (first * space.dimensions !== before.length) return UNCHANGED;
  const codes = appended(before, new Int8Array(binary.buffer, binary.byteOffset, binary.length));
  state.vectors.set(id, { version, space, texts, codes });
  return { kind: "vectors", id };
}

/**
 * Appends codes to codes. The vectors of a long document come in thousands of records, so spare bytes are left behind the codes for the next record.
 * That avoids a copy for each record. Existing bytes never change, since readers hold views of them.
 */
function appended(before: Int8Array, more: Int8Array): Int8Array {
  const length = before.length + more.length;
  let buffer = before.buffer;
  if (before.byteOffset + length > buffer.byteLength) {
    const room = before.length === 0 ? 0 : Math.ceil(length * SLACK_SHARE);
    buffer = new ArrayBuffer(length + room);
    new Int8Array(buffer).set(before);
  }
  const codes = new Int8Array(buffer, buffer === before.buffer ? before.byteOffset : 0, length);
  codes.set(more, before.length);
  return codes;
}

/** Spare bytes behind appended codes, as a share of their length. The first record gets none: it holds all vectors of most documents. */
const SLACK_SHARE = 1 / 8;
