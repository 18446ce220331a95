import { describe, expect, it } from "vitest";
import { Places } from "../src/places.ts";
import { soon } from "./fake-worker.ts";

describe("places", () => {
  it("are as many as were said; who comes later waits, and is served in order", async () => {
    const places = new Places(2);
    const served: number[] = [];
    const turns = [0, 1, 2, 3].map((number) => {
      const turn = places.take();
      void turn.taken.then(() => served.push(number));
      return turn;
    });
    await soon();
    expect(served).toEqual([0, 1]);
    places.give();
    await soon();
    expect(served).toEqual([0, 1, 2]);
    places.give();
    await Promise.all(turns.map((turn) => turn.taken));
    expect(served).toEqual([0, 1, 2, 3]);
  });

  it("go past one who left the line", async () => {
    const places = new Places(1);
    await places.take().taken;
    const leaving = places.take();
    const next = places.take();
    leaving.leave(new Error("gone"));
    await expect(leaving.taken).rejects.toThrow("gone");
    places.give();
    await expect(next.taken).resolves.toBeUndefined();
  });

  it("stay the owner's when leaving comes too late", async () => {
    const places = new Places(1);
    const first = places.take();
    await first.taken;
    first.leave(new Error("too late"));
    const second = places.take();
    places.give();
    second.leave(new Error("too late"));
    await expect(second.taken).resolves.toBeUndefined();
  });
});
