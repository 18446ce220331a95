import { ADMIN_EVENT_STREAMS_MAX, ADMIN_KEY_EVENT_STREAMS_MAX, type AdminIdentity } from "@loredex/core";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { EventHub } from "../../src/admin/events.ts";
import { FakeAdmin } from "../support/fake-admin.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TICK_MS = 2_000;

/** A hub whose ticks take this many milliseconds. */
function hubOf(tickMs: number) {
  const admin = new FakeAdmin();
  let [ticks, atOnce, atOnceMax] = [0, 0, 0];
  admin.liveBots = async () => {
    ticks += 1;
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    await new Promise((resolve) => setTimeout(resolve, tickMs));
    atOnce -= 1;
    return [];
  };
  const hub = new EventHub(
    admin,
    async () => undefined,
    (error) => expect.fail(String(error)),
  );
  let isValid = true;
  const open = (name = "ada") => {
    const identity: AdminIdentity = { name, scope: "read", keyId: name };
    return hub.open({ identity, isStillValid: async () => isValid });
  };
  return { hub, open, revoke: () => (isValid = false), seen: () => ({ ticks, atOnceMax }) };
}

it("ticks once at a time, however many consoles come while it does", async () => {
  const { open, seen, hub } = hubOf(500);
  const streams = [];
  for (let count = 0; count < 5; count += 1) {
    streams.push(open(`key ${count}`));
    await vi.advanceTimersByTimeAsync(300);
  }
  await vi.advanceTimersByTimeAsync(1_300);
  const before = seen().ticks;
  await vi.advanceTimersByTimeAsync(4 * (TICK_MS + 500));
  expect([seen().ticks - before, seen().atOnceMax]).toEqual([4, 1]);
  hub.close();
});

it("tells a console that came during a tick soon after it", async () => {
  const { open, hub, seen } = hubOf(500);
  open();
  await vi.advanceTimersByTimeAsync(100);
  const late = open();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen().ticks).toBe(2);
  expect((await late.next()).value).toContain("retry");
  expect((await late.next()).value).toContain("event: fleet");
  hub.close();
});

it("sends nothing more to a slow console whose key was revoked", async () => {
  const { open, revoke } = hubOf(0);
  const slow = open();
  await vi.advanceTimersByTimeAsync(TICK_MS);
  expect((await slow.next()).value).toContain("retry");
  revoke();
  await vi.advanceTimersByTimeAsync(4 * TICK_MS);
  expect(await slow.next()).toEqual({ done: true, value: undefined });
});

it("serves a bounded number of consoles, of all keys together", () => {
  const { open, hub } = hubOf(0);
  for (let count = 0; count < ADMIN_EVENT_STREAMS_MAX; count += 1) open(`key ${count % 32}`);
  expect(() => open("another")).toThrow("as many consoles as it may");
  expect(ADMIN_EVENT_STREAMS_MAX / 32).toBeLessThanOrEqual(ADMIN_KEY_EVENT_STREAMS_MAX);
  hub.close();
});
