import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { KeptFigures, type KeptFiguresDeps } from "../../src/catalog/kept-figures.ts";
import type { KnownFigures, OpenBotFigures } from "../../src/model/work.ts";
import { onAbort } from "../../src/platform/abort.ts";

const FIGURES: KnownFigures = {
  ...{ articles: 1, documents: 2, characterUsed: 3, quotaCharacters: 4, indexQueue: 0, indexFailures: 0, texts: 5 },
  ...{
    vectors: 0,
    documentsWaiting: 0,
    documentsGivenUp: 0,
    tokenCodesWaiting: 0,
    tokenCodesGivenUp: 0,
    embedderFailures: 0,
  },
};
const AS_OF = "2026-01-01T00:00:00.000Z";
const lineOf = (id: string, change: object = {}): string =>
  `${JSON.stringify({ id, figures: { ...FIGURES, asOf: AS_OF, ...change } })}\n`;
const openOf = (id: string, articles: number): OpenBotFigures => ({
  ...FIGURES,
  ...{ id, articles, diskBytes: 1, memoryBytes: 1 },
});

/** Figures over a cache; each look at the clock is a turn later, and a minute passes when the test says so. */
function keptOver(lines: string, change: Partial<KeptFiguresDeps> = {}) {
  const written: string[] = [];
  const events: string[] = [];
  const pausesMs: number[] = [];
  let pass = (): void => undefined;
  let ms = 0;
  const figures = new KeptFigures({
    cache: { read: async () => Buffer.from(lines), write: async (bytes) => void written.push(bytes.toString()) },
    open: () => [],
    isShared: false,
    isKnown: (id) => !id.startsWith("gone"),
    clock: { wallMs: () => Date.parse(AS_OF), monotonicMs: () => (ms += 100) },
    sleep: (pauseMs, signal) => {
      pausesMs.push(pauseMs);
      return new Promise((resolve) => {
        pass = resolve;
        onAbort(signal, () => resolve());
      });
    },
    logger: ({ event }) => void events.push(event),
    ...change,
  });
  return { figures, written, events, pausesMs, pass: () => pass() };
}

/** Lines of figures, whatever the order of their fields. */
const read = (lines: string): unknown[] =>
  lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** How often others had their turn while it was worked. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    await setImmediate();
    turns++;
  }
  await over;
  return turns;
}

describe("the figures of bots that an earlier run left", () => {
  it("are those of bots that are there, of which an open one has its own", async () => {
    const lines = lineOf("a") + lineOf("gone") + lineOf("b", { writtenIn: "de", lastWriteAt: AS_OF });
    const { figures } = keptOver(lines, { open: () => [openOf("a", 7)] });
    await figures.load();
    expect([...figures.all()]).toEqual([
      ["a", { ...FIGURES, articles: 7 }],
      ["b", { ...FIGURES, asOf: AS_OF, writtenIn: "de", lastWriteAt: AS_OF }],
    ]);
    expect(figures.closedOf("b")?.writtenIn).toBe("de");
  });

  it("are none where they cannot be read, and only those of lines that make sense", async () => {
    const { figures } = keptOver("", {
      cache: { read: () => Promise.reject(new Error("EIO")), write: async () => {} },
    });
    await figures.load();
    expect(figures.all().size).toBe(0);
    const wrong = [{ asOf: undefined }, { asOf: "then" }, { articles: -1 }, { lastWriteAt: "then" }];
    const other = keptOver(wrong.map((change, i) => lineOf(`${i}`, change)).join("") + lineOf("b", { writtenIn: "?" }));
    await other.figures.load();
    expect([...other.figures.all()]).toEqual([["b", { ...FIGURES, asOf: AS_OF }]]);
  });

  it("are read and written with turns for others", async () => {
    const bots = 500;
    const { figures } = keptOver(Array.from({ length: bots }, (_, i) => lineOf(`${i}`)).join(""));
    expect(await turnsDuring(figures.load())).toBeGreaterThanOrEqual(bots);
    figures.changed();
    expect(await turnsDuring(figures.close())).toBeGreaterThanOrEqual(bots);
  });
});

describe("the figures that are kept", () => {
  it("are written a minute after a change, once for all in that minute, and not without one", async () => {
    const { figures, written, pausesMs, pass } = keptOver("");
    figures.closed(openOf("a", 1));
    figures.changed();
    expect(pausesMs).toEqual([60_000]);
    pass();
    await expect.poll(() => written.map(read)).toEqual([read(lineOf("a"))]);
    await setImmediate();
    figures.closed(openOf("b", 1));
    expect(pausesMs).toEqual([60_000, 60_000]);
    pass();
    await expect.poll(() => written.map(read)).toEqual([read(lineOf("a")), read(lineOf("a") + lineOf("b"))]);
    await setImmediate();
    await figures.close();
    expect(written).toHaveLength(2);
  });

  it("are written at the end, without waiting for the minute", async () => {
    const { figures, written } = keptOver("");
    figures.closed(openOf("a", 1));
    await figures.close();
    expect(written.map(read)).toEqual([read(lineOf("a"))]);
  });

  it("are not those of a bot that was removed, which is a change", async () => {
    const { figures, written } = keptOver(lineOf("a") + lineOf("b"), { open: () => [openOf("gone", 1)] });
    await figures.load();
    figures.forget("a");
    await figures.close();
    expect(written.map(read)).toEqual([read(lineOf("b"))]);
  });

  it("keep the time of which they are, beside those that are so now", async () => {
    const earlier = "2025-01-01T00:00:00.000Z";
    const { figures, written } = keptOver(lineOf("a", { asOf: earlier }), { open: () => [openOf("b", 2)] });
    await figures.load();
    figures.changed();
    await figures.close();
    const next = keptOver(written.join(""));
    await next.figures.load();
    expect([...next.figures.all()].map(([id, { asOf, articles }]) => [id, asOf, articles])).toEqual([
      ["a", earlier, 1],
      ["b", AS_OF, 2],
    ]);
  });

  it("are told in the log where they cannot be written, and nothing else fails", async () => {
    const cache = { read: async () => undefined, write: () => Promise.reject(new Error("EIO")) };
    const { figures, events } = keptOver("", { cache });
    figures.changed();
    await figures.close();
    expect(events).toEqual(["figuresNotKept"]);
  });
});

it("keeps the later figures of each bot when several nodes write them", async () => {
  const later = "2026-01-02T00:00:00.000Z";
  let stored = lineOf("a") + lineOf("b", { articles: 1 });
  const cache = {
    read: async () => Buffer.from(stored),
    write: async (bytes: Uint8Array) => {
      stored = String(bytes);
    },
  };
  const clock = { wallMs: () => Date.parse(later), monotonicMs: () => 0 };
  const { figures } = keptOver("", { cache, isShared: true, clock });
  await figures.load();
  // Another node has closed b since, and this one closes a.
  stored = lineOf("a") + lineOf("b", { articles: 9, asOf: later }) + lineOf("c", { articles: 7 });
  figures.closed(openOf("a", 5));
  await figures.close();
  const articles = read(stored).map((line) => {
    const { id, figures } = line as { id: string; figures: KnownFigures };
    return [id, figures.articles];
  });
  expect(Object.fromEntries(articles)).toEqual({ a: 5, b: 9, c: 7 });
  expect(figures.closedOf("b")?.articles).toBe(9);
});
