import { SIGN_IN_ADDRESSES_MAX, SIGN_IN_FAILURES_MAX } from "../model/limits.ts";

/** Failures count for this many milliseconds. */
const WINDOW_MS = 15 * 60_000;
/** The pause after each further failure, in milliseconds. */
const PAUSE_MS = 30_000;

/**
 * Milliseconds until an address may try to sign in again: 0 until it has failed {@link SIGN_IN_FAILURES_MAX} times within 15 minutes. From then on, each try
 * has to come 30 seconds after the last failure, until fewer failures are within 15 minutes. A refused try does not count.
 * @param failures times of its last failures, oldest first
 */
export function signInWaitMs(failures: readonly number[], nowMs: number): number {
  const counted = recent(failures, nowMs);
  if (counted.length < SIGN_IN_FAILURES_MAX) return 0;
  return Math.min(PAUSE_MS, Math.max(0, Math.max(...counted) + PAUSE_MS - nowMs));
}

/** Counts a failure of an address. Addresses without a recent failure are dropped, and the least recent ones beyond the maximum. */
export function countFailure(failures: Map<string, readonly number[]>, address: string, atMs: number): void {
  const times = [...recent(failures.get(address) ?? [], atMs), atMs].slice(-SIGN_IN_FAILURES_MAX);
  failures.delete(address);
  for (const [other, earlier] of failures) {
    if (recent(earlier, atMs).length > 0 && failures.size < SIGN_IN_ADDRESSES_MAX) break;
    failures.delete(other);
  }
  failures.set(address, times);
}

/** Failures that count. Clocks of nodes differ a little. A failure further in the future was counted by a clock that was set back since. */
function recent(times: readonly number[], nowMs: number): number[] {
  return times.filter((atMs) => atMs > nowMs - WINDOW_MS && atMs <= nowMs + PAUSE_MS);
}

/**
 * The address by which failures count. One network may have 2⁶⁴ addresses of IPv6, so these count by their first 64 bits; an address of IPv4 that is
 * written as one of IPv6 counts as what it is. Anything else counts as it is written, up to 100 characters.
 */
export function countedAddress(address: string): string {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  const [withoutZone] = address.split("%", 1);
  const host = `http://[${withoutZone}]`;
  if (!URL.canParse(host)) return address.slice(0, ADDRESS_CHARACTERS_MAX);
  const [head = "", tail] = new URL(host).hostname.slice(1, -1).split("::");
  const groups = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const [first, rest] = [groups(head), groups(tail ?? "")];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - rest.length }, () => "0");
  return `${[...first, ...zeros, ...rest].slice(0, 4).join(":")}::/64`;
}

const ADDRESS_CHARACTERS_MAX = 100;
