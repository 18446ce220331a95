import { describe, expect, it } from "vitest";
import { RECORD_BYTES_MAX } from "../../src/model/limits.ts";
import { bytesOf, openStore, recoverHistory, textOf, textsOf } from "./kit.ts";
import { kinds, newStore } from "./storage-kinds.ts";

function section(name: string, ...chunks: string[]) {
  return { name, version: 1, chunks: chunks.map(bytesOf) };
}

describe.each(kinds)("a storage: %s", (_name, make) => {
  it("knows the stores that were created and not removed", async () => {
    const storage = await (await make()).open();
    expect(await storage.list()).toEqual([]);
    expect(await storage.exists("a")).toBe(false);
    await storage.create("a");
    await storage.create("b-2");
    expect(await storage.exists("a")).toBe(true);
    expect((await storage.list()).sort()).toEqual(["a", "b-2"]);
    await storage.remove("a");
    await storage.remove("a");
    expect(await storage.list()).toEqual(["b-2"]);
    await storage.create("a");
    expect((await storage.list()).sort()).toEqual(["a", "b-2"]);
    await storage.close();
  });

  it("refuses a name that is taken, impossible or missing", async () => {
    const storage = await (await make()).open();
    await storage.create("a");
    await expect(storage.create("a")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    for (const name of ["", "A", "a.b", "../a", "a/b", "a".repeat(65)]) {
      await expect(storage.create(name), name).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    }
    await storage.create("a".repeat(64));
    await expect(storage.open("none")).rejects.toMatchObject({ code: "CORRUPT" });
    await storage.close();
  });

  it("creates a store that goes on from a snapshot, or none if the snapshot breaks off", async () => {
    const storage = await (await make()).open();
    await storage.create("a", { sequence: 7, sections: [section("all", "one ", "two"), section("more")] });
    const { store, history } = await openStore(storage, "a");
    expect(history).toMatchObject({ records: [], report: { lastSequence: 7, snapshotSequence: 7 } });
    expect(textOf(history.snapshot?.sections.get("all")?.bytes ?? new Uint8Array())).toBe("one two");
    expect(history.snapshot?.sections.get("more")?.bytes.length).toBe(0);
    expect(await store.append(bytesOf("eight"))).toBe(8);
    await store.writeSnapshot(8, [section("all", "three")]);
    await store.close();
    async function* breaking() {
      yield bytesOf("begun");
      throw new Error("the source broke off");
    }
    const broken = { sequence: 3, sections: [{ name: "all", version: 1, chunks: breaking() }] };
    await expect(storage.create("b", broken)).rejects.toThrow("broke off");
    expect(await storage.list()).toEqual(["a"]);
    await storage.create("b", { sequence: 0, sections: [] });
    const empty = await openStore(storage, "b");
    expect(empty.history).toMatchObject({ snapshot: undefined, report: { lastSequence: 0 } });
    await empty.store.close();
    await storage.close();
  });

  it("is found whole, open or closed, and a store that is not there is a problem", async () => {
    const storage = await (await make()).open();
    await storage.create("a");
    expect((await storage.verify("a")).problems).toEqual([]);
    const { store } = await openStore(storage, "a");
    await store.append(bytesOf("one"));
    expect((await storage.verify("a")).problems).toEqual([]);
    const nothing = { section: () => undefined, record: () => undefined };
    await expect(storage.salvage("a", nothing)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await store.close();
    expect((await storage.salvage("a", nothing)).condition.problems).toEqual([]);
    expect((await storage.verify("none")).problems).toHaveLength(1);
    await storage.close();
  });

  it("holds a store for one user at a time", async () => {
    const storage = await (await make()).open();
    await storage.create("a");
    const store = await storage.open("a");
    await expect(storage.open("a")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await expect(storage.remove("a")).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await expect(storage.close()).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await store.close();
    await (await storage.open("a")).close();
    await storage.close();
  });

  it("refuses everything once it is closed, and closes twice", async () => {
    const storage = await (await make()).open();
    await storage.close();
    await storage.close();
    await expect(storage.create("a")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(storage.exists("a")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(storage.open("a")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(storage.remove("a")).rejects.toMatchObject({ code: "CLOSED" });
    await expect(storage.list()).rejects.toMatchObject({ code: "CLOSED" });
  });
});

describe.each(kinds)("a store: %s", (_name, make) => {
  it("is empty when it is new", async () => {
    const storage = await (await make()).open();
    await storage.create("bot");
    const { store, history } = await openStore(storage);
    expect(history).toEqual({
      snapshot: undefined,
      records: [],
      report: { lastSequence: 0, snapshotSequence: 0, replayedRecords: 0, tornBytes: 0, damagedSnapshots: 0 },
    });
    expect(store.sizes()).toMatchObject({ logBytesSinceSnapshot: 0, snapshotBytes: 0 });
    await store.close();
    await storage.close();
  });

  it("numbers appends from 1 in the order of the calls", async () => {
    const { storage, store } = await newStore(await make());
    expect(await store.append(bytesOf("1"))).toBe(1);
    const settled: number[] = [];
    const appends = [2, 3, 4, 5].map((n) =>
      store.append(bytesOf(String(n))).then((sequence) => settled.push(sequence)),
    );
    await Promise.all(appends);
    expect(settled).toEqual([2, 3, 4, 5]);
    await store.close();
    await storage.close();
  });

  it("must be recovered once, first", async () => {
    const storage = await (await make()).open();
    await storage.create("bot");
    const store = await storage.open("bot");
    await expect(store.append(bytesOf("1"))).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await expect(store.writeSnapshot(0, [])).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await recoverHistory(store);
    await expect(recoverHistory(store)).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    await store.close();
    await store.close();
    let isTold = false;
    const refused = store.append(bytesOf("1"), () => {
      isTold = true;
    });
    expect(isTold).toBe(true);
    await expect(refused).rejects.toMatchObject({ code: "CLOSED" });
    await expect(store.writeSnapshot(0, [])).rejects.toMatchObject({ code: "CLOSED" });
    await expect(recoverHistory(store)).rejects.toMatchObject({ code: "CLOSED" });
    await storage.close();
  });

  it("can be closed without having been recovered", async () => {
    const storage = await (await make()).open();
    await storage.create("bot");
    await (await storage.open("bot")).close();
    await storage.close();
  });

  it("finishes what is pending before it is closed", async () => {
    const { storage, store } = await newStore(await make());
    const appends = [1, 2, 3].map((n) => store.append(bytesOf(String(n))));
    const closed = store.close();
    expect(await Promise.all(appends)).toEqual([1, 2, 3]);
    await closed;
    await storage.close();
  });

  it("refuses a record of no bytes or too many, and goes on", async () => {
    const { storage, store } = await newStore(await make());
    await expect(store.append(new Uint8Array(0))).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    const tooLong = new Uint8Array(RECORD_BYTES_MAX + 1);
    let isTold = false;
    const refused = store.append(tooLong, () => {
      isTold = true;
    });
    expect(isTold).toBe(true);
    await expect(refused).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    expect(await store.append(bytesOf("1"))).toBe(1);
    await store.close();
    await storage.close();
  });

  it("refuses a snapshot of records that were not appended", async () => {
    const { storage, store } = await newStore(await make());
    await store.append(bytesOf("1"));
    for (const sequence of [2, -1, 0.5, Number.NaN]) {
      await expect(store.writeSnapshot(sequence, [])).rejects.toMatchObject({ code: "STORAGE_FAILED" });
    }
    await store.writeSnapshot(0, [section("all", "nothing")]);
    await store.writeSnapshot(1, [section("all", "1")]);
    await store.close();
    await storage.close();
  });
});

describe.each(kinds.slice(0, 2))("a store that keeps: %s", (_name, make) => {
  it("hands out its whole history when it is opened again", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    const texts = Array.from({ length: 300 }, (_, index) => `record ${index} ${"x".repeat(index)}`);
    await Promise.all(texts.map((text) => store.append(bytesOf(text))));
    await store.close();
    await storage.close();

    const again = await kind.open();
    expect(await again.list()).toEqual(["bot"]);
    const { store: reopened, history } = await openStore(again);
    expect(textsOf(history)).toEqual(texts);
    expect(history.records.map((record) => record.sequence)).toEqual(texts.map((_, index) => index + 1));
    expect(history.report).toMatchObject({ lastSequence: 300, replayedRecords: 300, tornBytes: 0 });
    expect(await reopened.append(bytesOf("next"))).toBe(301);
    await reopened.close();
    await again.close();
  });

  it("begins with the newest snapshot, then hands out what came after it", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    for (const text of ["a", "b", "c"]) await store.append(bytesOf(text));
    await store.writeSnapshot(2, [
      section("all", "a", "", "b"),
      section("empty"),
      { ...section("other", "x"), version: 7 },
    ]);
    await store.append(bytesOf("d"));
    await store.close();

    const { store: reopened, history } = await openStore(storage);
    expect(history.snapshot?.sequence).toBe(2);
    const sections = [...(history.snapshot?.sections ?? [])].map(([name, loaded]) => [
      name,
      loaded.name,
      loaded.version,
      textOf(loaded.bytes),
    ]);
    expect(sections).toEqual([
      ["all", "all", 1, "ab"],
      ["empty", "empty", 1, ""],
      ["other", "other", 7, "x"],
    ]);
    expect(textsOf(history)).toEqual(["c", "d"]);
    expect(history.report).toMatchObject({ lastSequence: 4, snapshotSequence: 2, replayedRecords: 2 });
    await reopened.close();
    await storage.close();
  });

  it("goes on appending while a snapshot is written", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    await store.append(bytesOf("1"));
    let evict: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      evict = resolve;
    });
    async function* chunks() {
      yield bytesOf("one");
      await held;
      yield bytesOf(" and only");
    }
    const snapshot = store.writeSnapshot(1, [{ name: "all", version: 1, chunks: chunks() }]);
    for (const n of [2, 3, 4]) expect(await store.append(bytesOf(String(n)))).toBe(n);
    evict();
    await snapshot;
    await store.close();
    const { store: reopened, history } = await openStore(storage);
    expect(textOf(history.snapshot?.sections.get("all")?.bytes ?? new Uint8Array())).toBe("one and only");
    expect(textsOf(history)).toEqual(["2", "3", "4"]);
    await reopened.close();
    await storage.close();
  });

  it("fails a recovery with the visitor's own error, and stays closed", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    await store.append(bytesOf("1"));
    await store.close();
    const failure = new Error("cannot apply that");
    for (const record of [
      () => {
        throw failure;
      },
      () => Promise.reject(failure),
    ]) {
      const broken = await storage.open("bot");
      await expect(broken.recover({ snapshot: () => undefined, record })).rejects.toBe(failure);
      await expect(broken.append(bytesOf("2"))).rejects.toMatchObject({ code: "CLOSED" });
    }
    const { store: reopened, history } = await openStore(storage);
    expect(textsOf(history)).toEqual(["1"]);
    await reopened.close();
    await storage.close();
  });

  it("can be closed during its recovery, however that ends", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    await store.append(bytesOf("1"));
    await store.close();
    for (const failure of [undefined, new Error("cannot apply that")]) {
      const closing = await storage.open("bot");
      let closed: Promise<void> | undefined;
      const recovery = closing.recover({
        snapshot: () => undefined,
        record: () => {
          closed = closing.close();
          if (failure !== undefined) throw failure;
        },
      });
      if (failure === undefined) await recovery;
      else await expect(recovery).rejects.toBe(failure);
      await closed;
      await expect(closing.append(bytesOf("2"))).rejects.toMatchObject({ code: "CLOSED" });
    }
    await storage.close();
  });

  it("waits for a slow visitor, record by record", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    for (const text of ["a", "b", "c"]) await store.append(bytesOf(text));
    await store.close();
    const reopened = await storage.open("bot");
    const seen: string[] = [];
    await reopened.recover({
      snapshot: () => undefined,
      record: async (sequence, payload) => {
        seen.push(`begin ${sequence}`);
        await new Promise((resolve) => setImmediate(resolve));
        seen.push(`end ${textOf(payload)}`);
      },
    });
    expect(seen).toEqual(["begin 1", "end a", "begin 2", "end b", "begin 3", "end c"]);
    await reopened.close();
    await storage.close();
  });

  it("says how large it is, the same after a restart", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    for (let n = 1; n <= 100; n += 1) await store.append(bytesOf("x".repeat(100)));
    expect(store.sizes()).toMatchObject({ logBytesSinceSnapshot: 13_200, snapshotBytes: 0 });
    expect(store.sizes().totalBytes).toBeGreaterThanOrEqual(13_200);
    await store.writeSnapshot(100, [section("all", "x".repeat(5000))]);
    expect(store.sizes().logBytesSinceSnapshot).toBe(0);
    expect(store.sizes().snapshotBytes).toBeGreaterThanOrEqual(5000);
    await store.append(bytesOf("x".repeat(100)));
    const sizes = store.sizes();
    expect(sizes.logBytesSinceSnapshot).toBe(132);
    await store.close();
    const { store: reopened } = await openStore(storage);
    expect(reopened.sizes()).toEqual(sizes);
    await reopened.close();
    await storage.close();
  });

  it("starts anew after it was removed and created again", async () => {
    const kind = await make();
    const { storage, store } = await newStore(kind);
    await store.append(bytesOf("old"));
    await store.close();
    await storage.remove("bot");
    await expect(storage.open("bot")).rejects.toMatchObject({ code: "CORRUPT" });
    await storage.create("bot");
    const { store: fresh, history } = await openStore(storage);
    expect(history.records).toEqual([]);
    await fresh.close();
    await storage.close();
  });
});
