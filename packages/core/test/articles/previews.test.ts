import { expect, it } from "vitest";
import { Articles } from "../../src/articles/articles.ts";
import { emptyState } from "../../src/log/state.ts";
import { SearchQueue } from "../../src/scheduling/search-queue.ts";
import { type Sliced, TimeSlices } from "../../src/scheduling/time-slices.ts";

/** Every step ends its turn. */
function previewsOf(onRest: () => void, check: () => void = () => undefined) {
  let ms = 0;
  const clock = { wallMs: () => ms, monotonicMs: () => (ms += 100) };
  const cut = { steps: 0 };
  const refused = async (): Promise<never> => expect.fail("nothing is written");
  const fields = { id: "", title: "t", body: "b", metadata: {}, activeOn: [], createdAtMs: 0, updatedAtMs: 0 };
  const document = { id: "", titles: [], content: [], metaData: {}, status: "active", type: "EXTERNAL" } as const;
  const foreseen = { article: { ...fields, characterCount: 2 }, document, charge: 2, characterLeft: 1, waitMs: 0 };
  const articles = new Articles({
    state: emptyState(),
    ingest: {
      articles: { create: refused, update: refused, upsert: refused, delete: refused, foresee: () => foreseen },
    },
    ready: refused,
    searchable: () => undefined,
    *passages(): Sliced<[]> {
      for (let i = 0; i < 10; i++) {
        cut.steps++;
        yield;
      }
      return [];
    },
    previews: new SearchQueue(TimeSlices.ofSearches(clock, async () => onRest())),
    check,
    slices: new TimeSlices(clock),
  });
  return { articles, cut };
}

it("lets others pass while it cuts, and stops when nobody waits for it any more", async () => {
  let rests = 0;
  const whole = previewsOf(() => rests++);
  expect(await whole.articles.preview({})).toMatchObject({ characterCount: 2, passages: [] });
  expect([whole.cut.steps, rests]).toEqual([10, expect.toSatisfy((n: number) => n >= 10)]);

  const client = new AbortController();
  const left = previewsOf(() => client.abort(new Error("left")));
  await expect(left.articles.preview({}, { signal: client.signal })).rejects.toThrow("left");
  expect(left.cut.steps).toBeLessThan(3);
  await expect(left.articles.preview({}, { signal: client.signal })).rejects.toThrow("left");
  expect(left.cut.steps).toBeLessThan(3);
});

it("is worked on one after the other, and one that is given up while it waits leaves the line", async () => {
  const order: string[] = [];
  const { articles, cut } = previewsOf(() => undefined);
  const client = new AbortController();
  const first = articles.preview({}).then(() => order.push(`first at ${cut.steps}`));
  const second = articles.preview({}, { signal: client.signal }).catch(() => order.push("given up"));
  const third = articles.preview({}).then(() => order.push(`third at ${cut.steps}`));
  client.abort(new Error("left"));
  await Promise.all([first, second, third]);
  expect(order).toEqual(["given up", "first at 10", "third at 20"]);
});

it("ends with its bot", async () => {
  let isClosed = false;
  const check = (): void => {
    if (isClosed) throw new Error("closed");
  };
  const { articles, cut } = previewsOf(() => (isClosed = true), check);
  await expect(articles.preview({})).rejects.toThrow("closed");
  expect(cut.steps).toBeLessThan(3);
});
