import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { OutputQueue, type Sink } from "../../src/terminal/output-queue.ts";

/** A place that takes what the test lets it take. */
class TestSink implements Sink {
  taken = "";
  #asked: { readonly bytes: Buffer; readonly done: (result: number | Error) => void } | undefined;

  write(bytes: Buffer, done: (result: number | Error) => void): void {
    expect(this.#asked).toBe(undefined);
    this.#asked = { bytes, done };
  }

  writeNow(bytes: Buffer): void {
    this.taken += bytes.toString();
  }

  get isAsked(): boolean {
    return this.#asked !== undefined;
  }

  /** Takes so many bytes of what it was asked to write, by default all. */
  take(count = Number.POSITIVE_INFINITY): void {
    const asked = this.#asked;
    this.#asked = undefined;
    if (asked === undefined) return;
    const bytes = asked.bytes.subarray(0, count);
    this.taken += bytes.toString();
    asked.done(bytes.length);
  }

  refuse(): void {
    const asked = this.#asked;
    this.#asked = undefined;
    asked?.done(new Error("ENOSPC"));
  }
}

it("writes all in order, some lines at a time, while the place takes its time", async () => {
  const sink = new TestSink();
  const queue = new OutputQueue(sink);
  for (const line of ["1\n", "2\n", "3\n"]) queue.write(line);
  const settled = queue.settled();
  sink.take(1);
  queue.write("4\n");
  while (sink.isAsked) sink.take();
  await settled;
  await queue.settled();
  expect(sink.taken).toBe("1\n2\n3\n4\n");
});

it("drops what finds no room, and tells how much once lines are taken again, behind those that were before", () => {
  const sink = new TestSink();
  const queue = new OutputQueue(sink, { bytesMax: 10 });
  queue.onResumed = (dropped) => queue.write(`dropped ${dropped}\n`);
  for (let i = 0; i < 9; i++) queue.write(`${i} is\n`);
  while (sink.isAsked) sink.take();
  expect(sink.taken).toBe("0 is\n1 is\ndropped 7\n");
});

it("drops what is refused, tries again with what comes next, and begins it on a line of its own", () => {
  const sink = new TestSink();
  const told: number[] = [];
  const queue = new OutputQueue(sink, { onResumed: (dropped) => told.push(dropped) });
  queue.write("one\n");
  sink.take(2);
  sink.refuse();
  expect([sink.isAsked, told]).toEqual([false, []]);
  queue.write("two\n");
  sink.refuse();
  queue.write("three\n");
  sink.take();
  expect([sink.taken, told]).toEqual(["on\nthree\n", [2]]);
});

it("hands over what waits when the process ends", () => {
  const sink = new TestSink();
  const queue = new OutputQueue(sink);
  queue.write("begun\n");
  queue.write("waits\n");
  queue.flushNow();
  expect(sink.taken).toBe("waits\n");
});

const happening = fc.oneof(
  fc.record({ kind: fc.constant("write" as const), length: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ kind: fc.constant("take" as const), count: fc.integer({ min: 1, max: 30 }) }),
  fc.record({ kind: fc.constant("refuse" as const) }),
);

it("holds no more than it may, and every line is taken or counted: whatever happens", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const sink = new TestSink();
      let dropped = 0;
      const queue = new OutputQueue(sink, { bytesMax: 20, onResumed: (lines) => (dropped += lines) });
      let written = 0;
      for (const each of happenings) {
        if (each.kind === "write") queue.write(`${"x".repeat(each.length)}${written++}\n`);
        else if (each.kind === "take") sink.take(each.count);
        else sink.refuse();
      }
      queue.write("last\n");
      while (sink.isAsked) sink.take();
      queue.write("end\n");
      while (sink.isAsked) sink.take();
      const whole = sink.taken.split("\n").filter((line) => /^x+\d+$|^last$|^end$/.test(line));
      expect(dropped).toBeGreaterThanOrEqual(written + 2 - whole.length);
      expect(sink.taken.endsWith("end\n")).toBe(true);
      // Whole lines stand in their order.
      const numbers = whole.map((line) => Number(/\d+$/.exec(line)?.[0] ?? 1_000));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }),
    { numRuns: lawRuns(500) },
  );
});
