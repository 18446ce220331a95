import type { BotRecord } from "../model/records.ts";
import type { IndexChange } from "./index-change.ts";
import { kindOf } from "./record-kinds.ts";
import type { BotState } from "./state.ts";

const NO_BINARY = new Uint8Array(0);

/**
 * Applies a log record to the state. It is total, and the same code serves new writes and replay after a start.
 * `binary` is the record's binary part; it is copied.
 */
export function apply(
  state: BotState,
  record: BotRecord,
  sequence: number,
  binary: Uint8Array = NO_BINARY,
): IndexChange {
  state.sequence = sequence;
  return kindOf(record).apply(state, record, sequence, binary);
}
