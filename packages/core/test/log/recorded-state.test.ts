import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { decodeRecord } from "../../src/log/record-codec.ts";
import { jsonSection, type Recorded, type RecordedKind, readJsonSection } from "../../src/log/recorded-kind.ts";
import { RecordedState } from "../../src/log/recorded-state.ts";
import type { Storage } from "../../src/storage/store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { TestClock } from "../support/test-clock.ts";

/** A state that is all records of its store, whose first record creates that. */

interface Sums extends Recorded {
  readonly texts: string[];
}
interface Added {
  readonly kind: "added" | "cleared";
  readonly text: string;
}

const SUMS: RecordedKind<Sums, Added> = {
  store: "sums",
  name: "list of texts",
  isRequired: false,
  empty: () => ({ texts: [], sequence: 0, removedAt: 0 }),
  decode: (sequence, bytes) => decodeRecord(sequence, bytes, { added: 1, cleared: 1 }).json as Added,
  apply: (state, { kind, text }, sequence) => {
    state.sequence = sequence;
    if (kind === "added") return void state.texts.push(text);
    state.texts.length = 0;
    state.removedAt = sequence;
  },
  check: (_, { text }) => {
    if (typeof text !== "string") throw new TypeError("it has no text");
  },
  frees: ({ kind }) => kind === "cleared",
  sections: ({ texts, removedAt }, clock) => [jsonSection("texts", 1, { texts: [...texts], removedAt }, clock)],
  load: (state, snapshot) => {
    const { texts, removedAt } = readJsonSection("list of texts", snapshot, "texts", [1]) as Pick<
      Sums,
      "texts" | "removedAt"
    >;
    state.texts.push(...texts);
    [state.sequence, state.removedAt] = [snapshot.sequence, removedAt];
  },
};

function openState(storage: Storage) {
  const recorded = new RecordedState({
    storage,
    kind: SUMS,
    logger: ({ event }) => expect.fail(event),
    clock: new TestClock(),
    chance: () => 0,
    sleep: async () => undefined,
    idleSleep: async () => undefined,
  });
  const add = (text: string) => recorded.exclusively(() => recorded.commit({ kind: "added", text }));
  const clear = () => recorded.exclusively(() => recorded.commit({ kind: "cleared", text: "" }));
  return { recorded, add, clear, texts: () => recorded.state.texts };
}

describe("on a disk", () => {
  it("has no store before its first record, and is read by its first use", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    const first = openState(storage);
    await first.recorded.catchUp();
    await first.recorded.purge();
    expect(await storage.list()).toEqual([]);
    await first.add("a");
    expect(await storage.list()).toEqual(["sums"]);
    await first.recorded.close();
    const next = openState(storage);
    await next.add("b");
    expect(next.texts()).toEqual(["a", "b"]);
    await next.recorded.close();
    await expect(next.add("c")).rejects.toThrow("closed");
    const unread = openState(storage);
    await unread.recorded.close();
    await expect(unread.recorded.catchUp()).rejects.toThrow("closed");
    await storage.close();
  });

  it.each(["afterKill", "afterPowerCut"] as const)(
    "loses no record that was confirmed, wherever it crashes (%s)",
    async (after) => {
      for (let at = 1; ; at += 1) {
        const disk = simulatedDisk();
        const storage = await openOn(disk);
        disk.fileSystem.setFault({ at: disk.fileSystem.operations + at, kind: "crash" });
        const { recorded, add, clear } = openState(storage);
        const confirmed: string[] = [];
        const tried = async (text: string) => add(text).then(() => void confirmed.push(text));
        const work = async () => {
          await tried("a");
          await recorded.purge();
          await tried("b");
          await clear();
          confirmed.length = 0;
          await recorded.purgeRemoved();
          await tried("c");
          await recorded.close();
        };
        await work().catch(() => undefined);
        const isWhole = !disk.fileSystem.faultHappened;
        const later = await openOn(simulatedDisk(disk.fileSystem[after]()));
        const next = openState(later);
        await next.recorded.catchUp();
        // A record that was not confirmed may be there.
        const texts = next.texts();
        expect([confirmed, [...confirmed, "a"], [...confirmed, "b"], [...confirmed, "c"], []]).toContainEqual(texts);
        if (confirmed.length > 0 && texts.length === 0) expect(confirmed).toEqual(["a", "b"]);
        await next.recorded.close();
        await later.close();
        if (isWhole) return expect(texts).toEqual(["c"]);
      }
    },
  );

  it("purges what an earlier run has removed and not purged", async () => {
    const disk = simulatedDisk();
    const storage = await openOn(disk);
    const first = openState(storage);
    await first.add("zyxquor");
    await first.clear();
    await first.recorded.close();
    const stored = async () => {
      let text = "";
      const take = (bytes: Uint8Array) => {
        text += Buffer.from(bytes).toString();
      };
      await storage.salvage("sums", { section: ({ bytes }) => take(bytes), record: (_, payload) => take(payload) });
      return text;
    };
    expect(await stored()).toContain("zyxquor");
    const next = openState(storage);
    await next.recorded.catchUp();
    await next.recorded.close();
    expect(await stored()).not.toContain("zyxquor");
    await storage.close();
  });
});

describe("on several nodes", () => {
  it("is the same on every node, in any order of their writes", async () => {
    const step = fc.record({
      node: fc.nat({ max: 2 }),
      what: fc.constantFrom("add", "add", "add", "clear", "purge", "follow"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
        const database = new SimulatedDatabase();
        const storages = [0, 1, 2].map(() => database.open());
        const nodes = storages.map(openState);
        let number = 0;
        for (const round of rounds) {
          const taken = round.map(async ({ node, what }) => {
            const { recorded, add, clear } = nodes[node] ?? expect.fail("a node");
            number += 1;
            if (what === "add") return add(`${number}`);
            if (what === "clear") return clear();
            return what === "purge" ? recorded.purge() : recorded.catchUp();
          });
          await Promise.all(taken);
        }
        const adds = rounds.flat().filter(({ what }) => what === "add").length;
        await Promise.all(nodes.map(({ recorded }) => recorded.catchUp()));
        const late = openState(database.open());
        await late.recorded.catchUp();
        for (const { texts } of nodes) expect(texts()).toEqual(late.texts());
        if (!rounds.flat().some(({ what }) => what === "clear")) expect(late.texts()).toHaveLength(adds);
        for (const { recorded } of [...nodes, late]) await recorded.close();
      }),
      { numRuns: lawRuns(200) },
    );
  });

  it("is empty where another node has removed its store, and begins again with the next record", async () => {
    const database = new SimulatedDatabase();
    const [storageA, storageB] = [database.open(), database.open()];
    const [a, b] = [openState(storageA), openState(storageB)];
    await a.add("a");
    await b.recorded.catchUp();
    expect(b.texts()).toEqual(["a"]);
    await a.recorded.close();
    await storageA.remove("sums");
    await b.recorded.catchUp();
    expect(b.texts()).toEqual([]);
    await b.add("b");
    expect(b.texts()).toEqual(["b"]);
    await b.recorded.close();
  });

  it("is not asked for again within its staleness", async () => {
    const database = new SimulatedDatabase();
    const { recorded, add } = openState(database.open());
    await recorded.catchUp(500);
    const before = database.queries;
    await recorded.catchUp(500);
    expect(database.queries).toBe(before);
    await add("a");
    const after = database.queries;
    await recorded.catchUp(500);
    expect(database.queries).toBe(after);
    await recorded.catchUp();
    expect(database.queries).toBeGreaterThan(after);
    await recorded.close();
  });
});
