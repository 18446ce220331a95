/** What answers must look like, in one place. */

import { expect } from "vitest";
import type { Reply } from "./client.ts";

/** A field and the rule that it breaks. */
export type Broken = readonly [field: string, type: string];

interface Result {
  readonly field: string;
  readonly type: string;
}

/** The fields and rules that a 400 names, after its shape has been checked. */
export function brokenRules(reply: Reply<unknown>): Broken[] {
  expect(reply.status, reply.text).toBe(400);
  expect(reply.json).toEqual({
    message: expect.stringMatching(/\S/),
    code: 1001,
    status: 400,
    data: { result: expect.any(Array) },
  });
  // Its shape was checked the line before, and each entry is checked below.
  const { result } = (reply.json as { data: { result: Result[] } }).data;
  expect(result.length).toBeGreaterThan(0);
  for (const entry of result) {
    expect(entry).toEqual({
      message: expect.stringMatching(/\S/),
      field: expect.any(String),
      type: expect.stringMatching(/^[a-z][A-Za-z]*$/),
    });
  }
  return result.map(({ field, type }) => [field, type]);
}

/** A 400 that names exactly these fields and rules, in any order. */
export function expectInvalid(reply: Reply<unknown>, ...expected: readonly Broken[]): void {
  const order = (a: Broken, b: Broken) => (`${a}` < `${b}` ? -1 : 1);
  expect(brokenRules(reply).sort(order)).toEqual([...expected].sort(order));
}

/** An error of the common shape, and nothing else in it. */
export function expectRefused(reply: Reply<unknown>, status: number, code: number): void {
  expect(reply.status, reply.text).toBe(status);
  expect(reply.json).toEqual({ success: false, error: { message: expect.stringMatching(/\S/), code, status } });
}

/** The plain text of a refused rate. */
export function expectRateRefused(reply: Reply<unknown>, retryAfter: string | null): void {
  expect(reply.status, reply.text).toBe(429);
  expect(reply.headers.get("content-type")).toMatch(/^text\/plain\b/);
  expect(reply.text).toMatch(/character rate limit/i);
  expect(reply.text).toMatch(/exceeded/i);
  expect(reply.headers.get("retry-after")).toBe(retryAfter);
}
