/** What a rate window must hold after a crash, from what a writer said it was about to do and what was acknowledged. */

import { expect } from "vitest";
import type { Event, State } from "./events.ts";

const WINDOW_MS = 60_000;
/** How far the clocks of two processes may be apart. */
const SLACK_MS = 500;

/** Characters that a write added, or may have added, at some time between two. */
export interface Charge {
  readonly characters: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isAcknowledged: boolean;
}

/** The charges of one life of the writer that began with `before`. */
export function chargesOf(before: State, events: readonly Event[]): Charge[] {
  const bodies = new Map(before);
  const open = new Map<number, Event>();
  const charges: Charge[] = [];
  const end = Math.max(0, ...events.map(({ at }) => at ?? 0));
  const charged = (event: Event): number => {
    const old = event.id === undefined ? undefined : bodies.get(event.id);
    const title = old === undefined ? `Lane ${event.lane}` : "";
    return Math.max(0, characters(title) + characters(event.body ?? "") - characters(old ?? ""));
  };
  for (const event of events) {
    const { lane = -1, id, body } = event;
    if (event.try !== undefined) open.set(lane, event);
    const begun = open.get(lane);
    if (event.done === undefined || begun === undefined) continue;
    open.delete(lane);
    if (event.done === "put") {
      const times = { fromMs: begun.at ?? 0, toMs: event.at ?? 0 };
      charges.push({ characters: charged(begun), ...times, isAcknowledged: true });
    }
    if (event.done === "put" && id !== undefined && body !== undefined) bodies.set(id, body);
    if (event.done === "delete" && id !== undefined) bodies.delete(id);
  }
  for (const event of open.values()) {
    if (event.try !== "put") continue;
    const times = { fromMs: event.at ?? 0, toMs: end + WINDOW_MS };
    charges.push({ characters: charged(event), ...times, isAcknowledged: false });
  }
  return charges;
}

/** Fails unless `used`, asked for between two times, is what the charges of the last minute add up to. */
export function expectWindow(used: number, charges: readonly Charge[], askedMs: number, answeredMs: number): void {
  const sum = (some: readonly Charge[]): number => some.reduce((total, { characters }) => total + characters, 0);
  const sure = charges.filter((each) => each.isAcknowledged && each.fromMs > answeredMs - WINDOW_MS + SLACK_MS);
  const possible = charges.filter(({ toMs }) => toMs > askedMs - WINDOW_MS - SLACK_MS);
  expect(used).toBeGreaterThanOrEqual(sum(sure));
  expect(used).toBeLessThanOrEqual(sum(possible));
}

function characters(text: string): number {
  return [...text].length;
}
