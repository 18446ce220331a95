import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { TokenCodesOfSearch } from "../../../src/index/token-codes/codes-of-search.ts";
import { TokenCodeCache } from "../../../src/index/token-codes/held-codes.ts";
import { KeptTokenCodes } from "../../../src/index/token-codes/kept-codes.ts";
import { blocksOf } from "../../../testing/told-blocks.ts";
import {
  blockFiles,
  openOn,
  readWhole,
  type SimulatedDisk,
  simulatedDisk,
  storePath,
  writeWhole,
} from "../../storage/kit.ts";

/** Token codes that no other part of any version has, nor the same part made again. */
function tokenCodesOf(id: string, version: number, window: number, made: number): Uint8Array {
  return Buffer.from(`${id}/${version}/${window}/${made} `.repeat(9));
}

/** A store's token codes, opened, what is read of them, and how to close it all. */
async function openTokenCodes(
  disk: SimulatedDisk,
  held: TokenCodeCache,
  wanted = (_: string, __: number) => true,
  label = "model",
) {
  const storage = await openOn(disk);
  if (!(await storage.exists("bot"))) await storage.create("bot");
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  const damaged: string[] = [];
  const blocks = blocksOf(store);
  const reads: string[] = [];
  const readBlock = blocks.read.bind(blocks);
  blocks.read = (block, from, to) => {
    reads.push(`${block.id} ${from}-${to}`);
    return readBlock(block, from, to);
  };
  const kept = new KeptTokenCodes({ blocks, held, onLost: (ids) => damaged.push(...ids) });
  await kept.open(label, wanted, async () => undefined);
  const close = async (): Promise<void> => {
    kept.close();
    await store.close();
    await storage.close();
  };
  return { kept, damaged, reads, close };
}

async function allOf(kept: KeptTokenCodes, id: string, version: number, to: number): Promise<string[] | undefined> {
  const tokenCodes = new TokenCodesOfSearch(kept);
  tokenCodes.find(id, version, 0, to);
  await tokenCodes.read();
  return tokenCodes.find(id, version, 0, to)?.map((each) => Buffer.from(each).toString());
}

const textsOf = (id: string, version: number, made: readonly number[]): string[] =>
  made.map((each, window) => Buffer.from(tokenCodesOf(id, version, window, each)).toString());

/** What may happen to the token codes of three documents of up to six parts. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant("append" as const),
    id: fc.constantFrom("a", "b", "c"),
    first: fc.nat(5),
    count: fc.integer({ min: 1, max: 6 }),
  }),
  fc.record({ kind: fc.constant("leave" as const), id: fc.constantFrom("a", "b", "c"), isNew: fc.boolean() }),
  fc.record({ kind: fc.constant("ask" as const), id: fc.constantFrom("a", "b", "c") }),
  fc.record({ kind: fc.constant("open again" as const) }),
);

describe("kept token codes", () => {
  it("give what was appended last, whatever is held, over any history", async () => {
    let [found, gaps] = [0, 0];
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 12, maxLength: 30 }),
        fc.constantFrom(0, 300, 100_000),
        async (steps, budget) => {
          const disk = simulatedDisk();
          const held = new TokenCodeCache(budget);
          const versions = new Map([
            ["a", 1],
            ["b", 1],
            ["c", 1],
          ]);
          /** By document: the part, and when it was made. */
          let windows = new Map<string, Map<number, number>>();
          const wanted = (id: string, version: number): boolean => versions.get(id) === version;
          let opened = await openTokenCodes(disk, held, wanted);
          for (const [made, each] of steps.entries()) {
            if (each.kind === "open again") {
              await opened.close();
              expect(held.bytes).toBe(0);
              opened = await openTokenCodes(disk, held, wanted);
              continue;
            }
            const { id } = each;
            const version = versions.get(id) ?? 0;
            const own = windows.get(id) ?? new Map<number, number>();
            if (each.kind === "append") {
              const tokenCodes = Array.from({ length: each.count }, (_, i) =>
                tokenCodesOf(id, version, each.first + i, made),
              );
              await opened.kept.append(id, version, each.first, tokenCodes);
              for (let i = 0; i < each.count; i++) own.set(each.first + i, made);
              windows = new Map([...windows, [id, own]]);
            } else if (each.kind === "leave") {
              // What was removed is not durably gone: it is told apart at the start, by its version.
              versions.set(id, version + 1);
              opened.kept.leave(id, each.isNew ? version + 1 : undefined);
              windows.delete(id);
            } else {
              let end = 0;
              while (own.has(end)) end++;
              const expected = Array.from({ length: end }, (_, window) => own.get(window) ?? -1);
              expect(await allOf(opened.kept, id, version, end)).toEqual(textsOf(id, version, expected));
              expect(opened.kept.placesOf(id, version, 0, end + 1)).toBeUndefined();
              expect(opened.kept.placesOf(id, version + 1, 0, 1)).toBeUndefined();
              const next = [...own.keys()].filter((window) => window > end);
              expect(opened.kept.gap(id, version, 12)).toEqual({ from: end, to: Math.min(12, ...next) });
              expect(opened.kept.gap(id, version, end)).toBeUndefined();
              expect(held.bytes).toBeLessThanOrEqual(budget);
              found += end;
              gaps += next.length > 0 ? 1 : 0;
            }
          }
          expect(opened.damaged).toEqual([]);
          await opened.close();
        },
      ),
      { numRuns: lawRuns(600) },
    );
    expect([found > 10, gaps > 2]).toEqual([true, true]);
  });

  it("remove at the start what no version wants, and all of another label", async () => {
    const disk = simulatedDisk();
    const held = new TokenCodeCache(1_000);
    const first = await openTokenCodes(disk, held);
    for (const id of ["a", "b"]) await first.kept.append(id, 1, 0, [tokenCodesOf(id, 1, 0, 0)]);
    await first.close();
    const second = await openTokenCodes(disk, held, (id) => id === "a");
    expect(await allOf(second.kept, "a", 1, 1)).toEqual(textsOf("a", 1, [0]));
    expect(second.kept.gap("b", 1, 1)).toEqual({ from: 0, to: 1 });
    expect(second.kept.figures).toMatchObject({ windows: 1 });
    await second.kept.open(
      "another model",
      () => true,
      async () => undefined,
    );
    expect(second.kept.gap("a", 1, 1)).toEqual({ from: 0, to: 1 });
    expect(second.kept.isOpen).toBe(true);
    await second.kept.append("a", 1, 0, [tokenCodesOf("a", 1, 0, 9)]);
    await second.close();
    const third = await openTokenCodes(disk, held, undefined, "another model");
    expect(await allOf(third.kept, "a", 1, 1)).toEqual(textsOf("a", 1, [9]));
    await third.close();
  });

  it("drop a damaged block, tell of it once, and take it anew", async () => {
    const disk = simulatedDisk();
    const held = new TokenCodeCache(0);
    const first = await openTokenCodes(disk, held);
    for (const id of ["a", "b"])
      await first.kept.append(id, 1, 0, [tokenCodesOf(id, 1, 0, 0), tokenCodesOf(id, 1, 1, 0)]);
    await first.close();
    const [file = ""] = await blockFiles(disk);
    const content = Buffer.from(await readWhole(disk, storePath(disk, file)));
    const at = content.indexOf("a/1/1/0");
    content.writeUInt8(content.readUInt8(at) ^ 1, at);
    await writeWhole(disk, storePath(disk, file), content);
    const { kept, damaged, close } = await openTokenCodes(disk, held);
    expect(await allOf(kept, "b", 1, 2)).toEqual(textsOf("b", 1, [0, 0]));
    expect(await Promise.all([allOf(kept, "a", 1, 2), allOf(kept, "a", 1, 2)])).toEqual([undefined, undefined]);
    expect(damaged).toEqual(["a"]);
    expect(kept.gap("a", 1, 2)).toEqual({ from: 0, to: 2 });
    await kept.append("a", 1, 0, [tokenCodesOf("a", 1, 0, 5), tokenCodesOf("a", 1, 1, 5)]);
    expect(await allOf(kept, "a", 1, 2)).toEqual(textsOf("a", 1, [5, 5]));
    await close();
  });

  it("call nothing damaged that was removed while it was read", async () => {
    const disk = simulatedDisk();
    const held = new TokenCodeCache(10_000);
    const { kept, damaged, close } = await openTokenCodes(disk, held);
    await kept.append("a", 1, 0, [tokenCodesOf("a", 1, 0, 0)]);
    const places = kept.placesOf("a", 1, 0, 1) ?? [];
    const reading = kept.read(places);
    kept.leave("a");
    await reading;
    expect(await kept.read(places)).toEqual(new Map());
    expect([damaged, held.bytes]).toEqual([[], 0]);
    await close();
    expect(await kept.read(places)).toEqual(new Map());
    expect(damaged).toEqual([]);
  });

  it("that are made again take the place of those before", async () => {
    const { kept, close } = await openTokenCodes(simulatedDisk(), new TokenCodeCache(0));
    for (const made of [0, 1]) {
      for (const first of [0, 2])
        await kept.append(
          "a",
          1,
          first,
          [0, 1].map((i) => tokenCodesOf("a", 1, first + i, made)),
        );
    }
    expect(kept.figures.windows).toBe(4);
    await kept.append(
      "a",
      1,
      0,
      [0, 1, 2, 3].map((window) => tokenCodesOf("a", 1, window, 2)),
    );
    expect(kept.figures.windows).toBe(4);
    expect(await allOf(kept, "a", 1, 4)).toEqual(textsOf("a", 1, [2, 2, 2, 2]));
    await close();
  });

  it("that lie close together are read at once, and nothing that lies between others", async () => {
    const disk = simulatedDisk();
    const { kept, close, reads } = await openTokenCodes(disk, new TokenCodeCache(0));
    const tokenCodes = Array.from({ length: 40 }, (_, window) => tokenCodesOf("a", 1, window, 0));
    await kept.append("a", 1, 0, tokenCodes);
    await kept.append("b", 1, 0, tokenCodes.slice(0, 2));
    const placesOf = (id: string, window: number) => kept.placesOf(id, 1, window, window + 1) ?? [];
    const read = await kept.read([
      ...[12, 0, 30, 4, 35].flatMap((window) => placesOf("a", window)),
      ...placesOf("b", 1),
    ]);
    expect(read.size).toBe(6);
    expect(reads.sort()).toEqual(["a 0-5", "a 12-13", "a 30-31", "a 35-36", "b 1-2"]);
    await close();
  });

  it("that come and go while a search reads them are read four times, and then done without", async () => {
    const { kept, close } = await openTokenCodes(simulatedDisk(), new TokenCodeCache(0));
    const tokenCodes = new TokenCodesOfSearch(kept);
    let readings = 0;
    for (let made = 0; made < 10; made++) {
      await kept.append("a", 1, 0, [tokenCodesOf("a", 1, 0, made)]);
      expect(tokenCodes.find("a", 1, 0, 1)).toBeUndefined();
      if (!tokenCodes.isUnread) continue;
      await tokenCodes.read();
      readings++;
    }
    expect(readings).toBe(4);
    await close();
  });

  it("are written and opened before a purge or after it, and nobody waits for good", async () => {
    const gone = new Set<string>();
    const { kept, close } = await openTokenCodes(simulatedDisk(), new TokenCodeCache(0), (id) => !gone.has(id));
    const order: string[] = [];
    const append = (id: string): Promise<unknown> =>
      kept.append(id, 1, 0, [tokenCodesOf(id, 1, 0, 0)]).then(() => order.push(id));
    const writing = append("a");
    gone.add("a");
    const endFirst = await kept.beginPurge();
    expect(order).toEqual(["a"]);
    // What went while it was written is not there.
    expect(kept.figures.windows).toBe(0);
    const later = Promise.all([
      append("b"),
      kept.open(
        "another model",
        () => true,
        async () => undefined,
      ),
    ]);
    // Another purge begins before the first one has ended, and waits for nothing that waits for its end.
    const endSecond = await kept.beginPurge();
    endFirst();
    endFirst();
    await setImmediate();
    expect(order).toEqual(["a"]);
    expect(kept.isPurging).toBe(true);
    endSecond();
    expect(kept.isPurging).toBe(false);
    await Promise.all([writing, later]);
    // Those of the embedder before are not kept under the name of another.
    expect(kept.figures.windows).toBe(0);
    await kept.beginPurge();
    const never = append("c");
    await close();
    await never;
    expect(order).toEqual(["a", "b", "c"]);
  });

  it("are none where the store has no place for them", async () => {
    const kept = new KeptTokenCodes({ blocks: undefined, held: new TokenCodeCache(0), onLost: () => undefined });
    await kept.open(
      "model",
      () => true,
      async () => undefined,
    );
    expect(kept.isOpen).toBe(false);
    await kept.append("a", 1, 0, [new Uint8Array(1)]);
    expect(kept.placesOf("a", 1, 0, 1)).toBeUndefined();
  });
});
