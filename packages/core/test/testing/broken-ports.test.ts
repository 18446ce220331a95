import { tmpdir } from "node:os";
import { describe, expect, it } from "vitest";
import type { Embedder, StaticEmbedder } from "../../src/embedding/embedder.ts";
import { BUILT_IN_GRAPHS } from "../../src/index/vectors/hnsw.ts";
import type { GraphBackend, Graphs, VectorGraph } from "../../src/index/vectors/vector-graph.ts";
import type { Clock, Random } from "../../src/platform/clock.ts";
import type { BlockStore } from "../../src/storage/block-store.ts";
import type { FileSystem, OpenFile } from "../../src/storage/file-system.ts";
import type { Storage, Store } from "../../src/storage/store.ts";
import {
  type ContractCase,
  clockContract,
  embedderContract,
  fileSystemContract,
  graphContract,
  randomContract,
  SimulatedFileSystem,
  staticEmbedderContract,
  storageContract,
} from "../../testing/index.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";
import { FakeEmbedder } from "../support/fake-embedder.ts";
import { FakeStatic } from "../support/fake-static.ts";
import { seededRandom, TestClock } from "../support/test-clock.ts";
import { firstFailed, withMethods } from "./broken.ts";

/** The object with one method that does nothing. */
function without<T extends object>(target: T, method: keyof T): T {
  return withMethods(target, { [method]: async () => undefined } as Partial<T>);
}

/** The contract of files on a simulated disk, of which something is broken. */
function storageWith(breaks: (storage: Storage) => Storage): ContractCase[] {
  return storageContract(async () => {
    const disk = simulatedDisk();
    return async () => breaks(await openOn(disk));
  });
}

function storeWith(breaks: (store: Store) => Store): ContractCase[] {
  return storageWith((storage) => withMethods(storage, { open: async (name) => breaks(await storage.open(name)) }));
}

function blocksWith(breaks: (blocks: BlockStore) => BlockStore): ContractCase[] {
  return storeWith((store) =>
    withMethods(store, {
      blocks: (name) => {
        const blocks = store.blocks?.(name);
        if (blocks === undefined) throw new Error("The store has no blocks.");
        return breaks(blocks);
      },
    }),
  );
}

function fileSystemWith(breaks: (fileSystem: FileSystem) => FileSystem): ContractCase[] {
  return fileSystemContract(async () => {
    const fileSystem = new SimulatedFileSystem();
    await fileSystem.makeDirectory("/data");
    return { fileSystem: breaks(fileSystem), directory: "/data" };
  });
}

function fileWith(breaks: (file: OpenFile) => OpenFile): ContractCase[] {
  return fileSystemWith((disk) =>
    withMethods(disk, { open: async (path, mode) => breaks(await disk.open(path, mode)) }),
  );
}

/** The contract of the built-in graphs, of which something is broken. They need no place: they make no temporary files. */
function graphsWith(breaks: (graphs: Graphs) => Graphs): ContractCase[] {
  const { open } = BUILT_IN_GRAPHS as GraphBackend;
  const broken = async (given: Parameters<typeof open>[0]) => {
    const graphs = await open(given);
    return "missing" in graphs ? graphs : breaks(graphs);
  };
  return graphContract({ open: broken }, async () => tmpdir(), { runs: 5 });
}

function graphWith(breaks: (graph: VectorGraph) => VectorGraph): ContractCase[] {
  return graphsWith((graphs) => ({
    ...graphs,
    empty: (rows, count) => breaks(graphs.empty(rows, count)),
    load: async (rows, bytes) => {
      const graph = await graphs.load(rows, bytes);
      return graph === undefined ? undefined : breaks(graph);
    },
  }));
}

// Left out are methods whose effect no case can see: they make bytes durable, or grant what this process may do anyway.
const STORAGE = ["create", "exists", "open", "remove", "list", "verify", "salvage", "close"] as const;
const STORE = ["recover", "append", "writeSnapshot", "purge", "sizes", "writeCache", "readCache", "close"] as const;
const BLOCKS = ["open", "openToRead", "append", "read", "has", "remove", "sizes", "clear"] as const;
const FILES = ["open", "stat", "rename", "unlink", "readDirectory", "makeDirectory", "removeDirectory"] as const;
const GRAPH = ["has", "insert", "forget", "tidy", "move", "search", "save", "match", "close"] as const;
const FILE = ["read", "write", "truncate", "size", "identity"] as const;

describe("a contract finds out that a method does nothing", () => {
  it.each<[string, ContractCase[]]>([
    ...STORAGE.map((name): [string, ContractCase[]] => [`Storage.${name}`, storageWith((one) => without(one, name))]),
    ...STORE.map((name): [string, ContractCase[]] => [`Store.${name}`, storeWith((one) => without(one, name))]),
    ...BLOCKS.map((name): [string, ContractCase[]] => [`BlockStore.${name}`, blocksWith((one) => without(one, name))]),
    ...FILES.map((name): [string, ContractCase[]] => [
      `FileSystem.${name}`,
      fileSystemWith((one) => without(one, name)),
    ]),
    ...GRAPH.map((name): [string, ContractCase[]] => [`VectorGraph.${name}`, graphWith((one) => without(one, name))]),
    ...FILE.map((name): [string, ContractCase[]] => [`OpenFile.${name}`, fileWith((one) => without(one, name))]),
  ])("%s", async (_name, cases) => {
    expect(await firstFailed(cases)).toBeDefined();
  });

  it("and nothing where all of them do their work", async () => {
    const wrapped = <T extends object>(one: T): T => withMethods(one, {});
    expect(await firstFailed(storeWith(wrapped))).toBeUndefined();
    expect(await firstFailed(fileWith(wrapped))).toBeUndefined();
    expect(await firstFailed(graphWith(wrapped))).toBeUndefined();
  });
});

const embedderWith = (methods: (one: FakeEmbedder) => Partial<Embedder>): ContractCase[] =>
  embedderContract(async () => {
    const embedder = new FakeEmbedder();
    return withMethods<Embedder>(embedder, methods(embedder));
  });
const staticWith = (methods: (one: FakeStatic) => Partial<StaticEmbedder>): ContractCase[] =>
  staticEmbedderContract(async () => {
    const embedder = new FakeStatic();
    return withMethods<StaticEmbedder>(embedder, methods(embedder));
  });
const clockWith = (methods: Partial<Clock>): ContractCase[] =>
  clockContract(() => withMethods(new TestClock(), methods));
const randomWith = (bytes: Random["bytes"]): ContractCase[] => randomContract(() => ({ bytes }));

const later = () => new Promise((resolve) => setTimeout(resolve, 5));
const halved = (vector: Float32Array) => vector.map((value) => value / 2);
const shared = new Uint8Array(16);
const halves = seededRandom(7);
let [falling, filled] = [0, 0];

describe("a contract names the demand that is not met", () => {
  it.each<[string, ContractCase[], RegExp]>([
    ["a weight above 1", embedderWith(() => ({ weight: 2 })), /all fields/],
    [
      "vectors of another length",
      embedderWith((one) => ({ embedPassages: async (texts) => (await one.embedPassages(texts)).map(halved) })),
      /length 1/,
    ],
    [
      "vectors in another order",
      embedderWith((one) => ({ embedPassages: async (texts) => (await one.embedPassages(texts)).reverse() })),
      /in order/,
    ],
    ["questions that are all the same", embedderWith((one) => ({ embedQuery: () => one.embedQuery("ice") })), /closer/],
    ["a bias of every question", embedderWith(() => ({ bias: () => 0.1 })), /meaningful/],
    ["small talk in every question", embedderWith(() => ({ smallTalk: () => 0.1 })), /small talk/],
    ["small talk that is no share", embedderWith(() => ({ smallTalk: () => Number.NaN })), /small talk/],
    ["small talk in every question, static", staticWith(() => ({ smallTalk: () => 1 })), /small talk/],
    [
      "calls that cannot be aborted",
      embedderWith((one) => ({ embedPassages: (texts) => later().then(() => one.embedPassages(texts)) })),
      /abort/,
    ],
    ["calls that outlive it", embedderWith(() => ({ close: async () => undefined })), /closed/],
    [
      "static vectors of another length",
      staticWith((one) => ({ embed: (text) => halved(one.embed(text)) })),
      /length 1/,
    ],
    [
      "a static embedder that throws",
      staticWith((one) => ({
        embed: (text) => {
          if (text === "") throw new Error("no text");
          return one.embed(text);
        },
      })),
      /never throws/,
    ],
    ["a static calibration that falls", staticWith(() => ({ calibrate: (cosine) => (1 - cosine) / 2 })), /calibrates/],
    ["a static embedder that knows nothing", staticWith(() => ({ knows: () => false })), /knows/],
    ["a clock without a date", clockWith({ wallMs: () => Number.NaN }), /wallMs/],
    ["a clock that runs backwards", clockWith({ monotonicMs: () => --falling }), /monotonicMs/],
    ["graphs that are kept nowhere", graphsWith((one) => ({ ...one, areKept: true })), /place for temporary files/],
    ["a search that costs nothing", graphsWith((one) => ({ ...one, effort: () => 0 })), /costs/],
    [
      "graphs of damaged bytes",
      graphsWith((one) => ({
        ...one,
        load: async (rows, bytes) => (await one.load(rows, bytes)) ?? one.empty(rows, 1),
      })),
      /not loaded from bytes/,
    ],
    [
      "cosines of its own",
      graphWith((one) =>
        withMethods(one, {
          search: (query, k, offer) => one.search(query, k, (key, cosine) => offer(key, cosine * 0.999)),
        }),
      ),
      /exact cosines/,
    ],
    [
      "keys that are offered twice",
      graphWith((one) =>
        withMethods(one, {
          search: (query, k, offer) => {
            for (let time = 0; time < 2; time += 1) one.search(query, k, offer);
          },
        }),
      ),
      /each once/,
    ],
    [
      "a graph of one neighbour",
      graphWith((one) => withMethods(one, { search: (query, _k, offer) => one.search(query, 1, offer) })),
      /nearly all/,
    ],
    ["too few random bytes", randomWith((length) => new Uint8Array(Math.min(length, 16))), /number of bytes/],
    ["the same bytes each time", randomWith((length) => seededRandom(7).bytes(length)), /other bytes/],
    [
      "bytes that the next call changes",
      randomWith((length) => (length === shared.length ? shared.fill(++filled) : seededRandom(7).bytes(length))),
      /leaves those that it gave/,
    ],
    ["bytes below 128", randomWith((length) => halves.bytes(length).map((byte) => byte >> 1)), /every value/],
  ])("%s", async (_what, cases, demand) => {
    expect(await firstFailed(cases)).toMatch(demand);
  });
});
