import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { Engine } from "../../src/engine.ts";
import { type Salvage, salvageBot } from "../../src/operations/salvage.ts";
import { type Disk, openOn, simulatedDisk, writeWhole } from "../storage/kit.ts";
import { recordOffsets } from "../storage/log-damage.ts";
import { filesOf } from "../support/files-of.ts";

/** Where in which file the newest version of an article or a document is kept. */
interface Frame {
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

let botId: string;
let deletedId: string;
/** The files of a bot that has one snapshot and a log behind it. */
let files: ReadonlyMap<string, Buffer>;
/** What the bot has, by its text. */
const texts: string[] = [];
const frames = new Map<string, Frame>();

beforeAll(async () => {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
  const { bot: info } = await engine.createBot({ name: "one" });
  botId = info.id;
  const bot = await engine.bot(botId);
  const document = async (name: string) => {
    const content = [{ md: `The text of document ${name} {"is": "${name}"} is här.` }];
    await bot.importDocument({ resourceDocId: name, type: "DOCUMENT", content });
    texts.push(`document ${name} `);
  };
  const article = async (name: string) => {
    texts.push(`article ${name} `);
    return (await bot.createArticle({ title: `Title ${name}`, body: `The text of article ${name} {"is": 1} is här.` }))
      .article.id;
  };
  for (const name of ["p", "q", "r", "s"]) await document(name);
  deletedId = await article("k");
  for (const name of ["l", "m"]) await article(name);
  await bot.setDocumentStatus("q", "inactive");
  await engine.purge(botId);
  for (const name of ["t", "u"]) await document(name);
  for (const name of ["r", "s"]) await bot.setDocumentStatus(name, "inactive");
  await bot.setDocumentStatus("s", "active");
  await article("n");
  await bot.deleteArticle(deletedId);
  texts.splice(texts.indexOf("article k "), 1);
  await article("o");
  await engine.close();
  files = new Map([...(await filesOf(disk))].filter(([path]) => path.includes(`/bot-${botId}/`)));
  for (const text of texts) frames.set(text, frameOf(text));
});

function frameOf(text: string): Frame {
  for (const [path, bytes] of files) {
    const at = bytes.indexOf(text);
    if (at === -1 || !/(articles|documents)\.section$|\.log$/.test(path)) continue;
    const starts = path.endsWith(".log") ? recordOffsets(bytes) : entryOffsets(bytes);
    const start = starts.findLast((each) => each <= at) ?? 0;
    return { path, start, end: starts.find((each) => each > at) ?? bytes.length };
  }
  throw new Error(`${text} is nowhere`);
}

function entryOffsets(bytes: Buffer): number[] {
  const offsets: number[] = [];
  for (let at = 0; at < bytes.length; at += 8 + bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4)) offsets.push(at);
  return offsets;
}

async function salvagedWith(path: string, change: (bytes: Buffer) => void): Promise<Salvage> {
  const disk: Disk = simulatedDisk();
  for (const [file, bytes] of files) {
    const folders = file.split("/").slice(1, -1);
    for (let depth = 1; depth <= folders.length; depth += 1) {
      await disk.fileSystem.makeDirectory(`/${folders.slice(0, depth).join("/")}`).catch(() => undefined);
    }
    const copy = Buffer.from(bytes);
    if (file === path) change(copy);
    await writeWhole(disk, file, copy);
  }
  const storage = await openOn(disk);
  return await salvageBot(storage, botId).finally(() => storage.close());
}

function textsIn({ documents, articles }: Salvage): string[] {
  const all = JSON.stringify([documents, articles]);
  return texts.filter((text) => all.includes(text));
}

const named = (end: string): string => [...files.keys()].find((path) => path.endsWith(end)) ?? "";

describe("salvage", () => {
  it("takes all of a bot that is whole, and says so", async () => {
    const all = await salvagedWith("", () => undefined);
    expect(textsIn(all)).toEqual(texts);
    expect(all).toMatchObject({ lost: [], problems: [], unchecked: [], isComplete: true });
    expect([all.documents.length, all.articles.length]).toEqual([6, 4]);
  });

  it("takes whatever lies in frames that are not damaged, wherever four bytes change, and is complete only if all is there", async () => {
    const whole = await salvagedWith("", () => undefined);
    const places = fc
      .constantFrom(...[...files].flatMap(([path, bytes]) => (bytes.length > 0 ? [path] : [])))
      .chain((path) =>
        fc.record({
          path: fc.constant(path),
          at: fc.nat(Math.max(0, (files.get(path)?.length ?? 1) - 1)),
          bytes: fc.uint8Array({ minLength: 4, maxLength: 4 }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(places, async ({ path, at, bytes }) => {
        const found = await salvagedWith(path, (file) => void file.set(bytes.subarray(0, file.length - at), at));
        const isHit = ({ path: file, start, end }: Frame) => file === path && start < at + bytes.length && at < end;
        const safe = texts.filter((text) => !isHit(frames.get(text) ?? { path, start: 0, end: 0 }));
        expect(textsIn(found)).toEqual(expect.arrayContaining(safe));
        if (found.isComplete) {
          expect([found.documents, found.articles]).toEqual([whole.documents, whole.articles]);
        }
        // Nothing is changed without a word about it.
        const same = new Set([...whole.documents, ...whole.articles].map((each) => JSON.stringify(each)));
        // A status that a lost record has changed is the one before.
        if (found.lost.length > 0)
          for (const each of whole.documents)
            for (const status of ["active", "inactive"]) same.add(JSON.stringify({ ...each, status }));
        const changed = [...found.documents, ...found.articles].filter((each) => !same.has(JSON.stringify(each)));
        const ids = changed.map((each) => ("id" in each ? each.id : each.resourceDocId));
        // What a lost record had deleted may be back.
        expect(ids.filter((id) => id !== deletedId && !found.unchecked.includes(id))).toEqual([]);
      }),
      { numRuns: lawRuns(400) },
    );
  });

  it("knows by its digest whether a document out of a damaged section is as it was", async () => {
    const { documents, unchecked, isComplete } = await salvagedWith(named("documents.section"), (bytes) => {
      bytes.write("DOCUMENT Q", bytes.indexOf("document q"));
    });
    expect(documents.map(({ resourceDocId }) => resourceDocId)).toEqual(["p", "q", "r", "s", "t", "u"]);
    expect([unchecked, isComplete]).toEqual([["q"], false]);
  });

  it("names as lost no record of a document or article that is here as that record wrote it", async () => {
    const all = await salvagedWith(named("documents.section"), (bytes) => {
      bytes.write("DOCUMENT P", bytes.indexOf("document p"));
    });
    const lostRecords = ({ lost }: Salvage): number[] =>
      lost.flatMap(({ firstSequence, lastSequence }) =>
        Array.from({ length: lastSequence - firstSequence + 1 }, (_, i) => firstSequence + i),
      );
    // Documents p to s, articles k to m and a status, in this order: only p's has changed, and nothing says what wrote the status.
    expect([lostRecords(all), all.isComplete]).toEqual([[1, 8], false]);
    const gone = await salvagedWith(named("documents.section"), (bytes) => void bytes.fill(0));
    expect(lostRecords(gone)).toEqual([1, 2, 3, 4, 8]);
  });

  it("gives documents out of a damaged section the status that records behind it tell", async () => {
    const { documents, unchecked } = await salvagedWith(named("documents.section"), (bytes) => {
      bytes.write("DOCUMENT P", bytes.indexOf("document p"));
    });
    const inactive = documents.filter(({ status }) => status === "inactive");
    expect(inactive.map(({ resourceDocId }) => resourceDocId)).toEqual(["q", "r"]);
    expect(unchecked).toEqual(["p"]);
  });

  it("reads on behind an entry whose lengths are wrong", async () => {
    for (const offset of [0, 4]) {
      const { documents, isComplete } = await salvagedWith(named("documents.section"), (bytes) => {
        bytes.writeUInt32LE(1_000_000, (entryOffsets(bytes)[1] ?? 0) + offset);
      });
      expect(documents.map(({ resourceDocId }) => resourceDocId)).toEqual(["p", "r", "s", "t", "u"]);
      expect(isComplete).toBe(false);
    }
  });

  it("takes what a section says where no manifest tells of it any more", async () => {
    const found = await salvagedWith(named(".manifest"), (bytes) => void bytes.fill(0));
    expect(textsIn(found)).toEqual(texts);
    // p, q and s are as they were; r has a status of which nothing tells whether it is the last, and articles have no digest.
    const lost = [
      { firstSequence: 3, lastSequence: 3 },
      { firstSequence: 5, lastSequence: 8 },
    ];
    expect(found).toMatchObject({ isComplete: false, lost });
    // The record that deletes it is whole.
    expect(found.articles.map(({ title }) => title)).not.toContain("Title k");
  });
});
