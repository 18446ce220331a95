/** What every store refuses as a record, whatever keeps it. */

import { RECORD_BYTES_MAX } from "../limits.ts";
import { misuse } from "./disk-errors.ts";

export function checkPayload(payload: Uint8Array): void {
  if (payload.length < 1 || payload.length > RECORD_BYTES_MAX) {
    throw misuse(`A log record has 1 to ${RECORD_BYTES_MAX} bytes; this one has ${payload.length}. Split it.`);
  }
}
