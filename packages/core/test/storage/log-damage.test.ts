import { beforeAll, describe, expect, it } from "vitest";
import { encodeFlush, encodeSegmentHeader, logIdOf } from "../../src/storage/frame.ts";
import { bytesOf, recoverHistory } from "../../testing/told-stores.ts";
import { historyOn, newStore, openOn, readWhole, simulatedDisk, storeFiles, storePath } from "./kit.ts";
import {
  contentOf,
  diskWith,
  type Files,
  flipBits,
  flipped,
  named,
  RECORDS,
  recordOffsets,
  recoverDamaged,
  smallStore,
  stateOf,
  truncateFiles,
  unreadFiles,
  withFile,
  without,
} from "./log-damage.ts";

let log: Files;
let withSnapshots: Files;

beforeAll(async () => {
  log = await smallStore(false);
  withSnapshots = await smallStore(true);
});

/** The newest segment, its bytes, and where its records begin. */
function newest(files: Files): { name: string; bytes: Buffer; offsets: number[] } {
  const name = named(files, ".log").at(-1) ?? "";
  const bytes = contentOf(files, name);
  return { name, bytes, offsets: recordOffsets(bytes) };
}

describe("the small stores of these tests", () => {
  it("have several segments, snapshots, and files that nobody needs to read", async () => {
    expect(named(log, ".log").length).toBeGreaterThanOrEqual(3);
    expect(named(log, ".manifest")).toEqual([]);
    expect(named(withSnapshots, ".manifest").length).toBe(2);
    expect(unreadFiles(withSnapshots).size).toBeGreaterThanOrEqual(3);
    expect(stateOf(await historyOn(await diskWith(log)))).toEqual(RECORDS);
    expect(stateOf(await historyOn(await diskWith(withSnapshots)))).toEqual(RECORDS);
  });
});

describe("damage, sampled", () => {
  it("in any bit is refused, reported or made good, never overlooked", async () => {
    expect(await flipBits(log, 29, 3)).toMatchObject({ refused: expect.any(Number), prefix: expect.any(Number) });
    expect(await flipBits(withSnapshots, 41, 11)).toMatchObject({
      refused: expect.any(Number),
      prefix: expect.any(Number),
      restored: expect.any(Number),
      whole: expect.any(Number),
    });
  });

  it("by cutting a file at any length is refused, or yields exactly what is whole", async () => {
    expect(await truncateFiles(log, 5)).toMatchObject({ refused: expect.any(Number), prefix: expect.any(Number) });
    expect(await truncateFiles(withSnapshots, 7)).toMatchObject({ refused: expect.any(Number) });
  });
});

describe("a torn tail", () => {
  it("is set aside, cut off and reported; then the log goes on", async () => {
    const { name, bytes, offsets } = newest(log);
    const last = offsets.at(-2) ?? 0;
    const torn = bytes.subarray(0, bytes.length - 3);
    const disk = await diskWith(withFile(log, name, torn));
    const history = await historyOn(disk);
    expect(stateOf(history)).toEqual(RECORDS.slice(0, -1));
    expect(history.report.tornBytes).toBe(torn.length - last);
    const broken = `${name}-at-${last}.broken`;
    expect(await storeFiles(disk)).toContain(broken);
    expect((await readWhole(disk, storePath(disk, broken))).equals(torn.subarray(last))).toBe(true);
    expect((await readWhole(disk, storePath(disk, name))).length).toBe(last);
  });

  it("at the same place once more is kept as well", async () => {
    const { name, bytes, offsets } = newest(log);
    const last = offsets.at(-2) ?? 0;
    const disk = await diskWith(withFile(log, name, bytes.subarray(0, bytes.length - 3)));
    await historyOn(disk);
    const file = await disk.fileSystem.open(storePath(disk, name), "update");
    await file.write([bytesOf("other rubbish")], last);
    await file.close();
    expect((await historyOn(disk)).report.tornBytes).toBe(13);
    const broken = (await storeFiles(disk)).filter((each) => each.endsWith(".broken"));
    expect(broken).toEqual([`${name}-at-${last}-2.broken`, `${name}-at-${last}.broken`]);
  });

  it.each([
    ["zeros, as where a file grew and nothing else came", Buffer.alloc(5000)],
    ["the beginning of a record's header", Buffer.from([0xf5, 0x4c, 0x44])],
    ["rubbish", Buffer.from("rubbish ".repeat(200_000))],
    ["nothing but the beginnings of records", Buffer.from("f54c4458".repeat(300_000), "hex")],
  ])("may be %s", async (_what, tail) => {
    const { name, bytes } = newest(log);
    const disk = await diskWith(withFile(log, name, Buffer.concat([bytes, tail])));
    const history = await historyOn(disk);
    expect(stateOf(history)).toEqual(RECORDS);
    expect(history.report.tornBytes).toBe(tail.length);
  });

  it("may be a flush of which the disk kept the end and lost the beginning", async () => {
    const { name, bytes, offsets } = newest(log);
    // The last two records were written together; the first of them is lost.
    const [lost = 0, kept = 0] = offsets.slice(-3);
    const torn = Buffer.from(bytes);
    torn.fill(0, lost, kept);
    expect(await recoverDamaged(withFile(log, name, torn), "a hole")).toEqual({ kind: "prefix", records: 12 });
  });

  it("may be a new segment whose header never came", async () => {
    for (const header of [Buffer.alloc(0), Buffer.alloc(128), Buffer.from("LDXSEGMT")]) {
      const files = withFile(log, "segment-0000000000000015.log", header);
      const disk = await diskWith(files);
      const history = await historyOn(disk);
      expect(stateOf(history)).toEqual(RECORDS);
      expect(history.report.tornBytes).toBe(header.length);
      expect(await storeFiles(disk)).not.toContain("segment-0000000000000015.log");
    }
  });

  it("never hides that a segment is missing", async () => {
    const files = withFile(log, "segment-0000000000000016.log", Buffer.alloc(0));
    expect(await recoverDamaged(files, "a segment after a gap")).toEqual({ kind: "refused" });
  });
});

describe("corruption is refused:", () => {
  it("a bad record with a later one behind it", async () => {
    for (const name of named(log, ".log")) {
      const bytes = contentOf(log, name);
      for (const offset of recordOffsets(bytes).slice(0, -3)) {
        const files = withFile(log, name, flipped(bytes, (offset + 33) * 8));
        expect(await recoverDamaged(files, `${name} at ${offset}`)).toEqual({ kind: "refused" });
      }
    }
  });

  it("a later record far behind, where only a search byte by byte finds it", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk, { segmentBytes: 16_777_216 });
    await store.append(bytesOf("one"));
    await store.append(new Uint8Array(3_000_001).fill(1));
    await store.append(bytesOf("three"));
    await store.close();
    await storage.close();
    const name = "segment-0000000000000001.log";
    const bytes = await readWhole(disk, storePath(disk, name));
    const [, second = 0, third = 0] = recordOffsets(bytes);
    for (const damaged of [flipped(bytes, (second + 4) * 8 + 3), flipped(bytes, (second + 2_000_000) * 8)]) {
      const broken = await diskWith(new Map([[name, damaged]]));
      await expect(historyOn(broken)).rejects.toMatchObject({
        code: "CORRUPT",
        message: expect.stringContaining(`${name} is damaged at byte ${second}, at record 2: `),
      });
      await expect(historyOn(broken)).rejects.toThrow(`record 3, written after it, is whole at byte ${third}`);
    }
  });

  it("a missing segment, at the beginning or in the middle", async () => {
    const [first = "", second = ""] = named(log, ".log");
    expect(await recoverDamaged(without(log, first), "without the first")).toEqual({ kind: "refused" });
    expect(await recoverDamaged(without(log, second), "without the second")).toEqual({ kind: "refused" });
    await expect(historyOn(await diskWith(new Map()))).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("a segment in another one's place", async () => {
    const [first = "", second = "", third = ""] = named(log, ".log");
    const swapped = withFile(withFile(log, second, contentOf(log, third)), third, contentOf(log, second));
    expect(await recoverDamaged(swapped, "swapped")).toEqual({ kind: "refused" });
    expect(await recoverDamaged(withFile(log, second, contentOf(log, first)), "doubled")).toEqual({ kind: "refused" });
  });

  it("a record that is there twice", async () => {
    const { name, bytes, offsets } = newest(log);
    const doubled = Buffer.concat([bytes, bytes.subarray(offsets.at(-2))]);
    expect(await recoverDamaged(withFile(log, name, doubled), "doubled")).toEqual({ kind: "refused" });
  });

  it("a log that ends before what a snapshot holds", async () => {
    const { name } = newest(withSnapshots);
    const [first = ""] = named(withSnapshots, ".log");
    expect(first).not.toBe(name);
    const older = without(withSnapshots, name);
    const ended = contentOf(older, first);
    const files = withFile(older, first, ended.subarray(0, recordOffsets(ended)[1]));
    await expect(historyOn(await diskWith(files))).rejects.toMatchObject({
      code: "CORRUPT",
      message: expect.stringContaining("which a snapshot holds"),
    });
  });

  it("a segment whose header does not fit into its place", async () => {
    const { name, bytes } = newest(log);
    const id = bytes.subarray(24, 40);
    const number = named(log, ".log").length;
    const firstSequence = Number(name.slice(8, 24));
    const fitting = { id, name: "bot", number, firstSequence };
    const refusals: readonly (readonly [Partial<typeof fitting>, string])[] = [
      [{ name: "tob" }, 'it belongs to the store "tob", not to "bot"'],
      [{ id: Buffer.alloc(16, 1) }, "it belongs to another store"],
      [{ number: number + 1 }, `segment ${number + 1} cannot follow segment ${number - 1}`],
      [{ firstSequence: firstSequence + 1 }, `it is the segment from record ${firstSequence + 1} on`],
    ];
    for (const [change, reason] of refusals) {
      // Without records, so that nothing but the header can give it away.
      const files = withFile(log, name, encodeSegmentHeader({ ...fitting, ...change }));
      await expect(historyOn(await diskWith(files)), reason).rejects.toMatchObject({
        code: "CORRUPT",
        message: expect.stringContaining(reason),
      });
    }
    const history = await historyOn(await diskWith(withFile(log, name, encodeSegmentHeader(fitting))));
    expect(history.report.lastSequence).toBe(firstSequence - 1);
  });

  it("a store under another one's name", async () => {
    const disk = await diskWith(log);
    await disk.fileSystem.rename(storePath(disk), `${disk.directory}/stores/other`);
    const storage = await openOn(disk);
    const store = await storage.open("other");
    await expect(recoverHistory(store)).rejects.toMatchObject({
      code: "CORRUPT",
      message: expect.stringContaining('it belongs to the store "bot", not to "other"'),
    });
    await storage.close();
  });

  it("a header of the newest segment with records behind it", async () => {
    const { name, bytes } = newest(log);
    const first = Number(name.slice(8, 24));
    for (const damaged of [flipped(bytes, 20 * 8), Buffer.concat([Buffer.alloc(128), bytes.subarray(128)])]) {
      await expect(historyOn(await diskWith(withFile(log, name, damaged)))).rejects.toThrow(`record ${first} is in it`);
    }
  });

  it("the end of a segment that another one follows, even one without a header", async () => {
    const [first = ""] = named(log, ".log");
    const cut = contentOf(log, first).subarray(0, -1);
    await expect(historyOn(await diskWith(withFile(log, first, cut)))).rejects.toThrow("there is a later segment");
    const { name, bytes } = newest(log);
    const torn = withFile(withFile(log, name, bytes.subarray(0, -1)), "segment-0000000000000015.log", Buffer.alloc(5));
    await expect(historyOn(await diskWith(torn))).rejects.toThrow("there is a later segment");
  });

  it("records of another log, as if they were not there", async () => {
    const { name, bytes, offsets } = newest(log);
    const foreign = Buffer.concat(encodeFlush([bytesOf("x")], RECORDS.length + 1, logIdOf(new Uint8Array(16).fill(1))));
    const history = await historyOn(await diskWith(withFile(log, name, Buffer.concat([bytes, foreign]))));
    expect(stateOf(history)).toEqual(RECORDS);
    expect(history.report.tornBytes).toBe(foreign.length);
    expect(offsets.length).toBeGreaterThan(2);
  });
});

describe("a newer format", () => {
  it("is not taken for damage", async () => {
    const { crc32 } = await import("node:zlib");
    const { name, bytes } = newest(log);
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(2, 8);
    newer.writeUInt32LE(crc32(newer.subarray(0, 124)), 124);
    await expect(historyOn(await diskWith(withFile(log, name, newer)))).rejects.toMatchObject({
      code: "UNSUPPORTED_FORMAT",
      message: expect.stringContaining(`${name} has format version 2`),
    });
  });
});
