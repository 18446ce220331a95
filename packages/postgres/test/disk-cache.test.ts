import { Hash, randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LogEvent } from "@loredex/core";
import { expect, it, onTestFinished, vi } from "vitest";
import { DiskCache } from "../src/disk-cache.ts";

const MEBIBYTE = 1_048_576;

/** A cache in a new directory. The database of the test has the stores and objects in `stored`. */
async function opened({
  bytesMax = 16 * MEBIBYTE,
  directory = "",
  onAsked = async (): Promise<void> => undefined,
} = {}) {
  const parent = directory === "" ? await mkdtemp(join(tmpdir(), "loredex-cache-")) : directory;
  const place = directory === "" ? join(parent, "cache") : directory;
  const stored = new Set<string>();
  const events: LogEvent[] = [];
  const questions: (readonly string[])[] = [];
  const cache = new DiskCache({
    directory: place,
    bytesMax,
    stored: {
      objects: async (stores, ids) => {
        questions.push(stores);
        await onAsked();
        return new Set(ids.filter((id) => stored.has(id)));
      },
    },
    logger: (event) => void events.push(event),
  });
  onTestFinished(async () => {
    await cache.close();
    await rm(parent, { recursive: true, force: true });
  });
  const newKey = () => {
    const key = { store: randomUUID(), object: randomUUID() };
    stored.add(key.object);
    return key;
  };
  return { cache, place, stored, events, questions, newKey };
}

const PIECES = [Buffer.from("first"), Buffer.alloc(0), Buffer.from("third part")];
const LENGTHS = PIECES.map(({ length }) => length);

it("gives back the parts that were written, and nothing for what it has not", async () => {
  const { cache, newKey } = await opened();
  const key = newKey();
  expect(await cache.read(key, LENGTHS)).toBeUndefined();
  cache.write(key, PIECES);
  await cache.settled();
  expect(await cache.read(key, LENGTHS)).toEqual(PIECES);
  expect(await cache.read(newKey(), LENGTHS)).toBeUndefined();
});

it.skipIf(process.platform === "win32")("lets nobody else read its files", async () => {
  const { cache, place, newKey } = await opened();
  const key = newKey();
  cache.write(key, PIECES);
  await cache.settled();
  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;
  expect(await modeOf(place)).toBe(0o700);
  expect(await modeOf(join(place, key.store))).toBe(0o700);
  expect(await modeOf(join(place, key.store, key.object))).toBe(0o600);
});

const DAMAGE: readonly [string, (bytes: Buffer) => Buffer][] = [
  ["a flipped bit", (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
  ["a flipped bit of the checksum", (bytes) => Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)])],
  ["a missing end", (bytes) => bytes.subarray(0, -1)],
  ["more bytes", (bytes) => Buffer.concat([bytes, Buffer.from("x")])],
  ["no bytes", () => Buffer.alloc(0)],
];

it.each(DAMAGE)("gives nothing of a file with %s, deletes it, and takes it again", async (_what, damage) => {
  const { cache, place, newKey } = await opened();
  const key = newKey();
  cache.write(key, PIECES);
  await cache.settled();
  const path = join(place, key.store, key.object);
  await writeFile(path, damage(await readFile(path)));
  expect(await cache.read(key, LENGTHS)).toBeUndefined();
  expect(await readdir(join(place, key.store))).toEqual([]);
  cache.write(key, PIECES);
  await cache.settled();
  expect(await cache.read(key, LENGTHS)).toEqual(PIECES);
});

it("deletes the least recently used files beyond its maximum", async () => {
  const { cache, place, newKey } = await opened({ bytesMax: MEBIBYTE });
  const piece = Buffer.alloc(MEBIBYTE / 8);
  const keys = Array.from({ length: 7 }, newKey);
  const [oldest, second] = keys;
  for (const [age, key] of keys.entries()) {
    cache.write(key, [piece]);
    await cache.settled();
    const used = new Date(Date.now() - (10 - age) * 3_600_000);
    await utimes(join(place, key.store, key.object), used, used);
  }
  if (oldest === undefined || second === undefined) throw new Error("There are seven keys.");
  // It is the most recently used one now.
  expect(await cache.read(oldest, [piece.length])).toBeDefined();
  for (let more = 0; more < 2; more += 1) cache.write(newKey(), [piece]);
  await cache.settled();
  expect(await cache.read(oldest, [piece.length])).toBeDefined();
  expect(await cache.read(second, [piece.length])).toBeUndefined();
});

it("keeps no object that would drive out most others", async () => {
  const { cache, newKey } = await opened({ bytesMax: MEBIBYTE });
  const key = newKey();
  cache.write(key, [Buffer.alloc(MEBIBYTE)]);
  await cache.settled();
  expect(await cache.read(key, [MEBIBYTE])).toBeUndefined();
});

it("deletes what was removed, and what the database no longer has", async () => {
  const { cache, place, stored, newKey } = await opened();
  const [removed, ofRemovedStore, purged, kept] = [newKey(), newKey(), newKey(), newKey()];
  for (const key of [removed, ofRemovedStore, purged, kept]) cache.write(key, PIECES);
  await cache.remove(removed);
  await cache.removeStore(ofRemovedStore.store);
  stored.delete(purged.object);
  await cache.sweepStore(purged.store);
  for (const key of [removed, ofRemovedStore, purged]) expect(await cache.read(key, LENGTHS)).toBeUndefined();
  expect(await cache.read(kept, LENGTHS)).toEqual(PIECES);
  // A store that another node has removed while no process of this node was there.
  const half = `${kept.object}.${randomUUID()}.tmp`;
  await writeFile(join(place, kept.store, half), "half");
  const old = new Date(Date.now() - 7_200_000);
  await utimes(join(place, kept.store, half), old, old);
  const later = await opened({ directory: place });
  await later.cache.settled();
  expect(await readdir(place)).toEqual([]);
});

it("leaves files alone that are not its own", async () => {
  const { cache, place, newKey } = await opened();
  const key = newKey();
  const { store } = key;
  cache.write(key, PIECES);
  await cache.settled();
  const theirs = [join(place, "notes.txt"), join(place, randomUUID()), join(place, store, "half.tmp")];
  const old = new Date(Date.now() - 7_200_000);
  for (const path of theirs) {
    await writeFile(path, "theirs");
    await utimes(path, old, old);
  }
  const later = await opened({ directory: place });
  await later.cache.settled();
  for (const path of theirs) expect(await readFile(path, "utf8")).toBe("theirs");
  expect(await readdir(join(place, store))).toEqual(["half.tmp"]);
});

it("fails no call where its directory cannot be used, and says so once", async () => {
  const { place, ...first } = await opened();
  await writeFile(place, "a file");
  const { cache, events, newKey } = first;
  for (let time = 0; time < 3; time += 1) {
    const key = newKey();
    cache.write(key, PIECES);
    expect(await cache.read(key, LENGTHS)).toBeUndefined();
    await cache.remove(key);
  }
  await cache.settled();
  expect(events.map(({ event }) => event)).toEqual(["cacheFailed"]);
});

it("hashes large objects in pieces, and gives others the thread in between", async () => {
  const { cache, newKey } = await opened({ bytesMax: 64 * MEBIBYTE });
  const hashedIn = new Map<number, number>();
  let round = 0;
  let isDone = false;
  const count = (): void => {
    round += 1;
    if (!isDone) setImmediate(count);
  };
  count();
  const { update } = Hash.prototype;
  const spy = vi.spyOn(Hash.prototype, "update").mockImplementation(function (
    this: Hash,
    bytes: string | NodeJS.ArrayBufferView,
  ) {
    hashedIn.set(round, (hashedIn.get(round) ?? 0) + Buffer.byteLength(bytes));
    const updated: Hash = Reflect.apply(update, this, [bytes]);
    return updated;
  });
  const piece = Buffer.alloc(3 * MEBIBYTE, "a");
  try {
    const key = newKey();
    cache.write(key, [piece]);
    await cache.settled();
    const [read] = (await cache.read(key, [piece.length])) ?? [];
    expect(read?.equals(piece)).toBe(true);
  } finally {
    spy.mockRestore();
    isDone = true;
  }
  const bytes = [...hashedIn.values()];
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBe(2 * piece.length);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(MEBIBYTE / 2);
});

it("asks for the objects of many bots in one statement, and lets nothing wait for the answer but the sweep", async () => {
  const first = await opened();
  const keys = Array.from({ length: 50 }, first.newKey);
  for (const key of keys) first.cache.write(key, PIECES);
  await first.cache.settled();
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { cache, questions, stored, newKey } = await opened({ directory: first.place, onAsked: () => answered });
  await expect.poll(() => questions).toHaveLength(1);
  expect([...(questions[0] ?? [])].sort()).toEqual(keys.map(({ store }) => store).sort());
  const [kept, removed, ofRemovedStore] = [newKey(), newKey(), newKey()];
  for (const key of [kept, removed, ofRemovedStore]) cache.write(key, PIECES);
  await cache.remove(removed);
  await cache.removeStore(ofRemovedStore.store);
  expect(await cache.read(kept, LENGTHS)).toEqual(PIECES);
  for (const key of [removed, ofRemovedStore]) expect(await cache.read(key, LENGTHS)).toBeUndefined();
  expect(questions).toHaveLength(1);
  for (const { object } of keys.slice(1)) stored.add(object);
  answer();
  await cache.settled();
  expect(await readdir(first.place)).not.toContain(keys[0]?.store);
  expect(await readdir(first.place)).toEqual(expect.arrayContaining(keys.slice(1).map(({ store }) => store)));
});

it("ends a sweep when it is closed", async () => {
  const { place, newKey } = await opened();
  const { store } = newKey();
  await mkdir(join(place, store), { recursive: true });
  const files = Array.from({ length: 1_100 }, () => join(place, store, randomUUID()));
  await Promise.all(files.map((path) => writeFile(path, "")));
  let closed: Promise<void> | undefined;
  const later = await opened({
    directory: place,
    onAsked: async () => {
      closed = later.cache.close();
    },
  });
  await expect.poll(() => closed !== undefined).toBe(true);
  await closed;
  expect(later.questions).toHaveLength(1);
  expect((await readdir(join(place, store))).length).toBeGreaterThanOrEqual(100);
});
