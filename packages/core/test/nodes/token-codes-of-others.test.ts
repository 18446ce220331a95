import { expect, it } from "vitest";
import { TokenCodeCache } from "../../src/index/token-codes/held-codes.ts";
import { KeptTokenCodes } from "../../src/index/token-codes/kept-codes.ts";
import { must } from "../../src/model/must.ts";
import type { BlockStore } from "../../src/storage/block-store.ts";
import { SimulatedDatabase } from "../../testing/simulated-database.ts";

/** The blocks of one bot, for each of `count` nodes. */
async function blocksOf(database: SimulatedDatabase, count: number): Promise<BlockStore[]> {
  const all: BlockStore[] = [];
  for (let i = 0; i < count; i++) {
    const storage = database.open();
    if (i === 0) await storage.create("bot");
    const store = await storage.open("bot");
    await store.recover({ snapshot: () => undefined, record: () => undefined });
    all.push(must(store.blocks?.("codes"), "blocks of a simulated store"));
  }
  return all;
}

/** Token codes of a node that sees these versions of documents. */
async function keptBy(blocks: BlockStore, seen: ReadonlyMap<string, number>): Promise<KeptTokenCodes> {
  const kept = new KeptTokenCodes({ blocks, held: new TokenCodeCache(0), onLost: () => undefined });
  const isWanted = (id: string, version: number): boolean => seen.get(id) === version;
  const isReplaced = (id: string, version: number): boolean => (seen.get(id) ?? 0) > version;
  await kept.open("label", isWanted, async () => undefined, isReplaced);
  return kept;
}

const CODES = [new Uint8Array([1, 2, 3])];
const soon = async (): Promise<void> => undefined;

it("waits for a document that another node has indexed first, and takes its codes then", async () => {
  const [ofA, ofB] = await blocksOf(new SimulatedDatabase(), 2);
  const seenByB = new Map<string, number>();
  const a = await keptBy(must(ofA, "A"), new Map([["doc", 1]]));
  const b = await keptBy(must(ofB, "B"), seenByB);
  await a.append("doc", 1, 0, CODES);
  await b.refresh(soon);
  expect(b.gap("doc", 1, 1)).toBeDefined();
  seenByB.set("doc", 1);
  await b.refresh(soon);
  expect(b.gap("doc", 1, 1)).toBeUndefined();
});

it("purges the codes of a deleted document that another node has made and left", async () => {
  const [ofA, ofB, ofC] = await blocksOf(new SimulatedDatabase(), 3);
  const a = await keptBy(must(ofA, "A"), new Map([["doc", 1]]));
  const b = await keptBy(must(ofB, "B"), new Map());
  await a.append("doc", 1, 0, CODES);
  const end = await b.beginPurge();
  end();
  expect((await must(ofC, "C").open("label")).blocks).toEqual([]);
});

it("leaves the codes of a node that reranks, where another one does not", async () => {
  const [ofA, ofB] = await blocksOf(new SimulatedDatabase(), 2);
  const a = await keptBy(must(ofA, "A"), new Map([["doc", 1]]));
  const b = await keptBy(must(ofB, "B"), new Map([["doc", 1]]));
  await a.append("doc", 1, 0, CODES);
  await b.clear();
  const places = must(a.placesOf("doc", 1, 0, 1), "the window that was appended");
  expect([...(await a.read(places)).values()]).toEqual(CODES);
});
