import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { type DocumentInput, type Embedder, Engine } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { cutDocument, embeddedTexts } from "../../packages/core/src/index/embedded-texts.ts";
import { encodeVector } from "../../packages/core/src/index/vectors/codes.ts";
import { type GraphKind, openGraphs } from "../../packages/core/src/index/vectors/graphs.ts";
import { PassageVectors } from "../../packages/core/src/index/vectors/passage-vectors.ts";
import type { VectorRows } from "../../packages/core/src/index/vectors/rows.ts";
import type { Graphs } from "../../packages/core/src/index/vectors/vector-graph.ts";
import { searchableDocument } from "../../packages/core/src/log/searchable.ts";
import { systemClock } from "../../packages/core/src/platform/system.ts";
import { finished, UNCOUNTED } from "../../packages/core/src/scheduling/time-slices.ts";
import { fileOf, readManifest, readModelFile } from "../../packages/encoder/worker/model-files.js";
import { openPieces } from "../../packages/minilm/src/worker/pieces.js";
import { CachedEmbedder, sharedEmbedder } from "../bots/cached-embedder.ts";
import { dataIsThere, JUDGED_SETS, markdownPages, supportDescriptions } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { median, percentile } from "../measuring/measures.ts";
import { printTable } from "../measuring/table.ts";

/**
 * Vectors: how fast and how surely the nearest are found, by scan and by graph; and what the encoder costs around the bare call of
 * its model. All on real passages and real questions.
 */
export async function vectors({ short, json }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const { pages, judged } = realDocuments();
  const questions = questionsOf("squad-paragraphs");
  const cached = new CachedEmbedder(await openMiniLm());
  try {
    // Where the passages are not enough, questions that are not asked fill up.
    const nearest = await nearestRows([...pages, ...judged], questions, cached, short);
    const encoding = await encodingRows([...judged, ...pages], questions, cached, short);
    if (json) console.log(JSON.stringify({ nearest, encoding }));
    else {
      printTable(nearest);
      console.log("");
      printTable(encoding);
    }
  } finally {
    await cached.close();
  }
}

/** Encyclopedia articles, abstracts, support articles, product docs: some 45,000 passages, in the order of their documents. */
function realDocuments(): { pages: DocumentInput[]; judged: DocumentInput[] } {
  const judged = ["squad-paragraphs", "scifact-train", "cranfield", "stackfaq-doc", "xquad-en"];
  return { pages: markdownPages(), judged: judged.flatMap((name) => [...(JUDGED_SETS[name]?.().documents ?? [])]) };
}

function questionsOf(set: string): string[] {
  return (JUDGED_SETS[set]?.().questions ?? []).map(({ text }) => text);
}

function textsOf(documents: readonly DocumentInput[], most: number): string[] {
  const texts: string[] = [];
  for (const document of documents) {
    const stored = { status: "active" as const, metaData: {}, ...document };
    texts.push(...embeddedTexts(cutDocument(searchableDocument(stored))));
    if (texts.length >= most) break;
  }
  return texts.slice(0, most);
}

/** The sizes that a scan and a graph are compared at. */
const SIZES = [1_000, 5_000, 20_000, 50_000];
const SHORT_SIZES = [200];
const NEAREST = 10;

interface NearestRow {
  readonly passages: number;
  readonly graph: GraphKind;
  readonly "scan µs": number;
  readonly "graph µs": number;
  readonly "graph p99 µs": number;
  readonly "recall@10": number;
  readonly "build s": number;
  readonly "graph MB": number;
}

async function nearestRows(
  corpus: readonly DocumentInput[],
  others: readonly string[],
  embedder: Embedder,
  short: boolean,
): Promise<NearestRow[]> {
  // Of the articles that are in at every size.
  const questions = supportDescriptions();
  const sizes = short ? SHORT_SIZES : SIZES;
  const most = sizes.at(-1) ?? 0;
  const texts = [...textsOf(corpus, most), ...others].slice(0, most);
  const codes: Int8Array[] = [];
  for (let at = 0; at < texts.length; at += 64) {
    for (const vector of await embedder.embedPassages(texts.slice(at, at + 64))) codes.push(encodeVector(vector));
  }
  const asked: Float32Array[] = [];
  for (const text of everyNth(questions, short ? 20 : 500)) asked.push(await embedder.embedQuery(text));
  const rows: NearestRow[] = [];
  for (const kind of ["built-in", "hnswlib"] as const) {
    const graphs = await openGraphs(kind, tmpdir());
    if ("missing" in graphs) console.error(`It is not measured: ${graphs.missing.why}`);
    else {
      for (const size of sizes.filter((wanted) => wanted <= codes.length)) {
        rows.push(nearestRow(kind, graphs, codes, size, asked));
      }
    }
  }
  return rows;
}

/** By scan and by graph, in turns. */
function nearestRow(
  kind: GraphKind,
  graphs: Graphs<VectorRows>,
  codes: readonly Int8Array[],
  size: number,
  asked: readonly Float32Array[],
): NearestRow {
  const dimensions = codes[0]?.length ?? 1;
  const exact = filled(new PassageVectors(dimensions), codes, size);
  const graph = filled(new PassageVectors(dimensions, { graphs, graphVectorsMin: 1 }), codes, size);
  const before = performance.now();
  while (graph.work(Number.POSITIVE_INFINITY, systemClock));
  const buildSeconds = (performance.now() - before) / 1_000;
  const [scanned, searched]: [number[], number[]] = [[], []];
  let found = 0;
  // The first round warms up.
  for (const round of [0, 1, 2]) {
    for (const vector of asked) {
      const query = exact.prepare(vector);
      const start = performance.now();
      const all = finished(exact.nearestInSlices(query, NEAREST, UNCOUNTED));
      const between = performance.now();
      const some = finished(graph.nearestInSlices(query, NEAREST, UNCOUNTED));
      const end = performance.now();
      if (round === 0) continue;
      scanned.push((between - start) * 1_000);
      searched.push((end - between) * 1_000);
      const keys = new Set(all.map(({ key }) => key));
      found += some.filter(({ key }) => keys.has(key)).length / Math.min(NEAREST, size) / 2;
    }
  }
  const row: NearestRow = {
    passages: size,
    graph: kind,
    "scan µs": median(scanned),
    "graph µs": median(searched),
    "graph p99 µs": percentile(searched, 0.99),
    "recall@10": found / asked.length,
    "build s": buildSeconds,
    "graph MB": (graph.bytes - exact.bytes) / 1e6,
  };
  exact.close();
  graph.close();
  return row;
}

function filled(into: PassageVectors, codes: readonly Int8Array[], count: number): PassageVectors {
  for (let key = 0; key < count; key++) into.set(key, codes[key] ?? new Int8Array(into.dimensions));
  return into;
}

interface EncodingRow {
  readonly what: string;
  readonly "bare call": number;
  readonly Loredex: number;
  readonly ratio: number;
}

/** Passages that the bot has in which questions are asked. */
const BOT_PASSAGES = 20_000;

/** Passages a second on one worker, and milliseconds from a question to its answer, each beside the bare call of the model in turns. */
async function encodingRows(
  corpus: readonly DocumentInput[],
  questions: readonly string[],
  cached: Embedder,
  short: boolean,
): Promise<EncodingRow[]> {
  const bare = await openBareCall();
  const teacher = await openMiniLm({ workers: 1 });
  try {
    const texts = everyNth(textsOf(corpus, BOT_PASSAGES), short ? 8 : 400);
    const bareMs: number[] = [];
    const teacherMs: number[] = [];
    // In turns, so that both meet the same load.
    for (let at = 0; at < texts.length; at += PORTION) {
      const portion = texts.slice(at, at + PORTION);
      const feeds = portion.map((text) => bare.prepare(text));
      const start = performance.now();
      for (const feed of feeds) await bare.run(feed);
      const between = performance.now();
      await teacher.embedPassages(portion);
      bareMs.push((between - start) / portion.length);
      teacherMs.push((performance.now() - between) / portion.length);
    }
    const [bareRate, teacherRate] = [1_000 / median(bareMs), 1_000 / median(teacherMs)];
    const passages = { what: "passages a second", "bare call": bareRate, Loredex: teacherRate };
    const answers = await answerTimes(corpus, everyNth(questions, short ? 8 : 400), bare, cached, teacher, short);
    return [{ ...passages, ratio: teacherRate / bareRate }, ...answers];
  } finally {
    await teacher.close();
    await bare.close();
  }
}

/** Questions that each of the two is asked in its turn: one by one they would drive each other's model out of the cache. */
const TURN_QUESTIONS = 40;

/** Documents that are embedded while questions are asked: more than will be done. */
const BUSY_DOCUMENTS = 500;

/** Passages of one measured call. */
const PORTION = 8;

async function answerTimes(
  corpus: readonly DocumentInput[],
  questions: readonly string[],
  bare: BareCall,
  cached: Embedder,
  teacher: Embedder,
  short: boolean,
): Promise<EncodingRow[]> {
  // Passages come from the cache; questions are embedded while they are measured.
  let fromCache = true;
  const measured: Embedder = {
    ...sharedEmbedder(cached),
    embedPassages: (texts, signal) => (fromCache ? cached : teacher).embedPassages(texts, signal),
    embedQuery: (text, signal) => teacher.embedQuery(text, signal),
  };
  const engine = await Engine.open({ embedders: { measured: { languages: ["en"], open: async () => measured } } });
  try {
    await engine.createBot({ name: "asked" });
    const bot = await engine.bot("asked");
    const most = short ? 100 : BOT_PASSAGES;
    for (const document of corpus) {
      await bot.importDocument(document);
      await bot.whenSearchable();
      if ((await bot.stats()).vectors.texts >= most) break;
    }
    await bot.whenUpgraded();
    const { texts, graph } = (await bot.stats()).vectors;
    const asked = async (): Promise<{ bareMs: number[]; searchMs: number[] }> => {
      const [bareMs, searchMs]: [number[], number[]] = [[], []];
      for (let at = 0; at < questions.length; at += TURN_QUESTIONS) {
        const some = questions.slice(at, at + TURN_QUESTIONS);
        for (const feed of some.map((question) => bare.prepare(question))) {
          const start = performance.now();
          await bare.run(feed);
          bareMs.push(performance.now() - start);
        }
        for (const question of some) {
          const start = performance.now();
          await bot.search(question);
          searchMs.push(performance.now() - start);
        }
      }
      return { bareMs, searchMs };
    };
    const rows = ({ bareMs, searchMs }: { bareMs: number[]; searchMs: number[] }, when: string): EncodingRow[] =>
      [0.5, 0.95].map((share) => {
        const [one, other] = [percentile(bareMs, share), percentile(searchMs, share)];
        const name = share === 0.5 ? "median" : "p95";
        const what = `${name} ms from question to answer, ${when}`;
        return { what, "bare call": one, Loredex: other, ratio: other / one };
      });
    // The first round warms up.
    await asked();
    const idle = rows(await asked(), `${texts} passages, graph: ${graph}`);
    // The same while the encoder is busy with passages.
    fromCache = false;
    for (const [i, document] of corpus.entries()) {
      if (i === BUSY_DOCUMENTS) break;
      await bot.importDocument({ ...document, resourceDocId: `again ${i}` });
    }
    await bot.whenSearchable();
    const busy = rows(await asked(), "while passages are embedded");
    if (!short && (await bot.stats()).vectors.documentsWaiting === 0)
      throw new Error("the passages were embedded too soon");
    return [...idle, ...busy];
  } finally {
    await engine.close();
  }
}

type Feed = Record<string, Tensor>;

/** The model as onnxruntime runs it, one thread, on pieces that are there already: no tokenizer, no mean, no rotation, no worker. */
interface BareCall {
  prepare(text: string): Feed;
  run(feed: Feed): Promise<unknown>;
  close(): Promise<void>;
}

const MODEL_PACKAGE = "@loredex/minilm";

async function openBareCall(): Promise<BareCall> {
  const { InferenceSession: Session, Tensor: Values } = await import("onnxruntime-node");
  const directory = fileURLToPath(new URL("../../packages/minilm/model/", import.meta.url));
  const manifest = await readManifest(directory, MODEL_PACKAGE);
  const read = (window: string) => readModelFile(directory, fileOf(manifest, window), MODEL_PACKAGE);
  const fragmentsOf = openPieces(await read("tokenizer"), manifest.tokensMax);
  const session: InferenceSession = await Session.create(await read("model"), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  return {
    prepare(text) {
      const fragments = BigInt64Array.from(fragmentsOf(text), BigInt);
      const values = (data: BigInt64Array): Tensor => new Values("int64", data, [1, data.length]);
      return {
        input_ids: values(fragments),
        attention_mask: values(new BigInt64Array(fragments.length).fill(1n)),
        token_type_ids: values(new BigInt64Array(fragments.length)),
      };
    },
    run: (feed) => session.run(feed),
    close: () => session.release(),
  };
}

/** About `count` of them, evenly spread. */
function everyNth<Item>(items: readonly Item[], count: number): Item[] {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, i) => i % step === 0).slice(0, count);
}
