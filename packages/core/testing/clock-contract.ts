import { strict as assert } from "node:assert";
import type { Clock, Random } from "../src/platform/clock.ts";
import { type ContractCase, casesOf, type Demands } from "./contract.ts";

const CLOCK_DEMANDS: Demands<() => Clock> = {
  "wallMs gives the milliseconds of a date": async (newClock) => {
    const wallMs = newClock().wallMs();
    assert.ok(wallMs >= 0 && !Number.isNaN(new Date(wallMs).getTime()), `${wallMs} is no date since the epoch`);
  },

  "monotonicMs gives finite numbers that never fall": async (newClock) => {
    const clock = newClock();
    let before = clock.monotonicMs();
    assert.ok(Number.isFinite(before), `${before} is no finite number`);
    for (let call = 1; call <= 1_000; call += 1) {
      // Also across rounds of the event loop.
      if (call % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
      const now = clock.monotonicMs();
      assert.ok(Number.isFinite(now) && now >= before, `${now} came after ${before}`);
      before = now;
    }
  },
};

/** The contract of the port `Clock`. A clock that stands still keeps it. */
export function clockContract(newClock: () => Clock): ContractCase[] {
  return casesOf(CLOCK_DEMANDS, newClock);
}

const RANDOM_DEMANDS: Demands<() => Random> = {
  "bytes gives the number of bytes that was asked for": async (newRandom) => {
    const random = newRandom();
    for (const length of [0, 1, 16, 1_000]) {
      const bytes = random.bytes(length);
      assert.ok(bytes instanceof Uint8Array, "it gives a Uint8Array");
      assert.equal(bytes.length, length);
    }
  },

  "bytes gives other bytes each time, and leaves those that it gave": async (newRandom) => {
    const random = newRandom();
    const first = random.bytes(16);
    const copy = Uint8Array.from(first);
    const given = new Set([first.join()]);
    for (let call = 0; call < 100; call += 1) given.add(random.bytes(16).join());
    assert.equal(given.size, 101, "16 bytes came twice");
    assert.deepEqual(Uint8Array.from(first), copy);
  },

  "bytes takes every value of a byte": async (newRandom) => {
    // With random bytes, one of the values is missing in fewer than one of 10^12 runs.
    assert.equal(new Set(newRandom().bytes(10_000)).size, 256);
  },
};

/** The contract of the port `Random`. It cannot tell whether bytes are unpredictable, as keys need them. */
export function randomContract(newRandom: () => Random): ContractCase[] {
  return casesOf(RANDOM_DEMANDS, newRandom);
}
