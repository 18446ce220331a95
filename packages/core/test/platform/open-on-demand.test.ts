import fc from "fast-check";
import { expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { type Occupation, OpenOnDemand } from "../../src/platform/open-on-demand.ts";

/** Something that must be open once at a time, and closed while nobody uses it. */
interface Fake {
  readonly id: string;
  users: number;
  isClosed: boolean;
  occupation: Occupation;
}

interface World {
  readonly kept: OpenOnDemand<Fake>;
  /** What is open, being opened or being closed. */
  readonly there: Map<string, Fake>;
  readonly evict: string[];
  openings: number;
  mostAtOnce: number;
  readonly wrong: string[];
}

interface WorldOptions {
  readonly openMax: number;
  readonly bytesMax?: number;
  readonly bytes?: number;
  /** Everything that takes time takes it here. */
  readonly turn?: (what: string) => Promise<unknown>;
  readonly fails?: (opening: number) => boolean;
  /** What has to be waited for ends with this at the earliest. */
  readonly busyUntil?: Promise<void>;
}

function world({
  openMax,
  bytesMax = Number.POSITIVE_INFINITY,
  bytes = 1,
  turn,
  fails,
  busyUntil,
}: WorldOptions): World {
  const take = turn ?? (() => Promise.resolve());
  const made: World = {
    there: new Map(),
    evict: [],
    openings: 0,
    mostAtOnce: 0,
    wrong: [],
    kept: new OpenOnDemand<Fake>({
      open: async (id) => {
        const opening = ++made.openings;
        const fake: Fake = { id, users: 0, isClosed: false, occupation: "none" };
        if (made.there.has(id)) made.wrong.push(`${id} is opened twice`);
        made.there.set(id, fake);
        made.mostAtOnce = Math.max(made.mostAtOnce, made.there.size);
        await take(`open ${id}`);
        if (fails?.(opening) !== true) return fake;
        made.there.delete(id);
        throw new Error("it cannot be opened now");
      },
      close: (fake) => close(fake),
      occupation: ({ occupation }) => occupation,
      whenInterruptible: async (fake) => {
        await take(`settle ${fake.id}`);
        await busyUntil;
        fake.occupation = "none";
      },
      bytes: () => bytes,
      openMax,
      bytesMax,
      onEvict: (id, { users }) => {
        if (users > 0) made.wrong.push(`${id} is let go while it is used`);
        made.evict.push(id);
      },
      onCloseFailed: (id) => made.wrong.push(`${id} was not closed`),
      isRefused: () => false,
    }),
  };
  const close = async (fake: Fake): Promise<void> => {
    if (fake.isClosed) made.wrong.push(`${fake.id} is closed twice`);
    fake.isClosed = true;
    await take(`close ${fake.id}`);
    made.there.delete(fake.id);
  };
  return made;
}

async function use({ kept, wrong }: World, id: string, work: (fake: Fake) => Promise<unknown>): Promise<void> {
  await kept.use(id, async (fake) => {
    if (fake.isClosed) wrong.push(`${id} is used when it is closed`);
    fake.users += 1;
    await work(fake);
    fake.users -= 1;
  });
}

const ID = fc.constantFrom("a", "b", "c", "d", "e");
const CALL = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("use" as const), id: ID, turns: fc.nat(2) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("occupy" as const), id: ID, firmly: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("discard" as const), id: ID }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("find" as const), id: ID }) },
);

it("in whatever order things happen, nothing is open twice or too much at once, let go while it is used, or waited for in vain", async () => {
  const property = fc.asyncProperty(
    fc.scheduler(),
    fc.array(CALL, { minLength: 1, maxLength: 25 }),
    fc.record({ openMax: fc.integer({ min: 1, max: 4 }), bytesMax: fc.integer({ min: 1, max: 6 }) }),
    fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }),
    fc.boolean(),
    async (scheduler, calls, budgets, failing, isClosedEarly) => {
      const turn = (what: string): Promise<unknown> => scheduler.schedule(Promise.resolve(), what);
      const made = world({ ...budgets, turn, fails: (opening) => failing.includes(opening) });
      const { kept, there, wrong } = made;
      const discarded = new Set<string>();
      let settled = 0;
      const run = async (call: (typeof calls)[number]): Promise<void> => {
        await turn("call");
        if (call.kind === "find") await kept.find(call.id);
        else if (call.kind === "discard") {
          discarded.add(call.id);
          await kept.discard(call.id, async (fake) => {
            fake.isClosed = true;
            await turn(`discard ${fake.id}`);
            there.delete(fake.id);
          });
        } else {
          await use(made, call.id, async (fake) => {
            if (call.kind === "occupy") fake.occupation = call.firmly ? "uninterruptible" : "interruptible";
            else for (let i = 0; i < call.turns; i++) await turn("work");
          });
        }
      };
      const running = calls.map((call) =>
        run(call)
          .catch(() => undefined)
          .finally(() => {
            settled += 1;
          }),
      );
      let isClosed = false;
      if (isClosedEarly) {
        running.push(
          turn("close all")
            .then(() => kept.close())
            .then(() => {
              isClosed = true;
            }),
        );
      }
      await scheduler.waitIdle();
      expect(settled).toBe(calls.length);
      expect(isClosed).toBe(isClosedEarly);
      if (isClosedEarly) expect([...there.keys()]).toEqual([]);
      expect(made.mostAtOnce).toBeLessThanOrEqual(budgets.openMax);
      expect(kept.count).toBe(there.size);
      // Who is discarded or closed is closed whoever uses it.
      const real = wrong.filter((what) => !(isClosedEarly || [...discarded].some((id) => what.startsWith(id))));
      expect(real).toEqual([]);
      expect(wrong.filter((what) => what.endsWith("twice") && what.includes("opened"))).toEqual([]);
    },
  );
  await fc.assert(property, { numRuns: lawRuns(1_000) });
});

it("the least recently used goes first", async () => {
  const made = world({ openMax: 3 });
  for (const id of ["a", "b", "c", "a", "d", "e"]) await use(made, id, async () => undefined);
  expect(made.evict).toEqual(["b", "c"]);
  expect(made.kept.count).toBe(3);
});

it("what is used or has work left is let go after what is idle, and what has to be waited for is waited for", async () => {
  let finish = (): void => undefined;
  const busyUntil = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const made = world({ openMax: 2, busyUntil });
  const occupy = (id: string, occupation: Occupation) =>
    use(made, id, async (fake) => {
      fake.occupation = occupation;
    });
  await occupy("working", "interruptible");
  await occupy("idle", "none");
  await use(made, "a", async () => undefined);
  expect(made.evict).toEqual(["idle"]);
  await occupy("a", "uninterruptible");
  await use(made, "b", async () => undefined);
  expect(made.evict).toEqual(["idle", "working"]);
  await occupy("b", "uninterruptible");
  const waits = use(made, "c", async () => undefined);
  await new Promise((resolve) => setImmediate(resolve));
  expect(made.evict).toEqual(["idle", "working"]);
  finish();
  await waits;
  expect(made.evict).toEqual(["idle", "working", "a"]);
});

it("one that takes more memory than there is to be is used as often as anybody wants, and not opened anew each time", async () => {
  const made = world({ openMax: 10, bytesMax: 5, bytes: 9 });
  for (let i = 0; i < 5; i++) await use(made, "large", async () => undefined);
  expect(made.openings).toBe(1);
  await use(made, "other", async () => undefined);
  expect(made.evict).toEqual(["large"]);
  await use(made, "large", async () => undefined);
  expect(made.openings).toBe(3);
});

it("what is refused for good is not tried again, and takes no place", async () => {
  let openings = 0;
  const kept = new OpenOnDemand<object>({
    open: async (id) => {
      openings += 1;
      if (id === "damaged") throw new Error("damaged");
      return {};
    },
    close: async () => undefined,
    occupation: () => "none",
    whenInterruptible: async () => undefined,
    bytes: () => 0,
    openMax: 1,
    bytesMax: 1,
    onEvict: () => undefined,
    onCloseFailed: () => undefined,
    isRefused: () => true,
  });
  for (let i = 0; i < 3; i++) await expect(kept.hold("damaged")).rejects.toThrow("damaged");
  expect([openings, kept.count]).toEqual([1, 0]);
  await kept.use("whole", () => undefined);
  expect(kept.count).toBe(1);
  await kept.close();
  await expect(kept.hold("whole")).rejects.toMatchObject({ code: "CLOSED" });
});

it("what grows after it was used, by what it was given to do, is counted when that is done", async () => {
  const sizes: Record<string, number> = { a: 1, b: 1 };
  const busy = new Set<string>();
  let finish = (): void => undefined;
  const evict: string[] = [];
  const kept = new OpenOnDemand<{ id: string }>({
    open: async (id) => ({ id }),
    close: async () => undefined,
    occupation: ({ id }) => (busy.has(id) ? "uninterruptible" : "none"),
    whenInterruptible: () =>
      new Promise((resolve) => {
        finish = resolve;
      }),
    bytes: ({ id }) => sizes[id] ?? 0,
    openMax: 10,
    bytesMax: 10,
    onEvict: (id) => void evict.push(id),
    onCloseFailed: () => undefined,
    isRefused: () => false,
  });
  await kept.use("a", () => undefined);
  await kept.use("b", ({ id }) => void busy.add(id));
  sizes.b = 20;
  busy.clear();
  finish();
  await new Promise((resolve) => setImmediate(resolve));
  expect(evict).toEqual(["a"]);
});

it("says while something is being opened, also where that fails", async () => {
  const ends: (() => void)[] = [];
  const turn = (): Promise<unknown> => new Promise<void>((resolve) => ends.push(resolve));
  const { kept } = world({ openMax: 1, turn, fails: (opening) => opening === 1 });
  for (const isOpened of [false, true]) {
    expect(kept.isOpening).toBe(false);
    const used = kept.use("a", () => true).catch(() => false);
    await expect.poll(() => ends.length).toBe(1);
    expect(kept.isOpening).toBe(true);
    ends.pop()?.();
    expect(await used).toBe(isOpened);
    expect(kept.isOpening).toBe(false);
  }
});

it("what is kept for good stays open, and leaves its place to others", async () => {
  const made = world({ openMax: 1 });
  await use(made, "a", async () => undefined);
  made.kept.keepForGood("a");
  made.kept.keepForGood("a");
  await use(made, "b", async () => undefined);
  await use(made, "c", async () => undefined);
  expect([...made.there.keys()]).toEqual(["a", "c"]);
  expect(made.kept.count).toBe(1);
  await made.kept.discard("a", async (fake) => void made.there.delete(fake.id));
  expect(made.kept.count).toBe(1);
  await made.kept.close();
  expect([...made.there.keys(), ...made.wrong]).toEqual([]);
  expect(made.kept.count).toBe(0);
});
