import { crc32 } from "node:zlib";
import { openEnglishStatic } from "@loredex/core";
import { Bench } from "tinybench";
import winkModel from "wink-eng-lite-web-model";
import winkNLP, { type ItsFunction } from "wink-nlp";
import { englishStem } from "../../packages/core/src/analysis/english-stems.ts";
import { analyzerOf } from "../../packages/core/src/analysis/languages.ts";
import { importRecord } from "../../packages/core/src/imports/prepared-imports.ts";
import { cutDocument, embeddedTexts } from "../../packages/core/src/index/embedded-texts.ts";
import { SearchIndex } from "../../packages/core/src/index/search-index.ts";
import { encodeVector } from "../../packages/core/src/index/vectors/codes.ts";
import { openGraphs } from "../../packages/core/src/index/vectors/graphs.ts";
import { PassageVectors } from "../../packages/core/src/index/vectors/passage-vectors.ts";
import { encodeRecordUpTo } from "../../packages/core/src/log/record-codec.ts";
import { searchableDocument } from "../../packages/core/src/log/searchable.ts";
import type { StoredDocument } from "../../packages/core/src/model/types.ts";
import { systemClock } from "../../packages/core/src/platform/system.ts";
import { finished, UNCOUNTED } from "../../packages/core/src/scheduling/time-slices.ts";
import { leastDistances } from "../../packages/core/src/search/rerank/max-sim.ts";
import { dataIsThere, markdownPages } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { report } from "../measuring/report.ts";

/** Pages that are read in one call of a task. */
const PAGES = 20;
const [VECTORS, SHORT_VECTORS] = [20_000, 500];
const NEAREST = 10;
/** Bytes of a token code, and tokens of a question and of what it is compared with. */
const [CODE_BYTES, QUESTION_TOKENS, PASSAGE_TOKENS] = [48, 16, 3_000];
/** The size at which wink-nlp takes the least time a word. */
const WORDS_A_DOCUMENT = 100;
const RECORD_BYTES_MAX = 1 << 26;

/**
 * Hot loops of the engine, each alone, in this process: tinybench warms each up and takes its median. They tell where a change made a loop slower. What users wait for is told by the
 * other benches: each of those has processes of its own.
 */
export async function hot({ short, json }: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const pages = markdownPages()
    .slice(0, PAGES)
    .map((page): StoredDocument => ({ status: "active", metaData: {}, ...page }));
  const documents = pages.map(searchableDocument);
  const text = documents.flatMap(({ content }) => content.map(({ md }) => md)).join("\n");
  const analyzer = await analyzerOf("en");
  if (analyzer === undefined) throw new Error("English is missing.");
  const embedder = await openEnglishStatic();
  const windows = documents.flatMap((document) => [...embeddedTexts(cutDocument(document))]);

  const bench = new Bench({ time: short ? 20 : 1_000, warmupTime: short ? 5 : 250 });
  bench.add(`analyzer: terms of ${kilobytes(text)} kB`, () => void analyzer.terms(text));
  addStems(bench, text);
  bench.add(`markdown: ${PAGES} pages cut into passages`, () => {
    for (const document of documents) cutDocument(document);
  });
  bench.add(`index: ${PAGES} pages into postings`, () => {
    const index = new SearchIndex(analyzer);
    for (const [i, document] of documents.entries()) index.replace(document, i + 1);
  });
  bench.add(`static embedder: ${windows.length} windows`, () => {
    for (const window of windows) embedder.embed(window);
  });
  await addVectorTasks(
    bench,
    windows.map((window) => embedder.embed(window)),
    short ? SHORT_VECTORS : VECTORS,
  );
  addMaxSim(bench);
  bench.add(`log: ${PAGES} records encoded, with checksum`, () => {
    for (const page of pages) {
      const bytes = encodeRecordUpTo(RECORD_BYTES_MAX, importRecord(page, "", undefined, 0));
      if (bytes !== undefined) crc32(bytes);
    }
  });
  await bench.run();
  const rows = bench.tasks.map(({ name, result }) => {
    if (!("latency" in result)) throw new Error(`${name} was not measured.`);
    const { p50 = Number.NaN, p99 = Number.NaN, rme, samplesCount } = result.latency;
    return { "hot loop": name, "median µs": p50 * 1_000, "p99 µs": p99 * 1_000, "± %": rme, runs: samplesCount };
  });
  report({ json }, rows);
}

/** The stems of the distinct words of a text: by the engine, and by the peer wink-nlp, which takes words in documents and has met these before. */
function addStems(bench: Bench, text: string): void {
  const words = [...new Set(text.toLowerCase().match(/\b[a-z]{1,40}\b/g))];
  const wink = winkNLP(winkModel, []);
  // Boundary: the types of wink-nlp leave out that this function takes the add-ons of the model.
  const stemOf = wink.its.stem as ItsFunction<string>;
  bench.add(`stems: ${words.length} distinct words`, () => {
    for (const word of words) englishStem(word);
  });
  bench.add(`stems: the same by wink-nlp, a document of ${WORDS_A_DOCUMENT} words at a time`, () => {
    for (let at = 0; at < words.length; at += WORDS_A_DOCUMENT)
      wink
        .readDoc(words.slice(at, at + WORDS_A_DOCUMENT).join(" "))
        .tokens()
        .out(stemOf);
  });
}

/** Vectors of real windows, each a little off where there are more wanted than windows. */
async function addVectorTasks(bench: Bench, real: readonly Float32Array[], count: number): Promise<void> {
  const [first] = real;
  if (first === undefined) throw new Error("The pages have no text.");
  const graphs = await openGraphs("built-in", undefined);
  if ("missing" in graphs) throw new Error("The built-in graph is always there.");
  const scanned = new PassageVectors(first.length);
  const walked = new PassageVectors(first.length, { graphs, graphVectorsMin: 1 });
  for (let key = 0; key < count; key++) {
    const vector = (real[key % real.length] ?? first).map(
      (value, i) => value + (((key * 31 + i * 17) % 97) - 48) / 2_000,
    );
    const row = encodeVector(vector);
    scanned.set(key, row);
    walked.set(key, row);
  }
  while (walked.work(Number.POSITIVE_INFINITY, systemClock));
  const query = scanned.prepare(first);
  // A changed row between two questions: the cosines of a scan are kept while no row changes.
  let next = 0;
  const codes = encodeVector(first);
  bench.add(`vectors: the ${NEAREST} nearest of ${count} by scan`, () => {
    scanned.set(next++ % count, codes);
    finished(scanned.nearestInSlices(query, NEAREST, UNCOUNTED));
  });
  bench.add(`vectors: the ${NEAREST} nearest of ${count} by HNSW`, () => {
    finished(walked.nearestInSlices(query, NEAREST, UNCOUNTED));
  });
}

function addMaxSim(bench: Bench): void {
  const codesOf = (tokens: number) =>
    Uint8Array.from({ length: tokens * CODE_BYTES }, (_, i) => (i * 2_654_435_761) >>> 24);
  const [question, passages] = [codesOf(QUESTION_TOKENS), codesOf(PASSAGE_TOKENS)];
  const out = new Uint16Array(QUESTION_TOKENS);
  bench.add(`MaxSim: ${QUESTION_TOKENS} tokens with ${PASSAGE_TOKENS}`, () => {
    leastDistances(question, passages, 0, PASSAGE_TOKENS, CODE_BYTES, out);
  });
}

function kilobytes(text: string): number {
  return Math.round(Buffer.byteLength(text) / 1_000);
}
