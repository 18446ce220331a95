import type { Clock } from "../platform/clock.ts";
import { RequestRates } from "../quotas/request-rates.ts";
import type { SharedStorage } from "../storage/store.ts";
import { isUnreachable } from "./decide-again.ts";

/** Counts a request of a key and gives 0, or gives the milliseconds until it can be admitted, and counts nothing. */
export type RequestAdmission = (key: string, perMinute: number) => number | Promise<number>;

/** Counts the requests of keys: for all nodes on a shared storage, otherwise in memory. While the storage does not answer, this node counts by itself. */
export function requestAdmission(shared: SharedStorage | undefined, clock: Clock): RequestAdmission {
  const rates = new RequestRates(clock);
  if (shared === undefined) return (key, perMinute) => rates.admit(key, perMinute);
  return (key, perMinute) =>
    shared.admit(key, perMinute).catch((error: unknown) => {
      if (isUnreachable(error)) return rates.admit(key, perMinute);
      throw error;
    });
}
