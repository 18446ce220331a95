import { SNAPSHOT_LOG_BYTES_MIN, SNAPSHOT_LOG_SHARE } from "../model/options.ts";
import type { Store } from "../storage/store.ts";

/** From which length of the log on a snapshot is due: bytes at least, and a share of the last snapshot. */
export interface Due {
  readonly bytesMin: number;
  readonly share: number;
}

export const WHILE_WRITTEN: Due = { bytesMin: SNAPSHOT_LOG_BYTES_MIN, share: SNAPSHOT_LOG_SHARE };

/** Whether the log has grown so far that a snapshot is due. @param failedAtBytes its length at the last snapshot that failed: the next one waits for more */
export function isSnapshotDue(
  { logBytesSinceSnapshot, snapshotBytes }: ReturnType<Store["sizes"]>,
  { bytesMin, share }: Due,
  failedAtBytes = Number.NEGATIVE_INFINITY,
): boolean {
  const againAt = failedAtBytes + SNAPSHOT_LOG_BYTES_MIN;
  return logBytesSinceSnapshot > Math.max(bytesMin, snapshotBytes * share, againAt);
}
