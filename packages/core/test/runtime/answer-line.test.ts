import { describe, expect, it } from "vitest";
import { AnswerLine } from "../../src/runtime/answer-line.ts";
import { SharedTurns } from "../../src/runtime/shared-turns.ts";
import type { Steps } from "../../src/runtime/steps.ts";
import { TestClock } from "../support/test-clock.ts";

/** Every look at the clock is long after the one before: each step is a turn. */
const everLater = { wallMs: () => 0, monotonicMs: () => ++now * 100 };
let now = 0;

function lines(count: number, rest?: () => Promise<unknown>): AnswerLine[] {
  const turns = new SharedTurns(everLater, rest);
  return Array.from({ length: count }, () => new AnswerLine(turns));
}

function lineOf(rest?: () => Promise<unknown>): AnswerLine {
  return lines(1, rest)[0] ?? expect.fail("no line");
}

describe("the answers of a bot", () => {
  it("are worked out one after the other, and take turns with those of other bots", async () => {
    const done: string[] = [];
    function* work(name: string): Steps<string> {
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
    const turns = new SharedTurns(new TestClock(), async () => {
      rests++;
    });
    const line = new AnswerLine(turns);
    function* work(): Steps<number> {
      yield;
      yield;
      return 1;
    }
    expect(await Promise.all([line.answer({ begin: work }), line.answer({ begin: work })])).toEqual([1, 1]);
    expect(rests).toBe(0);
  });

  it("are begun anew where what they read has changed, and done at once where that goes on", async () => {
    let state = 0;
    let beginnings = 0;
    const line = lineOf(async () => {
      state++;
    });
    function* work(): Steps<string> {
      beginnings++;
      const first = state;
      for (let i = 0; i < 5; i++) yield;
      return `${first} ${state}`;
    }
    const watch = () => {
      const then = state;
      return () => state === then;
    };
    const [first, last] = (await line.answer({ begin: work, watch })).split(" ");
    expect(first).toBe(last);
    expect(beginnings).toBe(3);
  });

  it("that are given up stop working, and those that wait never begin", async () => {
    const [working, waiting] = [new AbortController(), new AbortController()];
    let steps = 0;
    let isTidy = false;
    const line = lineOf(async () => {
      if (steps === 3) waiting.abort(new Error("left"));
      if (steps === 5) working.abort(new Error("too late"));
    });
    function* work(): Steps<void> {
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
      begin: function* (): Steps<string> {
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
      begin: function* (): Steps<void> {
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
      begin: function* (): Steps<number> {
        yield;
        return 7;
      },
    });
    await expect(failing).rejects.toThrow("broken");
    await expect(checked).rejects.toThrow("closed");
    expect(await next).toBe(7);
  });
});
