import { setImmediate } from "node:timers/promises";
import { expect, vi } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { Documents } from "../../src/index/documents.ts";
import { cutDocument } from "../../src/index/embedded-texts.ts";
import { LexicalIndex } from "../../src/index/postings/lexical-index.ts";
import { Scoring } from "../../src/index/postings/scoring.ts";
import { SearchIndex } from "../../src/index/search-index.ts";
import { PassageVectors, type PassageVectorsOptions } from "../../src/index/vectors/passage-vectors.ts";
import { HeapRows, OwnMemoryRows, SharedMemoryRows } from "../../src/index/vectors/row-storage.ts";
import { VectorRows } from "../../src/index/vectors/rows.ts";
import { WindowNumbers } from "../../src/index/window-numbers.ts";
import type { SearchFilter } from "../../src/model/filter-types.ts";
import { SLICE_OPERATIONS_MAX } from "../../src/model/limits.ts";
import type { JsonObject, SearchableDocument } from "../../src/model/types.ts";
import { finished, type Sliced } from "../../src/scheduling/time-slices.ts";
import { analyzeQuery } from "../../src/search/parsed-query.ts";
import { queryAnswer } from "../../src/search/query.ts";
import { parseQueryRequest } from "../../src/search/query-request.ts";
import { answerBy, findHybrid } from "../../src/search/search.ts";
import { countedMetaData, countedObject, nested } from "../support/counted-metadata.ts";

/** What was done between two yields at most, and in all. */
export interface Counted {
  longest: number;
  all: number;
}

/** What became of searches for which any operation is enough for a step. */
export interface Eagerly {
  /** How often operations were counted between two yields, at most. */
  readonly countsASlice: number;
  /** Operations that were done beyond those that were counted then, at most. */
  readonly uncounted: number;
  /** How often operations were counted in all. */
  readonly counts: number;
}

/** Operations of any kind, counted where they are done: what counts them for searches may have forgotten some. */
class Counter {
  #now = 0;
  readonly counted: Counted = { longest: 0, all: 0 };

  add(operations: number): void {
    this.#now += operations;
  }

  /** Others might have had their turn. Returns what was done since they might have had it before. */
  yielded(): number {
    const now = this.#now;
    this.counted.longest = Math.max(this.counted.longest, now);
    this.counted.all += now;
    this.#now = 0;
    return now;
  }
}

/** A method that is called once for some operations. */
type Counting = (args: readonly never[], self: never) => number;

/** What searches are made of, and how many operations a call of it takes. */
function primitives(codes: number): readonly (readonly [object, string, Counting])[] {
  const rowsOf = (_: readonly never[], at: number): number => Number(_[at]) * (codes / 32);
  const products: Counting = (args) => rowsOf(args, 2);
  const listed: Counting = (args) => rowsOf(args, 1);
  const one: Counting = () => 1;
  const termsOf = ([query]: readonly { terms: readonly unknown[] }[]): number => query?.terms.length ?? 0;
  return [
    [Documents.prototype, "at", one],
    [WindowNumbers.prototype, "ordinalOf", one],
    [LexicalIndex.prototype, "scoreOf", (args) => termsOf(args)],
    [Scoring.prototype, "addTerm", (_, self: Scoring) => self.nextPostings],
    [Scoring.prototype, "takeCandidates", (_, self: Scoring) => self.touchedCount],
    [Scoring.prototype, "addToCandidates", (_, self: Scoring) => self.candidateCount],
    [Scoring.prototype, "complete", (_, self: Scoring) => self.termsLacking],
    [VectorRows.prototype, "cosine", one],
    ...[HeapRows, SharedMemoryRows, OwnMemoryRows].flatMap(({ prototype }) => [
      [prototype, "products", products] as const,
      [prototype, "listed", listed] as const,
    ]),
  ];
}

/** Counts while it works, and no longer. */
function counting<Result>(codes: number, counter: Counter, work: () => Result): Result {
  const originals = primitives(codes).map(([prototype, name, operations]) => {
    const known = Object.getOwnPropertyDescriptor(prototype, name) ?? expect.fail(`There is no ${name}.`);
    const original = known.value as (...args: unknown[]) => unknown;
    const counted = function (this: never, ...args: never[]): unknown {
      counter.add(operations(args, this));
      return original.apply(this, args);
    };
    Object.defineProperty(prototype, name, { ...known, value: counted });
    return () => Object.defineProperty(prototype, name, known);
  });
  try {
    return work();
  } finally {
    for (const restore of originals) restore();
  }
}

const DIMENSIONS = 64;
const SPACE = { id: "test", version: "1", dimensions: DIMENSIONS };

const COMMON = ["parcel", "order", "refund", "account", "harbour", "delivery", "password", "invoice"];

function wordOf(n: number): string {
  return `${COMMON[n % COMMON.length]}${String.fromCharCode(97 + (n % 26), 97 + ((n * 7) % 26), 97 + ((n * 3) % 26))}`;
}

/** A name with as many dots as a name may have. The value stands in a key with all but one of them, or in keys without. */
const longName = (n: number): string => `metaData.f${n}${".x".repeat(31)}`;
const LONG = 40;

/** A bot of so many passages, a document each, whose keys of metadata are counted. */
class CountedBot {
  readonly counter = new Counter();
  readonly index: SearchIndex;
  readonly #vector = new Float32Array(DIMENSIONS);

  constructor(analyzer: SearchIndex["analyzer"]) {
    this.index = new SearchIndex(analyzer);
  }

  /** With this many documents. The test runner gets its turn now and then. */
  async fill(passages: number, options?: PassageVectorsOptions): Promise<void> {
    const vectors = new PassageVectors(DIMENSIONS, options);
    this.index.windowVectors.use(SPACE, vectors, "test");
    this.#vector[0] = 1;
    let at = 7;
    const code = (): number => {
      at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
      return (at >>> 24) - 128 || 1;
    };
    const encode = (): Int8Array => Int8Array.from({ length: DIMENSIONS }, code);
    const count = (): void => this.counter.add(1);
    const fieldsOf = (value: JsonObject): JsonObject => {
      const counted = countedMetaData(value, count);
      return Object.fromEntries(Array.from({ length: LONG }, (_, n) => [`f${n}`, counted]));
    };
    const inOneKey = fieldsOf({ [`x${".x".repeat(30)}`]: 1 });
    const inManyKeys = fieldsOf(nested(31));
    for (let i = 0; i < passages; i++) {
      const md = `${COMMON.join(" ")} ${wordOf(i)} ${wordOf(i * 31)} number ${i}`;
      const fields = i % 100 === 0 ? inManyKeys : inOneKey;
      const metaData = countedObject({ ...fields, half: i % 2, n: i }, count);
      const document: SearchableDocument = {
        id: `d${i}`,
        type: "DOCUMENT",
        status: "active",
        metaData,
        content: [{ md }],
        titles: [],
      };
      const replacement = { version: 1, cut: cutDocument(document), current: () => document, encode };
      finished(this.index.replaceInSlices(document, replacement));
      if (i % 1_000 === 0) await setImmediate();
    }
    const soon = { wallMs: () => 0, monotonicMs: () => performance.now() };
    while (vectors.work(performance.now() + 100, soon)) await setImmediate();
  }

  *#steps({ query, filters, options, byMeaning }: Question): Sliced<number> {
    const { index } = this;
    const request = parseQueryRequest({ query, filters, options });
    const embedder = { ...SPACE, weight: 0.5, calibrate: (cosine: number) => Math.max(0, cosine) };
    const embedded = byMeaning ? { embedder, vector: this.#vector } : undefined;
    const analyzed = analyzeQuery(query, index.reader);
    const two = yield* findHybrid(index, request, analyzed, embedded, undefined);
    const { results } = yield* answerBy(index, request, two, undefined);
    return (yield* queryAnswer(index, request, two, results)).results.length;
  }

  /**
   * A search for which any operation is enough for a step. Returns how often it counted some between two yields, at most, and how many operations it has
   * done at most beyond those that it counted.
   */
  searchEagerly(question: Question): Eagerly {
    const { counter, index } = this;
    const eagerly = { countsASlice: 0, uncounted: 0, counts: 0 };
    let counts = 0;
    const shouldYield = vi.spyOn(index.effort, "shouldYield").mockImplementation((operations) => {
      counts += 1;
      eagerly.uncounted = Math.max(eagerly.uncounted, counter.yielded() - operations);
      return true;
    });
    counting(DIMENSIONS, counter, () => {
      for (const work = this.#steps(question); ; counts = 0) {
        const { done } = work.next();
        eagerly.countsASlice = Math.max(eagerly.countsASlice, counts);
        eagerly.counts += counts;
        if (done === true) break;
      }
    });
    eagerly.uncounted = Math.max(eagerly.uncounted, counter.yielded());
    shouldYield.mockRestore();
    return eagerly;
  }

  /** A search, yield by yield. Returns how many results it has. */
  search(question: Question): number {
    const { index, counter } = this;
    return counting(DIMENSIONS, counter, () => {
      const work = this.#steps(question);
      for (;;) {
        const before = index.effort.operations;
        const step = work.next();
        counter.yielded();
        // What the search counts itself keeps to the same maximum.
        expect(index.effort.operations - before).toBeLessThanOrEqual(SLICE_OPERATIONS_MAX);
        if (step.done === true) return step.value;
      }
    });
  }
}

interface Question {
  readonly query: string;
  readonly filters: SearchFilter;
  readonly options: object;
  readonly byMeaning: boolean;
}

/** Searches and queries in all ways that cost much. */
function* questionsThatCost(): Generator<Question> {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => wordOf(i * 13))
      .join(" ")
      .slice(0, 4_000);
  const questions = [
    "harbour",
    "parcel refund number",
    many(400),
    `${many(20)} zarbour acount`,
    COMMON.join(" ").repeat(40),
  ];
  const long = Object.fromEntries(Array.from({ length: LONG }, (_, n) => [longName(n), 1]));
  const filters = (n: number): SearchFilter[] => [
    {},
    { "metaData.half": 1 },
    { "metaData.n": n },
    { "metaData.n": "nothing" },
    { or: [{ "metaData.n": { gte: n, lt: n + 50 } }, { not: { "metaData.half": { exists: true } } }] },
    { [longName(n)]: "nothing" },
    // By turns, so that the last answer of the filters is of no use.
    ...(n < 2 ? [{ ...long, "metaData.half": n }] : []),
  ];
  for (const [n, query] of questions.entries()) {
    for (const filter of filters(n)) {
      for (const byMeaning of [true, false]) {
        const told = { facets: ["metaData.n", "metaData.half", longName(n)], groupBy: longName(n) };
        const options = { topK: byMeaning ? 100 : 10, includeContent: byMeaning, ...told };
        yield { query: query.trim(), filters: filter, options, byMeaning };
      }
    }
  }
}

async function filledBot(passages: number, options?: PassageVectorsOptions): Promise<CountedBot> {
  const bot = new CountedBot((await analyzerOf("en")) ?? expect.fail("no English"));
  await bot.fill(passages, options);
  return bot;
}

/** Searches a bot of this number of passages in all ways that cost much, and tells what was done between two yields. */
export async function askCounted(passages: number, options?: PassageVectorsOptions): Promise<Counted> {
  const bot = await filledBot(passages, options);
  let found = 0;
  for (const question of questionsThatCost()) {
    found += bot.search(question);
    await setImmediate();
  }
  expect(found).toBeGreaterThan(1_000);
  return bot.counter.counted;
}

/** Does the same where any operation is enough for a step. */
export async function askEagerly(passages: number, options?: PassageVectorsOptions): Promise<Eagerly> {
  const bot = await filledBot(passages, options);
  const all = Array.from(questionsThatCost(), (question) => bot.searchEagerly(question));
  return {
    countsASlice: Math.max(...all.map(({ countsASlice }) => countsASlice)),
    uncounted: Math.max(...all.map(({ uncounted }) => uncounted)),
    counts: all.reduce((sum, { counts }) => sum + counts, 0),
  };
}
