import { expect, it } from "vitest";
import { bytesOf } from "../../testing/told-stores.ts";
import { historyOn, newStore, simulatedDisk, storeFiles } from "./kit.ts";

it("a snapshot leaves out what can be made again where it is too long, and fails for anything else", async () => {
  const disk = simulatedDisk();
  const { storage, store } = await newStore(disk, { sectionBytesMax: 100 });
  for (const text of ["one", "two"]) await store.append(bytesOf(text));
  const pulled: string[] = [];
  function* chunks(name: string, bytes: number) {
    for (let at = 0; at < bytes; at += 10) {
      pulled.push(name);
      yield new Uint8Array(10);
    }
  }
  const known = { name: "known", version: 1, chunks: [...chunks("known", 100)] };
  const derived = { name: "derived", version: 1, chunks: chunks("derived", 110), isDerived: true };
  const last = { name: "last", version: 1, chunks: chunks("last", 20), isDerived: true };
  expect(await store.writeSnapshot(1, [known, derived, last])).toEqual(["derived"]);
  // Sections of a backup come one after the other: nothing may be passed over.
  expect(pulled.filter((name) => name === "derived")).toHaveLength(11);
  const before = await storeFiles(disk);
  expect(before.filter((name) => /derived|tmp/.test(name))).toEqual([]);
  const long = { name: "known", version: 1, chunks: chunks("known", 101) };
  await expect(store.writeSnapshot(2, [long])).rejects.toMatchObject({ code: "STORAGE_FAILED" });
  expect(await storeFiles(disk)).toEqual(before);
  await store.close();
  await storage.close();
  expect([...((await historyOn(disk)).snapshot?.sections.keys() ?? [])]).toEqual(["known", "last"]);
});
