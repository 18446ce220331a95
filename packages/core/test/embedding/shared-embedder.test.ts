import { describe, expect, it } from "vitest";
import type { Embedder, EmbedderOffer } from "../../src/embedding/embedder.ts";
import { EmbedderError } from "../../src/embedding/embedder-error.ts";
import { SharedEmbedder } from "../../src/embedding/shared-embedder.ts";
import { EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN } from "../../src/model/options.ts";
import type { LogEvent } from "../../src/platform/log-event.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";

interface Shared {
  readonly shared: SharedEmbedder;
  readonly events: LogEvent[];
  /** Waits that were asked for, in milliseconds. */
  readonly waits: number[];
}

/** Whose waits are over at once; but that of a question for the opening never is, unless `late`. */
function sharedOf(
  open: (signal?: AbortSignal) => Promise<Embedder>,
  late = false,
  more: Partial<EmbedderOffer> = {},
): Shared {
  const [events, waits]: [LogEvent[], number[]] = [[], []];
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    waits.push(ms);
    if (ms !== OPENING_MS || late) return;
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
  };
  const shared = new SharedEmbedder("fake", { languages: [], open, ...more }, (event) => events.push(event), sleep);
  return { shared, events, waits };
}

/** The embedder when it is open, be it after many tries. */
async function openedOf(shared: SharedEmbedder): Promise<Embedder | undefined> {
  await new Promise<void>((resolve) => shared.onOpened(resolve));
  return shared.get();
}

const OPENING_MS = 2_000;
const never = (): Promise<never> => new Promise(() => undefined);

describe("an embedder that cannot be opened", () => {
  it("is tried again, less and less often, until it can; that is said once, and when it is there", async () => {
    let tries = 0;
    const { shared, events, waits } = sharedOf(async () => {
      tries += 1;
      if (tries <= 12) throw new Error(`away ${tries}`);
      return new FakeEmbedder();
    }, true);
    expect(await shared.get()).toBeUndefined();
    expect(shared.missing?.why).toMatch(/^away /);
    const embedder = await openedOf(shared);
    expect(await shared.get()).toBe(embedder);
    expect(shared.missing).toBeUndefined();
    expect(tries).toBe(13);
    expect(waits[0]).toBe(EMBEDDING_RETRY_MS_MIN);
    expect(waits).toEqual(waits.map((_, i) => Math.min(EMBEDDING_RETRY_MS_MAX, EMBEDDING_RETRY_MS_MIN * 2 ** i)));
    expect(events.map(({ event }) => event)).toEqual(["embedderUnavailable", "embedderAvailable"]);
    await shared.close();
  });

  it("is closed if it was opened and what it says of itself can't be, and tried again", async () => {
    const bad = new FakeEmbedder({ weight: 2 });
    const offered = [bad, new FakeEmbedder()];
    const { shared } = sharedOf(async () => offered.shift() ?? new FakeEmbedder());
    expect(await shared.get()).toBeUndefined();
    expect(bad.isClosed).toBe(true);
    expect((await openedOf(shared))?.weight).toBe(0.5);
    await shared.close();
  });

  it("keeps no question waiting: neither between the tries nor during one", async () => {
    let tries = 0;
    const { shared } = sharedOf(() => (++tries === 1 ? Promise.reject(new Error("away")) : never()));
    expect(await shared.get()).toBeUndefined();
    await expect.poll(() => tries).toBe(2);
    expect(await shared.embedQuestion("a question")).toBeUndefined();
  });

  it("or takes long to open, keeps a question waiting only so long", async () => {
    const { shared, waits } = sharedOf(never, true);
    expect(await shared.embedQuestion("a question")).toBeUndefined();
    expect(waits).toEqual([OPENING_MS]);
  });

  it("is not tried any more once the engine is closed, and one that is being opened is told", async () => {
    let told = 0;
    const { shared } = sharedOf(
      (signal) =>
        new Promise((_, reject) => {
          signal?.addEventListener("abort", () => {
            told += 1;
            reject(new Error("told"));
          });
        }),
    );
    const opening = shared.get();
    await shared.close();
    expect(await opening).toBeUndefined();
    expect(told).toBe(1);
  });
});

describe("a look whether an embedder can be had", () => {
  const away = (): Promise<never> =>
    Promise.reject(new EmbedderError("EMBEDDER_UNAVAILABLE", "The library is not installed.", { mend: "npm i it" }));
  const STORY =
    "Passages are found by words alone, not by the embedder fake: the library is not installed. To mend it: npm i it";

  it("opens nothing, tells what is missing once, also when it is tried later, and what mends it", async () => {
    let opened = 0;
    const open = (): Promise<never> => {
      opened += 1;
      return away();
    };
    const { shared, events } = sharedOf(open, false, { check: away });
    expect(await shared.look()).toMatchObject({ story: STORY, instead: "words", mend: "npm i it" });
    expect((await shared.look())?.story).toBe(STORY);
    expect(opened).toBe(0);
    expect(await shared.get()).toBeUndefined();
    expect(opened).toBeGreaterThan(0);
    expect((await shared.look())?.story).toBe(STORY);
    expect(events).toEqual([{ level: "warn", event: "embedderUnavailable", message: STORY }]);
    await shared.close();
  });

  it("finds it again when it is there, and that is said when it has been opened, not before", async () => {
    const checks = [away, () => Promise.resolve()];
    const open = async (): Promise<Embedder> => new FakeEmbedder();
    const { shared, events } = sharedOf(open, false, { check: async () => checks.shift()?.() });
    expect((await shared.look())?.story).toBe(STORY);
    expect(await shared.look()).toBeUndefined();
    expect(events.map(({ event }) => event)).toEqual(["embedderUnavailable"]);
    await shared.get();
    expect(events.map(({ event }) => event)).toEqual(["embedderUnavailable", "embedderAvailable"]);
    await shared.close();
  });

  it("is repeated as long as it is missing, and not once it was found", async () => {
    let looks = 0;
    const check = async (): Promise<void> => {
      looks += 1;
      if (looks < 3) await away();
    };
    const { shared } = sharedOf(never, false, { check });
    for (let asked = 0; asked < 6; asked += 1) await shared.look();
    expect(looks).toBe(3);
    await shared.close();
  });

  it("does not contradict an embedder that has been opened meanwhile", async () => {
    let answer = (): void => undefined;
    const check = () =>
      new Promise<void>((_, reject) => {
        answer = () => reject(new Error("away"));
      });
    const { shared, events } = sharedOf(async () => new FakeEmbedder(), false, { check });
    const look = shared.look();
    await shared.get();
    answer();
    expect(await look).toBeUndefined();
    expect(events).toEqual([]);
    await shared.close();
  });
});
