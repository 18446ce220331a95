import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Store } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/index.ts";
import { appendInTheEnd, appendText, follow, type Told } from "../../testing/told-nodes.ts";
import { bytesOf, openStore, requireRefusedAtOnce, sectionOf } from "../../testing/told-stores.ts";
import { TestClock } from "../support/test-clock.ts";

const UNREACHABLE = { code: "UNREACHABLE" };
const GONE = { code: "REPLACED" };

/** Two nodes with the new store `bot` open. */
async function twoNodes(database: SimulatedDatabase): Promise<[Store, Store]> {
  const [first, second] = [database.open(), database.open()];
  await first.create("bot");
  return [(await openStore(first)).store, (await openStore(second)).store];
}

describe("a simulated database", () => {
  it("refuses every call at once while it is cut, and says for how long", async () => {
    const clock = new TestClock();
    const database = new SimulatedDatabase({ clock });
    const storage = database.open();
    const [store] = await twoNodes(database);
    const pending = appendText(store, "on its way");
    database.cut();
    await expect(pending).rejects.toMatchObject(UNREACHABLE);
    const before = database.queries;
    await requireRefusedAtOnce(store, bytesOf("refused"), UNREACHABLE);
    for (const call of [follow(store), store.readCache("graph"), storage.list(), storage.shared?.admit("key", 1)]) {
      await expect(call).rejects.toMatchObject(UNREACHABLE);
    }
    expect(database.queries).toBe(before);
    clock.advance(1_500);
    expect(storage.shared?.silentMs()).toBe(1_500);
    database.mend();
    expect(storage.shared?.silentMs()).toBe(0);
    expect(await appendText(store, "again")).toBe(1);
  });

  it("stores an append once whose answer was lost", async () => {
    const database = new SimulatedDatabase();
    const [a, b] = await twoNodes(database);
    database.loseAnswer();
    expect(await Promise.all([appendText(a, "1"), appendText(a, "2")])).toEqual([1, 2]);
    expect(await follow(a)).toEqual([]);
    expect(await follow(b)).toEqual([
      [1, "1"],
      [2, "2"],
    ]);
  });

  it("hands out an append whose answer was lost, and that could not be looked up", async () => {
    const database = new SimulatedDatabase();
    const [store] = await twoNodes(database);
    database.loseAnswer(true);
    await expect(appendText(store, "unknown")).rejects.toMatchObject(UNREACHABLE);
    database.mend();
    await expect(appendText(store, "decided without it")).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await follow(store)).toEqual([[1, "unknown"]]);
    expect(await appendText(store, "next")).toBe(2);
  });

  it.each(["a purge", "snapshots"])(
    "says UNREACHABLE of an append whose answer was lost, and whose record %s deleted",
    async (by) => {
      let before = Number.POSITIVE_INFINITY;
      const roundTrip = async () => {
        if (database.queries <= before) return;
        before = Number.POSITIVE_INFINITY;
        await deleteRecords();
      };
      const database = new SimulatedDatabase({ roundTrip });
      const [a, b] = await twoNodes(database);
      const deleteRecords = async () => {
        await follow(b);
        if (by === "a purge") await b.purge(async (sequence) => ({ sequence, sections: [sectionOf("all", "stored")] }));
        for (let n = 2; by === "snapshots" && n <= 4; n += 1) {
          await appendText(b, String(n));
          await b.writeSnapshot(n, [sectionOf("all", "stored")]);
        }
      };
      database.loseAnswer();
      before = database.queries;
      await expect(appendText(a, "stored")).rejects.toMatchObject(UNREACHABLE);
      await expect(follow(a)).rejects.toMatchObject(GONE);
    },
  );

  it("replaces the stores whose last records it lost, also if others took their numbers", async () => {
    const database = new SimulatedDatabase();
    const [a, b] = await twoNodes(database);
    await appendText(a, "kept");
    await follow(b);
    await appendText(a, "lost");
    await a.writeSnapshot(2, [sectionOf("all", "lost too")]);
    database.rewind("bot", 1);
    expect(await appendText(b, "another")).toBe(2);
    await expect(follow(a)).rejects.toMatchObject(GONE);
    await requireRefusedAtOnce(a, bytesOf("refused"), GONE);
    const { history } = await openStore(database.open());
    expect(history.snapshot).toBeUndefined();
    expect(history.records.map(({ text }) => text)).toEqual(["kept", "another"]);
    expect(() => database.rewind("bot", 3)).toThrow(RangeError);
  });

  it("keeps two snapshots, and the records after the older one", async () => {
    const database = new SimulatedDatabase();
    const [a, b] = await twoNodes(database);
    for (const sequence of [1, 2, 3]) {
      await appendText(a, String(sequence));
      await a.writeSnapshot(sequence, [sectionOf("all", String(sequence))]);
    }
    await expect(follow(b)).rejects.toMatchObject(GONE);
    database.rewind("bot", 1);
    const { store, history } = await openStore(database.open());
    expect(history.report).toMatchObject({ snapshotSequence: 2, lastSequence: 2 });
    await store.close();
  });

  it("asks once for calls of follow, and for appends, that wait together", async () => {
    const database = new SimulatedDatabase();
    const [a, b] = await twoNodes(database);
    let before = database.queries;
    await Promise.all([1, 2, 3].map((n) => appendText(a, String(n))));
    expect(database.queries - before).toBe(1);
    before = database.queries;
    await Promise.all([1, 2, 3].map(() => follow(b)));
    expect(database.queries - before).toBe(1);
  });

  it("stores every record once, in one order, however the calls of two nodes meet and answers are lost", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(fc.nat(20), { maxLength: 3 }), async (scheduler, lost) => {
        let trips = 0;
        const roundTrip = () => {
          if (lost.includes(trips++)) database.loseAnswer();
          return scheduler.schedule(Promise.resolve());
        };
        const database = new SimulatedDatabase({ roundTrip });
        const [toldA, toldB]: [Told[], Told[]] = [[], []];
        const work = async () => {
          const [a, b] = await twoNodes(database);
          const all = async (store: Store, texts: string[], told: Told[]) => {
            for (const text of texts) await appendInTheEnd(store, text, told);
          };
          await Promise.all([all(a, ["a1", "a2", "a3"], toldA), all(b, ["b1", "b2", "b3"], toldB)]);
          await Promise.all([follow(a, toldA), follow(b, toldB)]);
        };
        await scheduler.waitFor(work());
        expect(toldA).toEqual(toldB);
        expect(toldA.map(([, text]) => text).sort()).toEqual(["a1", "a2", "a3", "b1", "b2", "b3"]);
      }),
      { numRuns: 100 },
    );
  });
});
