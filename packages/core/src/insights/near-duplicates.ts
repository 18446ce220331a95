import type { SearchableDocument } from "../model/types.ts";
import type { Sliced } from "../scheduling/time-slices.ts";
import { allIds, comparedDocument, HEAD_UNITS, type KnowledgeView, ReadUnits, titleOf } from "./knowledge-view.ts";
import type { NearDuplicate } from "./types.ts";

/** Words of one run (a shingle), words of one document that are read, and UTF-16 units of each of its contents. */
const [RUN_WORDS, WORDS_MAX, CONTENT_UNITS_MAX] = [4, 20_000, 131_072];
/** Runs and documents between two yields. */
const SLICE_RUNS = 1_024;
/** A document with fewer runs is not compared. */
const RUNS_MIN = 5;
/** The least share of their runs that two near-duplicates have in common. */
const SIMILARITY_MIN = 0.7;
/** MinHash: bands of rows. Of pairs with a similarity of .7 this finds 96 of 100, of .8 all but 3 of 1,000. */
const [BANDS, ROWS] = [8, 3];
/** Documents that are compared, pairs of them that are compared exactly, and pairs that are returned. */
const [DOCUMENTS_MAX, CANDIDATES_MAX, PAIRS_MAX] = [100_000, 5_000, 1_000];
/** Documents of one bucket that are compared with its first one: many equal documents would make a square of pairs. */
const BUCKET_MAX = 50;

const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Pairs of documents that have most of their runs of four words in common, the most similar first. Candidates are found by MinHash with bands (Broder 1997;
 * locality-sensitive hashing as in Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets", chapter 3) and compared exactly: O(words), not O(documents²).
 * Inactive documents are left out.
 */
export function* nearDuplicates(view: KnowledgeView): Sliced<NearDuplicate[]> {
  const ids: string[] = [];
  const signatures: Uint32Array[] = [];
  const read = new ReadUnits();
  for (const id of allIds(view)) {
    if (ids.length >= DOCUMENTS_MAX || read.isOver) break;
    const runs = yield* runsOf(comparedDocument(view, id), read);
    if (runs.size < RUNS_MIN) continue;
    ids.push(id);
    signatures.push(yield* signatureOf(runs));
    yield;
  }
  const found: NearDuplicate[] = [];
  for (const [a, b] of yield* candidates(signatures)) {
    const [one, other] = [ids[a] ?? "", ids[b] ?? ""];
    const [ofOne, ofOther] = [yield* runsOf(view.document(one), read), yield* runsOf(view.document(other), read)];
    const similarity = jaccard(ofOne, ofOther);
    if (similarity < SIMILARITY_MIN) continue;
    found.push({ ids: [one, other], titles: [titleOf(view, one) ?? "", titleOf(view, other) ?? ""], similarity });
  }
  return found
    .sort((a, b) => b.similarity - a.similarity || compare(a.ids[0], b.ids[0]) || compare(a.ids[1], b.ids[1]))
    .slice(0, PAIRS_MAX);
}

/** Hashes of the runs of four words of a document. */
function* runsOf(document: SearchableDocument | undefined, read: ReadUnits): Sliced<ReadonlySet<number>> {
  const runs = new Set<number>();
  const last: number[] = [];
  let words = 0;
  if (read.shouldYield(HEAD_UNITS)) yield;
  for (const { md } of document?.content ?? []) {
    for (const [word] of md.slice(0, CONTENT_UNITS_MAX).matchAll(WORD)) {
      if (words >= WORDS_MAX) return runs;
      words += 1;
      if (read.shouldYield(word.length + 1)) yield;
      last.push(hashOf(word.toLowerCase()));
      if (last.length > RUN_WORDS) last.shift();
      if (last.length === RUN_WORDS) runs.add(last.reduce((hash, each) => mixed(hash ^ each), 0x9e3779b9));
    }
  }
  return runs;
}

function* signatureOf(runs: ReadonlySet<number>): Sliced<Uint32Array> {
  const signature = new Uint32Array(BANDS * ROWS).fill(0xffff_ffff);
  let count = 0;
  for (const run of runs) {
    for (let row = 0; row < signature.length; row++) {
      const hash = mixed(run + Math.imul(row + 1, 0x85ebca6b));
      if (hash < (signature[row] ?? 0)) signature[row] = hash;
    }
    count += 1;
    if (count % SLICE_RUNS === 0) yield;
  }
  return signature;
}

/** Pairs of documents with an equal band, each once. */
function* candidates(signatures: readonly Uint32Array[]): Sliced<readonly (readonly [number, number])[]> {
  const pairs = new Map<number, readonly [number, number]>();
  for (let band = 0; band < BANDS; band++) {
    const buckets = new Map<string, number[]>();
    for (const [at, signature] of signatures.entries()) {
      if (at % SLICE_RUNS === 0) yield;
      const key = signature.subarray(band * ROWS, (band + 1) * ROWS).join();
      const bucket = buckets.get(key);
      if (bucket === undefined) {
        buckets.set(key, [at]);
        continue;
      }
      if (bucket.length > BUCKET_MAX || pairs.size >= CANDIDATES_MAX) continue;
      bucket.push(at);
      const first = bucket[0] ?? at;
      pairs.set(first * DOCUMENTS_MAX + at, [first, at]);
    }
  }
  return [...pairs.values()];
}

function jaccard(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const run of a) if (b.has(run)) common += 1;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}

/** FNV-1a over UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The last step of MurmurHash3: each bit of the input changes half of the bits of the result. */
function mixed(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
