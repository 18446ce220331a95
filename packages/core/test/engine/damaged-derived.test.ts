import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { Engine, type EngineOptions, type LogEvent } from "../../src/index.ts";
import { salvageBot } from "../../src/operations/salvage.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { CAR, ICE, offer, QUESTION } from "../support/embedded-bot.ts";
import type { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { filesOf } from "../support/files-of.ts";
import { diskOf, type Files, load } from "./loader-fuzz.ts";

/** A bot of a static embedder's vectors or of an embedder's; with one snapshot and no older log, or with two and the log between. */
const KINDS = [
  ["static", "purged"],
  ["static", "kept"],
  ["embedder", "purged"],
  ["embedder", "kept"],
] as const;
type Vectors = (typeof KINDS)[number][0];
type History = (typeof KINDS)[number][1];

const DERIVED = /bot-.*-(search-index|first-vectors|vectors)\.section$/;
const stores = new Map<string, Files>();

function options(vectors: Vectors, fakes: FakeEmbedder[]): EngineOptions {
  const staticEmbedder = { languages: ["en"], static: async () => new FakeStatic() };
  return { embedders: { fake: vectors === "static" ? staticEmbedder : offer(fakes) } };
}

async function made(vectors: Vectors, history: History): Promise<Files> {
  const disk = simulatedDisk();
  const engine = await Engine.open({ storage: await openOn(disk), ...options(vectors, []) });
  await engine.createBot({ name: "bot" });
  const bot = await engine.bot("bot");
  await bot.createArticle(CAR);
  await bot.importDocument({ resourceDocId: "d", type: "WEBPAGE", content: [{ md: "plums" }] });
  await bot.whenUpgraded();
  await bot.snapshot();
  await bot.createArticle(ICE);
  await bot.whenUpgraded();
  if (history === "purged") await engine.purge("bot");
  else {
    await bot.snapshot();
    await bot.importDocument({ resourceDocId: "e", type: "WEBPAGE", content: [{ md: "pears" }] });
    await bot.whenUpgraded();
  }
  await engine.close();
  const found = [...(await filesOf(disk, "/data/stores"))];
  return new Map(found.map(([path, bytes]) => [path.slice("/data/stores/".length), bytes]));
}

beforeAll(async () => {
  for (const [vectors, history] of KINDS) stores.set(vectors + history, await made(vectors, history));
});

/** All that a bot has and finds after a start on these files, and what that start told. */
async function started(files: Files, vectors: Vectors) {
  const [events, fakes]: [LogEvent[], FakeEmbedder[]] = [[], []];
  const disk = await diskOf(files);
  const storage = await openOn(disk);
  const engine = await Engine.open({ storage, ...options(vectors, fakes), logger: (event) => events.push(event) });
  const bot = await engine.bot("bot");
  await bot.whenUpgraded();
  const found = [await bot.search(QUESTION), await bot.search("plums and pears")];
  const knowledge = [await bot.listArticles(), await bot.listDocuments(), found];
  const { isWhole, stores: verified } = await engine.verify();
  await engine.purge("bot");
  const after = await engine.verify();
  await engine.close();
  const warnings = events.filter(({ level }) => level !== "info");
  const [warned, said] = [warnings.map(({ event }) => event), warnings.map(({ message }) => message)];
  return { knowledge, warned, said, isWhole, problems: verified.flatMap(({ problems }) => problems), after, fakes };
}

function changed(files: Files, name: string, at: number, change: Uint8Array): Files {
  const bytes = Buffer.from(files.get(name) ?? expect.fail(`no ${name}`));
  const start = Math.min(at, bytes.length - 1);
  for (const [i, bits] of change.subarray(0, bytes.length - start).entries()) {
    bytes.writeUInt8(bytes.readUInt8(start + i) ^ bits, start + i);
  }
  return new Map(files).set(name, bytes);
}

const filled = (files: Files): string[] => [...files].flatMap(([name, bytes]) => (bytes.length > 0 ? [name] : []));

describe.each(KINDS)("a bot with vectors of its %s, %s", (vectors, history) => {
  const filesOfIt = (): Files => stores.get(vectors + history) ?? expect.fail("no files");

  it("is opened with all that was in it wherever bytes of what is made again have changed, tells it, and is whole again", async () => {
    const files = filesOfIt();
    const whole = await started(files, vectors);
    expect(whole).toMatchObject({ warned: [], isWhole: true });
    const names = filled(files).filter((name) => DERIVED.test(name));
    expect(names.length).toBeGreaterThan(history === "purged" ? 1 : 3);
    const places = fc.record({
      name: fc.constantFrom(...names),
      at: fc.nat(3_000),
      change: fc.uint8Array({ minLength: 1, maxLength: 4 }).filter(([first]) => first !== 0),
    });
    await fc.assert(
      fc.asyncProperty(places, async ({ name, at, change }) => {
        const found = await started(changed(files, name, at, change), vectors);
        expect(found.knowledge).toEqual(whole.knowledge);
        expect(found.isWhole).toBe(false);
        expect(found.problems).toMatchObject([{ file: expect.stringContaining(name), isDerived: true }]);
        expect(found.after).toMatchObject({ isWhole: true });
        const isLooked = history === "purged" || name.includes("0000000002");
        expect(found.warned).toHaveLength(isLooked ? 1 : 0);
      }),
      { numRuns: 25 },
    );
  });

  it("is opened when all that is made again is gone", async () => {
    const files = filesOfIt();
    const whole = await started(files, vectors);
    const rest = new Map([...files].filter(([name]) => !DERIVED.test(name)));
    expect((await started(rest, vectors)).knowledge).toEqual(whole.knowledge);
  });
});

it("a file that is gone is told otherwise than one whose bytes have changed, which the disk is to blame for", async () => {
  for (const [vectors, sections] of [
    ["static", ["search-index", "first-vectors"]],
    ["embedder", ["search-index", "vectors"]],
  ] as const) {
    const files = stores.get(`${vectors}purged`) ?? expect.fail("no files");
    for (const section of sections) {
      const [name] = filled(files).filter((name) => DERIVED.test(name) && /-\d{10}-(.+)\./.exec(name)?.[1] === section);
      if (name === undefined) expect.fail(`no ${section}`);
      const gone = await started(new Map([...files].filter(([other]) => other !== name)), vectors);
      expect(gone.said).toEqual([
        expect.stringMatching(/is missing, as after somebody has deleted it\..*: it is missing\.$/),
      ]);
      const damaged = await started(changed(files, name, 40, Uint8Array.of(1)), vectors);
      expect(damaged.said).toEqual([
        expect.stringMatching(/ is damaged\..*: its checksum is wrong\. Check the disk\.$/),
      ]);
    }
  }
});

it("an older snapshot and the log are preferred where they still have the embedder's vectors, which cost much", async () => {
  const damaged = (files: Files, ...numbers: readonly number[]): Files => {
    const names = [...files.keys()].filter((name) => /-\d{10}-vectors\.section$/.test(name) && DERIVED.test(name));
    const hit = names.filter((name) => numbers.some((number) => name.includes(`000000000${number}-`)));
    expect(hit).toHaveLength(numbers.length);
    return hit.reduce((all, name) => changed(all, name, 200, Uint8Array.of(1)), files);
  };
  const files = stores.get("embedderkept") ?? expect.fail("no files");
  const asked = ({ fakes }: { readonly fakes: readonly FakeEmbedder[] }) => fakes.flatMap(({ passages }) => passages);
  const older = await started(damaged(files, 2), "embedder");
  expect([older.warned, asked(older)]).toEqual([["damagedSnapshot"], []]);
  const both = await started(damaged(files, 1, 2), "embedder");
  expect([both.warned, asked(both)]).toEqual([["damagedSnapshot"], []]);
  const purged = stores.get("embedderpurged") ?? expect.fail("no files");
  const anew = await started(damaged(purged, 2), "embedder");
  expect(anew.warned).toEqual(["vectorsDropped"]);
  expect(asked(anew).length).toBeGreaterThan(0);
});

it("what is knowledge stays as strict as it was: a damaged section without another copy refuses the bot", async () => {
  const files = stores.get("staticpurged") ?? expect.fail("no files");
  const names = filled(files).filter(
    (name) => name.endsWith(".section") && name.includes("bot-") && !DERIVED.test(name),
  );
  expect(names.length).toBeGreaterThan(2);
  for (const name of names) {
    expect(await load(changed(files, name, 40, Uint8Array.of(1)), name)).toEqual({ refused: "CORRUPT" });
  }
});

it("salvage of a store in which only what is made again is damaged is complete", async () => {
  const files = stores.get("staticpurged") ?? expect.fail("no files");
  const names = filled(files).filter((name) => DERIVED.test(name));
  for (const name of names) {
    const storage = await openOn(await diskOf(changed(files, name, 40, Uint8Array.of(1))));
    const id = /bot-([^/]+)\//.exec(name)?.[1] ?? "";
    const { documents, articles, ...rest } = await salvageBot(storage, id).finally(() => storage.close());
    expect([documents.length, articles.length]).toEqual([1, 2]);
    expect(rest).toMatchObject({ isComplete: true, lost: [], unchecked: [], problems: [{ isDerived: true }] });
  }
});
