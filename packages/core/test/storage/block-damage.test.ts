import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import type { BlockStore, StoredBlock } from "../../src/storage/block-store.ts";
import { type Fault, SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { appendTo, blocksOf, LABEL, openBlocks, textsIn, textsOfBlock } from "../../testing/told-blocks.ts";
import { blockFiles, openOn, readWhole, type SimulatedDisk, simulatedDisk, storePath, writeWhole } from "./kit.ts";

const FILE = "signs-0000000001.blocks";
const HEADER_BYTES = 64;
const PAGE_BYTES = 16_384;

/** A disk whose store has these blocks, and nothing open. */
async function diskWithBlocks(blocks: readonly (readonly [id: string, count: number, bytes: number])[]) {
  const disk = simulatedDisk();
  const opened = await openBlocks(await openOn(disk));
  for (const [id, count, bytes] of blocks) await appendTo(opened.blocks, id, 1, 0, count, bytes);
  await opened.close();
  return { disk, content: await readWhole(disk, storePath(disk, FILE)) };
}

/** Every block that is found is right or not to be had. Yields those that are right. */
async function rightOnes(blocks: BlockStore, found: readonly StoredBlock[], what: string): Promise<string[]> {
  const right: string[] = [];
  for (const block of found) {
    const texts = await textsIn(blocks, block);
    if (texts === undefined) continue;
    expect(texts, what).toEqual(textsOfBlock(block));
    right.push(block.id);
  }
  return right;
}

async function problemsOf(disk: SimulatedDisk) {
  const storage = await openOn(disk);
  const { problems } = await storage.verify("bot");
  await storage.close();
  return problems;
}

describe("a damaged file of blocks", () => {
  it("gives the bytes that were written or none, whichever byte is another; verify names it, and more can be added", async () => {
    const { disk, content } = await diskWithBlocks([
      ["a", 2, 40],
      ["b", 1, 30],
      ["c", 3, 20],
    ]);
    // In the first page only the beginning is of any use.
    const used = [...content.keys()].filter((at) => at < HEADER_BYTES + 200 || at >= HEADER_BYTES + PAGE_BYTES);
    let [lost, dropped] = [0, 0];
    for (const at of used) {
      const what = `byte ${at}`;
      const damaged = Buffer.from(content);
      damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << (at % 8)), at);
      await writeWhole(disk, storePath(disk, FILE), damaged);
      const problems = await problemsOf(disk);
      expect(problems.length, what).toBeGreaterThan(0);
      for (const problem of problems) expect(problem, what).toMatchObject({ isDerived: true });
      const { blocks, found, droppedBytes, close } = await openBlocks(await openOn(disk));
      const right = await rightOnes(blocks, found, what);
      expect(right.length, what).toBeLessThanOrEqual(3);
      if (right.length < 3) lost += 1;
      if (droppedBytes > 0) dropped += 1;
      const more = await appendTo(blocks, "more", 1);
      expect(await textsIn(blocks, more), what).toEqual(textsOfBlock(more));
      await close();
      const again = await openBlocks(await openOn(disk));
      expect(await rightOnes(again.blocks, again.found, what), what).toEqual([...right, "more"]);
      expect(again.droppedBytes, what).toBe(0);
      await again.close();
      for (const name of await blockFiles(disk)) if (name !== FILE) await disk.fileSystem.unlink(storePath(disk, name));
    }
    expect(lost).toBeGreaterThan(300);
    expect(dropped).toBeGreaterThan(80);
  });

  it("has the blocks before its end, wherever it was cut off", async () => {
    const { disk, content } = await diskWithBlocks([
      ["a", 2, 40],
      ["b", 1, 30],
      ["c", 3, 20],
    ]);
    for (let bytes = 0; bytes < content.length; bytes += bytes > HEADER_BYTES && bytes < PAGE_BYTES ? 101 : 1) {
      const what = `${bytes} bytes`;
      await writeWhole(disk, storePath(disk, FILE), content.subarray(0, bytes));
      const { blocks, found, close } = await openBlocks(await openOn(disk));
      const right = await rightOnes(blocks, found, what);
      expect(right, what).toEqual(found.map(({ id }) => id));
      expect(["", "a", "a,b"], what).toContain(right.join());
      await appendTo(blocks, "more", 1);
      await close();
      expect(await problemsOf(disk), what).toEqual([]);
      const again = await openBlocks(await openOn(disk));
      expect(await rightOnes(again.blocks, again.found, what), what).toEqual([...right, "more"]);
      await again.close();
      for (const name of await blockFiles(disk)) if (name !== FILE) await disk.fileSystem.unlink(storePath(disk, name));
    }
  });

  it("loses what comes behind a damaged page, and no more", async () => {
    const names = Array.from({ length: 900 }, (_, n): [string, number, number] => [`d${n}`, 1 + (n % 3), 10]);
    const { disk, content } = await diskWithBlocks(names);
    expect(await problemsOf(disk)).toEqual([]);
    const magic = Buffer.from([0xf5, 0x42, 0x4c, 0x4b]);
    const at = content.indexOf(magic, content.indexOf(Buffer.from("d450")));
    content.writeUInt8(0, at);
    await writeWhole(disk, storePath(disk, FILE), content);
    expect(await problemsOf(disk)).toHaveLength(1);
    const { blocks, found, droppedBytes, close } = await openBlocks(await openOn(disk));
    expect(found).toHaveLength(451);
    expect(droppedBytes).toBeGreaterThan(5_000);
    expect(await rightOnes(blocks, found, "damaged page")).toHaveLength(451);
    await close();
    expect(await problemsOf(disk)).toEqual([]);
  });

  it("never passes one block's bytes off as another's", async () => {
    const { disk, content } = await diskWithBlocks([
      ["a", 1, 40],
      ["b", 1, 40],
    ]);
    const first = HEADER_BYTES + PAGE_BYTES;
    content.copyWithin(first, first + 44, first + 88);
    await writeWhole(disk, storePath(disk, FILE), content);
    const { blocks, found, close } = await openBlocks(await openOn(disk));
    expect(await rightOnes(blocks, found, "copied")).toEqual(["b"]);
    await close();
  });

  it("that the disk does not read gives nothing, and is no error", async () => {
    const { disk } = await diskWithBlocks([
      ["a", 1, 40],
      ["b", 1, 40],
    ]);
    const { blocks, store, found, close } = await openBlocks(await openOn(disk));
    disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation: "read", pathEnd: ".blocks" });
    expect(await textsIn(blocks, found[0] as StoredBlock)).toBeUndefined();
    expect(await textsIn(blocks, found[0] as StoredBlock)).toEqual(textsOfBlock(found[0] as StoredBlock));
    // What cannot be read while all is written anew is gone after it.
    disk.fileSystem.setFault({ at: 1, kind: "failOnce", operation: "read", pathEnd: ".blocks" });
    await store.purge(async (through) => ({ sequence: through, sections: [] }));
    expect(await textsIn(blocks, found[0] as StoredBlock)).toBeUndefined();
    expect(await textsIn(blocks, found[1] as StoredBlock)).toEqual(textsOfBlock(found[1] as StoredBlock));
    await close();
  });

  it("is looked at while it is written to, and found whole", async () => {
    const disk = simulatedDisk();
    const { blocks, storage, close } = await openBlocks(await openOn(disk));
    const appended = Promise.all(Array.from({ length: 300 }, (_, n) => appendTo(blocks, `d${n}`, 1, 0, 2, 200)));
    for (let look = 1; look <= 10; look += 1) expect((await storage.verify("bot")).problems).toEqual([]);
    await appended;
    const condition = await storage.verify("bot");
    expect(condition.problems).toEqual([]);
    expect(condition.files).toBe(2);
    expect(condition.bytes).toBeGreaterThan(300 * 400);
    await close();
  });
});

/** Appends, removes, has all written anew, and appends again, on a disk with a fault. Yields the I/Os it took, and what was said to be there at the end. */
async function live(disk: SimulatedDisk, fault?: Fault) {
  const { fileSystem } = disk;
  const storage = await openOn(disk);
  await storage.create("bot");
  const store = await storage.open("bot");
  await store.recover({ snapshot: () => undefined, record: () => undefined });
  const before = fileSystem.operations;
  fileSystem.setFault(fault === undefined ? undefined : { ...fault, at: before + fault.at });
  const acknowledged = new Set<string>();
  const trying = (work: () => Promise<unknown>) => work().catch(() => undefined);
  const blocks = blocksOf(store);
  await trying(() => blocks.open(LABEL));
  const add = (id: string, bytes: number) =>
    trying(async () => {
      const block = await appendTo(blocks, id, 1, 0, 3, bytes);
      if (id.startsWith("gone")) blocks.remove(block);
      else acknowledged.add(id);
    });
  for (let n = 1; n <= 4; n += 1) await add(n % 2 === 0 ? `gone${n}` : `d${n}`, 700 * n);
  await trying(() => store.purge(async (through) => ({ sequence: through, sections: [] })));
  for (let n = 5; n <= 7; n += 1) await add(`d${n}`, 300);
  await store.close().catch(() => undefined);
  await storage.close().catch(() => undefined);
  const operations = fileSystem.operations - before;
  fileSystem.setFault(undefined);
  return { operations, acknowledged };
}

describe("blocks on a failing disk", () => {
  it("are right or gone, wherever the fault is; a kill alone loses none", async () => {
    const { operations } = await live(simulatedDisk());
    expect(operations).toBeGreaterThan(40);
    let [whole, cut] = [0, 0];
    for (const kind of ["failOnce", "failFrom", "crash"] as const) {
      for (let at = 1; at <= operations; at += 1) {
        for (const end of ["kill", "power cut"] as const) {
          const what = `${kind} at ${at}, ${end}`;
          const disk = simulatedDisk(new SimulatedFileSystem({ seed: at }));
          const { acknowledged } = await live(disk, { at, kind, code: at % 2 === 0 ? "EIO" : "ENOSPC" });
          const { fileSystem } = disk;
          const after = simulatedDisk(end === "kill" ? fileSystem.afterKill() : fileSystem.afterPowerCut());
          for (const problem of await problemsOf(after)) expect(problem, what).toMatchObject({ isDerived: true });
          const { blocks, found, close } = await openBlocks(await openOn(after));
          const right = await rightOnes(blocks, found, what);
          if (end === "kill" && kind === "crash") {
            expect(right, what).toEqual(expect.arrayContaining([...acknowledged]));
            whole += 1;
          }
          if (right.length < acknowledged.size) cut += 1;
          const more = await appendTo(blocks, "more", 1);
          expect(await textsIn(blocks, more), what).toEqual(textsOfBlock(more));
          await close();
          const again = await openBlocks(await openOn(after));
          expect(await rightOnes(again.blocks, again.found, what), what).toEqual([...right, "more"]);
          expect((await blockFiles(after)).length, what).toBe(1);
          await again.close();
        }
      }
    }
    expect(whole).toBeGreaterThan(40);
    expect(cut).toBeGreaterThan(20);
  }, 60_000);

  it("law: whatever is done to them in whatever order, what is there is what was appended and not removed", async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ does: fc.constant("append"), n: fc.nat(30), bytes: fc.nat(9_000) }) },
      { weight: 4, arbitrary: fc.record({ does: fc.constant("remove"), n: fc.nat(30), bytes: fc.constant(0) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          does: fc.constantFrom("purge", "open again", "clear"),
          n: fc.constant(0),
          bytes: fc.constant(0),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const disk = simulatedDisk();
        let opened = await openBlocks(await openOn(disk));
        let there: StoredBlock[] = [];
        for (const [index, { does, n, bytes }] of steps.entries()) {
          if (does === "append") there.push(await appendTo(opened.blocks, `d${index}`, n, n, 1 + (n % 5), bytes));
          else if (does === "remove") {
            for (const block of there.splice(n, 1)) opened.blocks.remove(block);
          } else if (does === "clear") {
            await opened.blocks.clear();
            there = [];
          } else if (does === "purge") {
            await opened.store.purge(async (through) => ({ sequence: through, sections: [] }));
          } else {
            // What was removed may come again, and is to be removed again: nothing durable says so.
            await opened.store.purge(async (through) => ({ sequence: through, sections: [] }));
            await opened.close();
            opened = await openBlocks(await openOn(disk));
            expect(opened.found.map(({ id }) => id)).toEqual(there.map(({ id }) => id));
            there = [...opened.found];
          }
        }
        for (const block of there) expect(await textsIn(opened.blocks, block)).toEqual(textsOfBlock(block));
        await opened.close();
      }),
      { numRuns: lawRuns(100) },
    );
  });
});
