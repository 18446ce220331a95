import { setImmediate } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { Storage, StoreCondition } from "../../src/storage/store.ts";
import { SimulatedFileSystem } from "../../testing/simulated-file-system.ts";
import { bytesOf, openStore, textOf } from "../../testing/told-stores.ts";
import { lying } from "./crash-life.ts";
import { newStore, openOn, type SimulatedDisk, simulatedDisk, storeFiles, storePath } from "./kit.ts";
import {
  contentOf,
  diskWith,
  type Files,
  flipped,
  named,
  RECORDS,
  recordOffsets,
  smallStore,
  withFile,
  without,
} from "./log-damage.ts";

let log: Files;
let withSnapshots: Files;

beforeAll(async () => {
  log = await smallStore(false);
  withSnapshots = await smallStore(true);
});

async function onDisk<T>(disk: SimulatedDisk, work: (storage: Storage) => Promise<T>): Promise<T> {
  const storage = await openOn(disk);
  return await work(storage).finally(() => storage.close());
}

async function verified(files: Files): Promise<StoreCondition> {
  return onDisk(await diskWith(files), (storage) => storage.verify("bot"));
}

interface Taken {
  readonly sections: Map<string, number>;
  readonly records: Map<number, string>;
  readonly missing: Set<number>;
  readonly problems: StoreCondition["problems"];
}

async function salvaged(files: Files): Promise<Taken> {
  const sections = new Map<string, number>();
  const records = new Map<number, string>();
  let last = 0;
  const { missing, condition } = await onDisk(await diskWith(files), (storage) =>
    storage.salvage("bot", {
      section: ({ name, bytes }, sequence) => {
        expect(records.size).toBe(0);
        if (name === "all") expect(textOf(bytes)).toBe(RECORDS.slice(0, sequence).join("\n"));
        sections.set(name, sequence);
      },
      record: (sequence, payload) => {
        expect(sequence).toBeGreaterThan(last);
        last = sequence;
        records.set(sequence, textOf(payload));
      },
    }),
  );
  const numbers = missing.flatMap(({ firstSequence, lastSequence }) =>
    Array.from({ length: lastSequence - firstSequence + 1 }, (_, index) => firstSequence + index),
  );
  return { sections, records, missing: new Set(numbers), problems: condition.problems };
}

/** Where the last flush of the log begins: from there on damage looks like a crash. */
function lastFlush(files: Files): { readonly name: string; readonly offset: number } {
  const name = named(files, ".log").at(-1) ?? "";
  return { name, offset: recordOffsets(contentOf(files, name)).at(-3) ?? 0 };
}

describe("verify", () => {
  it("finds nothing in stores that are whole, and counts what it read", async () => {
    for (const files of [log, withSnapshots]) {
      const bytes = [...files.values()].reduce((sum, file) => sum + file.length, 0);
      const found = await verified(files);
      expect(found).toMatchObject({ files: files.size, bytes, lastSequence: 14, tornBytes: 0, problems: [] });
    }
    expect((await verified(log)).records).toBe(14);
  });

  it("finds any bit that is flipped, in any file, and names the file", async () => {
    for (const files of [log, withSnapshots]) {
      const end = lastFlush(files);
      for (const [name, bytes] of files) {
        for (let bit = 5; bit < bytes.length * 8; bit += 37) {
          const { problems, tornBytes } = await verified(withFile(files, name, flipped(bytes, bit)));
          const what = `${name}, bit ${bit}`;
          if (name === end.name && bit >> 3 >= end.offset) {
            expect(problems, what).toEqual([]);
            expect(tornBytes, what).toBeGreaterThan(0);
          } else {
            expect(problems[0]?.file, what).toMatch(new RegExp(`/bot(/${name})?$`));
            expect(tornBytes, what).toBe(0);
          }
        }
      }
    }
  });

  it("knows of a store that is open how far it was durable, and finds damage to its last bit", async () => {
    const disk = await diskWith(log);
    await onDisk(disk, async (storage) => {
      const { store } = await openStore(storage);
      const { name } = lastFlush(log);
      const bytes = contentOf(log, name);
      const file = await disk.fileSystem.open(storePath(disk, name), "update");
      for (let bit = 128 * 8; bit < bytes.length * 8; bit += 31) {
        await file.write([flipped(bytes, bit)], 0);
        expect((await storage.verify("bot")).problems, `bit ${bit}`).toHaveLength(1);
      }
      await file.write([bytes], 0);
      // What is being written behind the durable end is nobody's damage.
      await file.write([Buffer.from("half a rec")], bytes.length);
      expect(await storage.verify("bot")).toMatchObject({ problems: [], tornBytes: 0, records: 14 });
      await file.close();
      await store.close();
    });
  });

  it("finds missing files", async () => {
    for (const files of [log, withSnapshots]) {
      const newest = lastFlush(files).name;
      for (const name of files.keys()) {
        // A snapshot without its manifest is what a crash leaves, and the log has all of it here.
        const isUnseen = name === newest || name.endsWith(".manifest");
        const { problems } = await verified(without(files, name));
        if (!isUnseen) expect(problems.length, name).toBeGreaterThan(0);
      }
    }
    const found = await onDisk(simulatedDisk(), (storage) => storage.verify("bot"));
    expect(found.problems).toMatchObject([{ reason: expect.stringContaining("missing") }]);
  });

  it("says the byte and the record", async () => {
    const name = named(log, ".log")[0] ?? "";
    const [, second = 0, third = 0] = recordOffsets(contentOf(log, name));
    const { problems } = await verified(withFile(log, name, flipped(contentOf(log, name), (second + 40) * 8)));
    expect(problems).toEqual([
      {
        file: `/data/stores/bot/${name}`,
        offset: second,
        sequence: 2,
        reason: `the checksum of the record is wrong; it cannot be read up to byte ${third}`,
      },
    ]);
  });

  it("agrees with recovery: what it finds whole can be opened, and what cannot be opened it does not find whole", async () => {
    for (const [name, bytes] of log) {
      for (let bit = 0; bit < bytes.length * 8; bit += 61) {
        const disk = await diskWith(withFile(log, name, flipped(bytes, bit)));
        await onDisk(disk, async (storage) => {
          const { problems } = await storage.verify("bot");
          const opened = await openStore(storage).then(
            ({ store }) => store.close().then(() => true),
            () => false,
          );
          expect(opened, `${name}, bit ${bit}`).toBe(problems.length === 0);
        });
      }
    }
  });

  it("changes nothing, and finds nothing while records and snapshots are written and old files deleted", async () => {
    const disk = simulatedDisk();
    const { storage, store } = await newStore(disk, { segmentBytes: 300 });
    let isWriting = true;
    let appended = 0;
    const writing = (async () => {
      for (let round = 1; round <= 150; round += 1) {
        await Promise.all([store.append(bytesOf("a".repeat(1 + (round % 60)))), store.append(bytesOf("b".repeat(90)))]);
        appended += 2;
        if (round % 2 === 0) {
          await store.writeSnapshot(appended, [{ name: "all", version: 1, chunks: [bytesOf(String(appended))] }]);
        }
      }
      isWriting = false;
    })();
    let looks = 0;
    while (isWriting) {
      const { problems, tornBytes } = await storage.verify("bot");
      expect({ problems, tornBytes }).toEqual({ problems: [], tornBytes: 0 });
      looks += 1;
    }
    await writing;
    expect(looks).toBeGreaterThan(3);
    await store.close();
    await storage.close();
  });
});

it("a log of which a power cut brought deleted segments back is whole, and one that lacks others is not", async () => {
  let gaps = 0;
  for (let seed = 1; seed <= 40; seed += 1) {
    const disk = simulatedDisk(new SimulatedFileSystem({ seed }));
    const { store } = await newStore(disk, { segmentBytes: 300 });
    for (let sequence = 1; sequence <= 16; sequence += 1) {
      await store.append(bytesOf("x".repeat(100)));
      if (sequence !== 8 && sequence !== 16) continue;
      await store.writeSnapshot(sequence, [{ name: "all", version: 1, chunks: [bytesOf("state")] }]);
    }
    const after = simulatedDisk(disk.fileSystem.afterPowerCut());
    const segments = (await storeFiles(after)).filter((name) => name.endsWith(".log"));
    if (segments[0] === "segment-0000000000000001.log" && segments.length < 8) gaps += 1;
    const verified = () => onDisk(after, (storage) => storage.verify("bot"));
    expect((await verified()).problems).toEqual([]);
    await after.fileSystem.unlink(storePath(after, segments.at(-2)));
    expect((await verified()).problems.length).toBeGreaterThan(0);
  }
  expect(gaps).toBeGreaterThan(3);
});

describe("a look that takes long", () => {
  it("keeps the files that it looks at", async () => {
    const { fileSystem, ...disk } = simulatedDisk();
    let gate: Promise<void> = Promise.resolve();
    const slow = lying(fileSystem, undefined);
    const storage = await openOn(
      {
        ...disk,
        fileSystem: {
          ...slow,
          open: async (path, mode) => {
            if (mode === "read") await gate;
            return slow.open(path, mode);
          },
        },
      },
      { segmentBytes: 300 },
    );
    await storage.create("bot");
    const { store } = await openStore(storage);
    const snapshot = async (sequence: number) => {
      for (let i = 0; i < 5; i += 1) await store.append(bytesOf("x".repeat(200)));
      await store.writeSnapshot(sequence, [{ name: "all", version: 1, chunks: [bytesOf("state")] }]);
    };
    await snapshot(5);
    await snapshot(10);
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const looking = storage.verify("bot");
    const before = fileSystem.count("unlink");
    await snapshot(15);
    await snapshot(20);
    expect(fileSystem.count("unlink")).toBe(before);
    open();
    expect((await looking).problems).toEqual([]);
    // What was kept for it goes now, and not with the next snapshot, which may be long in coming.
    await setImmediate();
    const names = await fileSystem.readDirectory("/data/stores/bot");
    expect(names.filter((name) => name.endsWith(".manifest"))).toHaveLength(2);
    const segments = names.filter((name) => name.endsWith(".log"));
    expect(segments.every((name) => name > "segment-0000000000000014.log")).toBe(true);
    await snapshot(25);
    expect(fileSystem.count("unlink")).toBeGreaterThan(before + 10);
    expect((await storage.verify("bot")).problems).toEqual([]);
    await store.close();
    await storage.close();
  });
});

describe("salvage", () => {
  it("hands out all of a whole store: sections first, then every record in order", async () => {
    const { sections, records, missing } = await salvaged(withSnapshots);
    expect([...sections]).toEqual([
      ["all", 9],
      ["derived", 9],
    ]);
    expect([...records.values()].every((text) => RECORDS.includes(text))).toBe(true);
    expect([...records.keys(), ...missing].sort((a, b) => a - b)).toEqual(RECORDS.map((_, index) => index + 1));
  });

  it("of a log with any flipped bit loses at most the record in which it is, and says which", async () => {
    for (const [name, bytes] of log) {
      for (let bit = 7; bit < bytes.length * 8; bit += 23) {
        const what = `${name}, bit ${bit}`;
        const { records, missing } = await salvaged(withFile(log, name, flipped(bytes, bit)));
        expect(records.size, what).toBeGreaterThanOrEqual(RECORDS.length - 1);
        for (const [sequence, text] of records) expect(text, what).toBe(RECORDS[sequence - 1]);
        // Of the very last record nothing else tells that it ever was.
        const told = new Set([...records.keys(), ...missing]);
        for (let sequence = 1; sequence < RECORDS.length; sequence += 1) expect(told.has(sequence), what).toBe(true);
        expect(
          [...missing].filter((sequence) => records.has(sequence)),
          what,
        ).toEqual([]);
      }
    }
  });

  it("takes each section from the newest snapshot that has it whole", async () => {
    const newest = named(withSnapshots, "2-all.section")[0] ?? "";
    const { sections } = await salvaged(withFile(withSnapshots, newest, flipped(contentOf(withSnapshots, newest), 9)));
    expect([...sections].sort()).toEqual([
      ["all", 6],
      ["derived", 9],
    ]);
  });

  it("reads a log whose every header is damaged, and one that is only a beginning", async () => {
    let files = log;
    for (const name of named(log, ".log")) files = withFile(files, name, flipped(contentOf(files, name), 300));
    expect((await salvaged(files)).records.size).toBe(RECORDS.length);
    const [first = ""] = named(log, ".log");
    const one: Files = new Map([[first, flipped(contentOf(log, first), 300)]]);
    expect((await salvaged(one)).records.size).toBeGreaterThan(3);
    const rubbish: Files = new Map([[first, Buffer.from("rubbish")]]);
    expect(await salvaged(rubbish)).toMatchObject({ problems: [{ sequence: 1 }] });
  });

  it("goes on past what the disk cannot read", async () => {
    const disk = await diskWith(log);
    const [first = ""] = named(log, ".log");
    disk.fileSystem.setFault({ at: 1, kind: "failFrom", operation: "read", pathEnd: first });
    const records: number[] = [];
    const { condition } = await onDisk(disk, (storage) =>
      storage.salvage("bot", { section: () => undefined, record: (sequence) => void records.push(sequence) }),
    );
    expect(records.at(-1)).toBe(14);
    expect(condition.problems[0]).toMatchObject({ file: `/data/stores/bot/${first}` });
  });
});
