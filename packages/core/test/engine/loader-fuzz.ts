/** A data directory with everything in it, changed at random, and what an engine makes of it. */

import { crc32 } from "node:zlib";
import { expect } from "vitest";
import { Engine, LoredexError } from "../../src/index.ts";
import { type SeededRandom, seededRandom as seededNumbers } from "../../testing/simulated-bytes.ts";
import { openOn, readWhole, type SimulatedDisk, simulatedDisk, writeWhole } from "../storage/kit.ts";

/** Files of a data directory by their paths below `stores`. */
export type Files = ReadonlyMap<string, Buffer>;

const BOT = "fuzzed";

async function openEngine(disk: SimulatedDisk): Promise<Engine> {
  return Engine.open({ storage: await openOn(disk, { segmentBytes: 3_000 }) });
}

/** Articles, documents, agents, two snapshots, and a log behind them. */
export async function wholeDirectory(): Promise<Files> {
  const disk = simulatedDisk();
  const engine = await openEngine(disk);
  await engine.createBot({ name: BOT });
  await engine.createBot({ name: "other" });
  const bot = await engine.bot(BOT);
  for (let round = 0; round < 3; round += 1) {
    for (let i = 0; i < 5; i += 1) {
      const metadata = { round, name: `n${i}` };
      const { article } = await bot.createArticle({
        title: `Title ${i}`,
        body: `# Pears\n\nText ${round} ${i} €😀.`,
        metadata,
      });
      if (i === 3) await bot.deleteArticle(article.id);
      if (i === 4) await bot.updateArticle(article.id, { body: "Changed.", source: "https://a.b/" });
    }
    await bot.importDocument({ resourceDocId: `d${round}`, type: "WEBPAGE", content: [{ md: "plums" }] });
    await bot.importDocument({ resourceDocId: "q", type: "QNA", question: `Why ${round}?`, answer: "So." });
    await bot.setDocumentStatus("q", "pending");
    await bot.putAgent("ann", round === 1);
    await bot.putChannel("web", true);
    await bot.whenSearchable();
    if (round < 2) await bot.snapshot();
  }
  await engine.rotateKey(BOT);
  await engine.addKey("other", "site", { scope: "search", requestsPerMinute: 9, origins: ["https://a.b"] });
  await engine.close();
  const files = new Map<string, Buffer>();
  for (const store of await disk.fileSystem.readDirectory("/data/stores")) {
    for (const name of await disk.fileSystem.readDirectory(`/data/stores/${store}`)) {
      files.set(`${store}/${name}`, await readWhole(disk, `/data/stores/${store}/${name}`));
    }
  }
  return files;
}

/** A disk with this data directory. */
export async function diskOf(files: Files): Promise<SimulatedDisk> {
  const disk = simulatedDisk();
  for (const path of ["/data", "/data/stores"]) await disk.fileSystem.makeDirectory(path);
  for (const store of new Set([...files.keys()].map((path) => path.split("/")[0]))) {
    await disk.fileSystem.makeDirectory(`/data/stores/${store}`);
  }
  for (const [path, bytes] of files) await writeWhole(disk, `/data/stores/${path}`, bytes);
  return disk;
}

/** What came of a directory: which error with which code, or all articles. */
export type Outcome = { readonly refused: string } | { readonly articles: string[] };

/**
 * Opens a directory of these files as a server does, and asks it something. Any error but ours is a failure.
 * @param isSealed whether its checksums fit: then limits and names may be anything as well
 */
export async function load(files: Files, what: string, isSealed = false): Promise<Outcome> {
  const disk = await diskOf(files);
  let engine: Engine | undefined;
  try {
    engine = await openEngine(disk);
    for (const { id } of engine.listBots()) {
      const bot = await engine.bot(id);
      await bot.search("pears and plums");
      await bot.createArticle({ title: "One more", body: "A pear." });
    }
    const articles = engine.findBot(BOT) === undefined ? [] : await (await engine.bot(BOT)).listArticles();
    return { articles: articles.map(({ title, body }) => `${title}: ${body}`) };
  } catch (error) {
    if (!(error instanceof LoredexError)) throw new Error(what, { cause: error });
    if (!isSealed) expect(error.code, what).toMatch(/^(CORRUPT|UNSUPPORTED_FORMAT)$/);
    return { refused: error.code };
  } finally {
    await engine?.verify();
    await engine?.close();
  }
}

export interface Fuzzer {
  /** A file of the directory, changed somehow. */
  next(): { readonly files: Files; readonly what: string };
}

/**
 * Changes files by a seed.
 * @param seal also makes the checksums fit what was changed, so that it is only found by what it says
 */
export function fuzzer(files: Files, seed: number, { seal }: { readonly seal: boolean }): Fuzzer {
  const random = seededNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const names = [...files].filter(([, bytes]) => bytes.length > 0).map(([name]) => name);
  return {
    next: () => {
      const name = names[below(names.length)] ?? "";
      const before = files.get(name) ?? Buffer.alloc(0);
      const { bytes, how } = changed(before, below, random, seal);
      const all = new Map(files).set(name, bytes);
      return { files: seal ? sealed(all, name, before) : all, what: `seed ${seed}, ${name}: ${how}` };
    },
  };
}

function changed(
  before: Buffer,
  below: (limit: number) => number,
  random: SeededRandom,
  keepLength: boolean,
): { bytes: Buffer; how: string } {
  const bytes = Buffer.from(before);
  const at = below(bytes.length);
  const length = Math.min(bytes.length - at, 1 + below(random() < 0.7 ? 8 : 400));
  const noise = Buffer.from(Array.from({ length }, () => below(256)));
  const kind = below(keepLength ? 4 : 8);
  const how = `change ${kind} of ${length} bytes at ${at}`;
  switch (kind) {
    case 0:
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << below(8)), at);
      return { bytes, how };
    case 1:
      noise.copy(bytes, at);
      return { bytes, how };
    case 2:
      bytes.fill(below(2) === 0 ? 0 : 255, at, at + length);
      return { bytes, how };
    case 3:
      bytes.copy(bytes, at, below(bytes.length), bytes.length);
      return { bytes, how };
    case 4:
      return { bytes: bytes.subarray(0, at), how };
    case 5:
      return { bytes: Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]), how };
    case 6:
      return { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]), how };
    default:
      return { bytes: Buffer.from(Array.from({ length: below(2_000) }, () => below(256))), how: "nothing but noise" };
  }
}

/** The files with checksums that fit, after one was changed; `before` is how it was. */
export function sealed(files: Map<string, Buffer>, name: string, before: Buffer): Files {
  const bytes = files.get(name) ?? Buffer.alloc(0);
  if (name.endsWith(".log")) sealSegment(bytes, before);
  else if (name.endsWith(".manifest")) bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4);
  else if (name.endsWith(".section")) {
    const manifest = name.replace(/-[a-z-]+\.section$/, ".manifest");
    const sealing = files.get(manifest);
    if (sealing !== undefined) {
      const copy = Buffer.from(sealing);
      const at = copy.indexOf(crcBytes(before));
      crcBytes(bytes).copy(copy, at);
      copy.writeUInt32LE(crc32(copy.subarray(0, -4)), copy.length - 4);
      files.set(manifest, copy);
    }
  }
  return files;
}

/** Puts the frame of each record back as it was, around whatever its payload is now. */
function sealSegment(bytes: Buffer, before: Buffer): void {
  before.copy(bytes, 0, 0, 128);
  for (let at = 128; at < before.length; ) {
    before.copy(bytes, at, at, at + 28);
    const end = at + 32 + before.readUInt32LE(at + 4);
    bytes.writeUInt32LE(crc32(bytes.subarray(at + 32, end), crc32(bytes.subarray(at, at + 28))), at + 28);
    at = end;
  }
}

function crcBytes(bytes: Buffer): Buffer {
  const crc = Buffer.alloc(4);
  crc.writeUInt32LE(crc32(bytes));
  return crc;
}
