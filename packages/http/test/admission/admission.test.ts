import { describe, expect, it } from "vitest";
import { Admission, type AdmissionLimits, type Place } from "../../src/admission/admission.ts";
import { type Rounds, SYSTEM_ROUNDS } from "../../src/admission/rounds.ts";

/** Rounds that the test turns, and time that it lets pass. */
class TestRounds implements Rounds {
  #nowMs = 0;
  #runs: (() => void)[] = [];
  #ends: (() => void)[] = [];
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  nowMs = () => this.#nowMs;
  next = (run: () => void) => void this.#runs.push(run);
  afterThis = (run: () => void) => void this.#ends.push(run);
  later = (ms: number, run: () => void) => {
    const timer = { atMs: this.#nowMs + ms, run };
    this.#timers.push(timer);
    return () => void this.#timers.splice(this.#timers.indexOf(timer), 1);
  };

  /** Lets so much time pass for what was begun, and so much for others; then comes whatever is due by then, then a round. */
  async turn(ms = 0, othersMs = 0): Promise<void> {
    this.#nowMs += ms;
    for (const end of this.#ends.splice(0)) end();
    this.#nowMs += othersMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { run } of due) run();
    for (const run of this.#runs.splice(0)) run();
    await this.settled();
  }

  /** Lets whoever was given something go on. */
  async settled(): Promise<void> {
    for (let i = 0; i < 10; i++) await Promise.resolve();
  }

  get isQuiet(): boolean {
    return this.#runs.length === 0 && this.#timers.length === 0;
  }
}

function admission(limits: Partial<AdmissionLimits> = {}) {
  const rounds = new TestRounds();
  const all = { requestsMax: 10, botRequestsMax: 5, botWaitingMax: 8, keyWaitingMax: 8, waitMs: 100, ...limits };
  const admitting = new Admission(all, rounds);
  const begun: string[] = [];
  const refused: string[] = [];
  const ask = (botId: string, signal = new AbortController().signal): Promise<Place | undefined> =>
    admitting.enter({ botId, key: botId }, signal).then(
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
    const { rounds, begun, ask } = admission();
    const asked = Array.from({ length: 4 }, () => [ask("slow"), ask("quick")]).flat();
    await rounds.settled();
    const cost = () => (begun.at(-1) === "slow" ? 10 : 1);
    for (let i = 0; i < 8; i++) await rounds.turn(cost());
    await Promise.all(asked);
    // Ten of one's millisecond are worth one of the other's: it has all its turns first.
    expect(begun.join(" ")).toBe("slow quick quick quick quick slow slow slow");
  });
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
