import { expect } from "vitest";

/** Expects of a value that it comes to be so. Patient, since machines are slow at times. */
export function eventually<Value>(read: () => Value) {
  return expect.poll(read, { timeout: 15_000, interval: 5 });
}
