import { describe, expect, it } from "vitest";
import { Admission, type AdmissionLimits, type Place } from "../../src/admission/admission.ts";
import { SYSTEM_ROUNDS } from "../../src/admission/rounds.ts";
import { TestRounds } from "./test-rounds.ts";

function admission(limits: Partial<AdmissionLimits> = {}) {
  const rounds = new TestRounds();
  const all = { requestsMax: 10, botRequestsMax: 5, botWaitingMax: 8, keyWaitingMax: 8, waitMs: 100, ...limits };
  const admitting = new Admission(all, rounds);
  const begun: string[] = [];
  const refused: string[] = [];
  const ask = (botId: string, signal = new AbortController().signal): Promise<Place | undefined> =>
    (admitting.enter({ botId, key: botId }, signal) ?? Promise.reject(new Error("full"))).then(
      (place) => {
        begun.push(botId);
        return place;
      },
      () => {
        refused.push(botId);
        return undefined;
      },
    );
  return { rounds, begun, refused, ask };
}

describe("a round", () => {
  it("begins one request, at once where nobody waits", async () => {
    const { rounds, begun, ask } = admission();
    for (let i = 0; i < 3; i++) void ask("a");
    await rounds.turn();
    expect(begun).toEqual(["a", "a"]);
    await rounds.turn();
    expect(begun).toEqual(["a", "a", "a"]);
    await rounds.turn();
    expect(rounds.isQuiet).toBe(false);
    await rounds.turn(200);
    expect(rounds.isQuiet).toBe(true);
  });

  it("is charged to the bot that it was spent on", async () => {
    const { rounds, begun, ask } = admission({ waitMs: 10_000 });
    const asked = Array.from({ length: 4 }, () => [ask("slow"), ask("quick")]).flat();
    await rounds.settled();
    const cost = () => (begun.at(-1) === "slow" ? 40 : 1);
    for (let i = 0; i < 8; i++) await rounds.turn(cost());
    await Promise.all(asked);
    // What one's cost is worth is more than all that the other's do: it has all its turns first.
    expect(begun.join(" ")).toBe("slow quick quick quick quick slow slow slow");
  });
});

it("a bot whose starts cost next to nothing has not most of the rounds for that", async () => {
  const { rounds, begun, ask } = admission({
    waitMs: 100_000,
    botWaitingMax: 1_000,
    keyWaitingMax: 1_000,
    botRequestsMax: 1_000,
    requestsMax: 2_000,
  });
  for (let i = 0; i < 300; i++) void ask("written");
  await rounds.settled();
  let asked = 0;
  let mostWaiting = 0;
  for (let round = 0; round < 200; round++) {
    if (round % 3 === 0) {
      void ask("asked");
      asked++;
    }
    await rounds.settled();
    // A question is done within its start, a write in others' turns.
    await rounds.turn(begun.at(-1) === "asked" ? 2 : 0.1, 5);
    mostWaiting = Math.max(mostWaiting, asked - begun.filter((bot) => bot === "asked").length);
  }
  expect(mostWaiting).toBeLessThanOrEqual(2);
});

describe("what others take of a round", () => {
  it("is not charged to the bot whose request it began", async () => {
    const { rounds, begun, ask } = admission({ waitMs: 10_000 });
    const asked = Array.from({ length: 4 }, () => [ask("quiet"), ask("loud")]).flat();
    await rounds.settled();
    for (let i = 0; i < 8; i++) await rounds.turn(1, begun.at(-1) === "quiet" ? 100 : 0);
    expect(begun.length).toBe(8);
    expect(begun.join(" ")).not.toContain("loud loud loud");
    await Promise.all(asked);
  });
});

describe("a place", () => {
  it("is one of so many for a bot, and of so many for all", async () => {
    const { rounds, begun, ask } = admission({ requestsMax: 3, botRequestsMax: 2 });
    const first = ask("a");
    for (const bot of ["a", "a", "b", "b"]) void ask(bot);
    for (let i = 0; i < 10; i++) await rounds.turn(1);
    expect(begun.toSorted()).toEqual(["a", "a", "b"]);
    const place = await first;
    place?.release();
    place?.release();
    for (let i = 0; i < 10; i++) await rounds.turn(1);
    expect(begun.length).toBe(4);
  });

  it("says how long it was waited for", async () => {
    const { rounds, ask } = admission({ requestsMax: 1 });
    const [one, other] = [ask("a"), ask("b")];
    await rounds.turn(30);
    const place = await one;
    expect(place?.waitedMs).toBe(0);
    place?.release();
    await rounds.turn(5);
    expect((await other)?.waitedMs).toBe(35);
  });
});

describe("whoever waits", () => {
  it("is refused in time, and leaves without a trace", async () => {
    const { rounds, begun, refused, ask } = admission({ requestsMax: 1 });
    const place = await ask("a");
    void ask("b");
    await rounds.turn(60);
    void ask("c");
    await rounds.turn(40);
    expect(refused).toEqual(["b"]);
    await rounds.turn(59);
    expect(refused).toEqual(["b"]);
    await rounds.turn(1);
    expect(refused).toEqual(["b", "c"]);
    place?.release();
    await rounds.turn();
    expect([begun, rounds.isQuiet]).toEqual([["a"], true]);
  });

  it("is refused where he would be begun too late, though no timer had its turn", async () => {
    const { rounds, begun, refused, ask } = admission({ requestsMax: 1 });
    const place = await ask("a");
    void ask("b");
    await rounds.turn(99);
    place?.release();
    await rounds.turn(1);
    expect([begun, refused]).toEqual([["a"], ["b"]]);
  });

  it.each(["a timer has its turn", "a place becomes free"])(
    "in a burst is refused in several rounds, when %s",
    async (when) => {
      const { rounds, begun, refused, ask } = admission({ requestsMax: 1, botWaitingMax: 200, keyWaitingMax: 200 });
      const place = await ask("a");
      for (let i = 0; i < 100; i++) void ask("b");
      await rounds.turn(99);
      if (when === "a place becomes free") place?.release();
      const inRounds: number[] = [];
      for (let before = 0; refused.length < 100; before = refused.length) {
        await rounds.turn(inRounds.length === 0 ? 1 : 2);
        inRounds.push(refused.length - before);
        expect(inRounds.length).toBeLessThan(20);
      }
      expect(Math.max(...inRounds)).toBeLessThan(40);
      expect(begun).toEqual(["a"]);
    },
  );

  it("may leave, and is told why", async () => {
    const { rounds, begun, ask } = admission({ requestsMax: 1 });
    const place = await ask("a");
    const [leaving, gone] = [new AbortController(), new AbortController()];
    gone.abort("gone");
    const refused = [ask("b", leaving.signal), ask("b", gone.signal)];
    void ask("c");
    leaving.abort("left");
    expect(await Promise.all(refused)).toEqual([undefined, undefined]);
    place?.release();
    await rounds.turn();
    expect(begun).toEqual(["a", "c"]);
  });
});

it("what follows from promises at once belongs to a start, and what others do later does not", async () => {
  const done: string[] = [];
  const later = new Promise<void>((resolve) => {
    setImmediate(() => {
      done.push("another");
      resolve();
    });
  });
  const work = (async () => {
    for (let i = 0; i < 5; i++) await Promise.resolve();
    done.push("work");
  })();
  SYSTEM_ROUNDS.afterThis(() => done.push("end"));
  await Promise.all([work, later]);
  expect(done).toEqual(["work", "end", "another"]);
});

it("the time that is watched keeps no process", () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const before = timers();
  const stop = SYSTEM_ROUNDS.later(1_000, () => {});
  expect(timers()).toBe(before);
  stop();
});
