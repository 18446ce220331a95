import { describe, expect, it } from "vitest";
import { IndexPin } from "../../src/scheduling/index-pin.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";
import { TestClock } from "../support/test-clock.ts";

/** Every look at the clock is long after the one before: each step is a turn. */
const everLater = { wallMs: () => 0, monotonicMs: () => ++now * 100 };
let now = 0;

function lines(count: number, rest?: () => Promise<unknown>): SearchQueue[] {
  const turns = TimeSlices.ofSearches(everLater, rest);
  return Array.from({ length: count }, () => new SearchQueue(turns));
}

function lineOf(rest?: () => Promise<unknown>): SearchQueue {
  return lines(1, rest)[0] ?? expect.fail("no line");
}

describe("the answers of a bot", () => {
  it("are worked out one after the other, and take turns with those of other bots", async () => {
    const done: string[] = [];
    function* work(name: string): Sliced<string> {
      for (let i = 0; i < 3; i++) {
        done.push(name);
        yield;
      }
      return name;
    }
    const [busy, quiet] = lines(2);
    const asked = ["a", "b", "c", "d"].map((name) => busy?.answer({ begin: () => work(name) }));
    asked.push(quiet?.answer({ begin: () => work("-") }));
    expect(await Promise.all(asked)).toEqual(["a", "b", "c", "d", "-"]);
    expect(done.filter((name) => name !== "-").join("")).toBe("aaabbbcccddd");
    // The quiet one waits for one turn of the other at a time, not for all that wait there.
    expect(done.lastIndexOf("-")).toBeLessThan(7);
  });

  it("are done at once while there is time left in the turn", async () => {
    let rests = 0;
    const turns = TimeSlices.ofSearches(new TestClock(), async () => {
      rests++;
    });
    const line = new SearchQueue(turns);
    function* work(): Sliced<number> {
      yield;
      yield;
      return 1;
    }
    expect(await Promise.all([line.answer({ begin: work }), line.answer({ begin: work })])).toEqual([1, 1]);
    expect(rests).toBe(0);
  });

  it("are there after two microtasks while there is time left in the turn", async () => {
    const line = new SearchQueue(TimeSlices.ofSearches(new TestClock()));
    const index = { pin: new IndexPin(), watch: () => () => true };
    function* work(): Sliced<number> {
      yield;
      return 1;
    }
    let [microtasks, isDone] = [0, false];
    void line.answer({ begin: work, index, check: () => undefined }).then(() => {
      isDone = true;
    });
    for (; !isDone; microtasks++) await undefined;
    expect(microtasks).toBeLessThanOrEqual(2);
  });

  it("are begun anew where what they read has changed, and keep it still where that goes on", async () => {
    const index = { state: 0, pin: new IndexPin(), watch: (): (() => boolean) => watching() };
    const watching = (): (() => boolean) => {
      const then = index.state;
      return () => index.state === then;
    };
    let beginnings = 0;
    let [steps, longest] = [0, 0];
    const line = lineOf(async () => {
      longest = Math.max(longest, steps);
      steps = 0;
      changes++;
      index.pin.change(`${changes % 3}`, () => index.state++);
    });
    let changes = 0;
    function* work(): Sliced<string> {
      beginnings++;
      const first = index.state;
      for (let i = 0; i < 9; i++) {
        steps++;
        yield;
      }
      return `${first} ${index.state}`;
    }
    const asked = [line.answer({ begin: work, index }), line.answer({ begin: work, index })];
    const [first, second] = await Promise.all(asked);
    // One change came before it, and two ended two beginnings. The next nine were put off, three of them of the same kind each, and seen by who came next.
    expect({ first, beginnings }).toEqual({ first: "3 3", beginnings: 6 });
    expect(second?.split(" ")[0]).toBe(second?.split(" ")[1]);
    expect(Number(second?.split(" ")[0])).toBeGreaterThanOrEqual(3 + 3 + 2);
    expect(longest).toBe(1);
    expect(index.pin.isPinned).toBe(false);
  });

  it("that fail or are given up let go of what they keep still", async () => {
    const left = new AbortController();
    const index = { pin: new IndexPin(), watch: () => () => false };
    const seen: string[] = [];
    const line = lineOf(async () => {
      if (!index.pin.isPinned || left.signal.aborted) return;
      index.pin.change("a", () => seen.push("a"));
      index.pin.change("b", () => seen.push("b"));
      left.abort(new Error("left"));
    });
    function* work(): Sliced<never> {
      for (;;) yield;
    }
    const given = line.answer({ begin: work, index, signal: left.signal });
    const after = line.answer({
      begin: function* (): Sliced<string> {
        yield;
        return seen.join();
      },
    });
    await expect(given).rejects.toThrow("left");
    expect(await after).toBe("a,b");
    expect(index.pin.isPinned).toBe(false);
    await index.pin.whenFree();
  });

  it("that are given up stop working, and those that wait never begin", async () => {
    const [working, waiting] = [new AbortController(), new AbortController()];
    let steps = 0;
    let isTidy = false;
    const line = lineOf(async () => {
      if (steps === 3) waiting.abort(new Error("left"));
      if (steps === 5) working.abort(new Error("too late"));
    });
    function* work(): Sliced<never> {
      try {
        for (;;) {
          steps++;
          yield;
        }
      } finally {
        isTidy = true;
      }
    }
    const given = line.answer({ begin: work, signal: working.signal });
    const never = line.answer({ begin: () => expect.fail("it was begun"), signal: waiting.signal });
    const next = line.answer({
      begin: function* (): Sliced<string> {
        yield;
        return "next";
      },
    });
    await expect(never).rejects.toThrow("left");
    await expect(given).rejects.toThrow("too late");
    expect({ steps, isTidy }).toEqual({ steps: 5, isTidy: true });
    expect(await next).toBe("next");
    await expect(line.answer({ begin: work, signal: working.signal })).rejects.toThrow("too late");
    expect(steps).toBe(5);
  });

  it("that fail leave the place to the next, and a check ends them", async () => {
    const line = lineOf();
    const failing = line.answer({
      begin: function* (): Sliced<never> {
        yield;
        throw new Error("broken");
      },
    });
    const checked = line.answer({
      begin: () => expect.fail("it was begun"),
      check: () => {
        throw new Error("closed");
      },
    });
    const next = line.answer({
      begin: function* (): Sliced<number> {
        yield;
        return 7;
      },
    });
    await expect(failing).rejects.toThrow("broken");
    await expect(checked).rejects.toThrow("closed");
    expect(await next).toBe(7);
  });
});
