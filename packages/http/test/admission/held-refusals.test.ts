import { describe, expect, it } from "vitest";
import { HeldRefusals } from "../../src/admission/held-refusals.ts";
import { TestRounds } from "./test-rounds.ts";

function holding(botHeldMax: number, heldMax = 1_000) {
  const rounds = new TestRounds();
  const holds = new HeldRefusals({ heldMs: 100, botHeldMax, heldMax }, rounds);
  const refused: string[] = [];
  const come = async (count: number, botId = "loud", signal?: AbortSignal): Promise<void> => {
    for (let i = 0; i < count; i++) {
      void holds.next(botId, signal ?? new AbortController().signal).then(
        () => refused.push(botId),
        (reason) => refused.push(`${botId} ${reason}`),
      );
    }
    await rounds.settled();
  };
  return { rounds, refused, come };
}

describe("a refusal that is held back", () => {
  it("is told after its time, in the order in which they came, and not before", async () => {
    const { rounds, refused, come } = holding(10);
    await come(2, "a");
    await rounds.turn(60);
    await come(1, "b");
    await rounds.turn(39);
    expect(refused).toEqual([]);
    await rounds.turn(1);
    expect(refused).toEqual(["a", "a"]);
    await rounds.turn(60);
    expect(refused).toEqual(["a", "a", "b"]);
    expect(rounds.isQuiet).toBe(true);
  });

  it("of one burst is told in several rounds", async () => {
    const { rounds, refused, come } = holding(100);
    await come(100);
    const inRounds: number[] = [];
    for (let before = 0; refused.length < 100; before = refused.length) {
      await rounds.turn(inRounds.length === 0 ? 100 : 1);
      inRounds.push(refused.length - before);
    }
    expect(Math.max(...inRounds)).toBe(16);
  });

  it("is one of so many for a bot: one more is refused at once, and room is made by whoever goes", async () => {
    const { rounds, refused, come } = holding(3);
    const leaving = new AbortController();
    await come(1, "loud", leaving.signal);
    await come(3);
    expect(refused).toEqual(["loud"]);
    await come(1, "other");
    expect(refused).toEqual(["loud"]);
    leaving.abort("left");
    await rounds.settled();
    expect(refused).toEqual(["loud", "loud left"]);
    await come(1);
    expect(refused).toEqual(["loud", "loud left"]);
    await rounds.turn(100);
    expect(refused).toEqual(["loud", "loud left", "loud", "loud", "other", "loud"]);
    await rounds.turn(200);
    expect(rounds.isQuiet).toBe(true);
  });

  it("is one of so many for all bots together: they keep connections that others could have", async () => {
    const { rounds, refused, come } = holding(3, 4);
    await come(3, "a");
    await come(2, "b");
    expect(refused).toEqual(["b"]);
    await rounds.turn(100);
    expect(refused).toEqual(["b", "a", "a", "a", "b"]);
  });

  it("is no refusal for whoever has left before", async () => {
    const { rounds, refused, come } = holding(3);
    const gone = new AbortController();
    gone.abort("gone");
    await come(1, "loud", gone.signal);
    expect([refused, rounds.isQuiet]).toEqual([["loud gone"], true]);
  });
});
