import { openEnglishStatic } from "@loredex/core";
import { analyzerOf } from "../../packages/core/src/analysis/languages.ts";
import type { EmbeddedQuestion } from "../../packages/core/src/embedding/shared-embedder.ts";
import { cutDocument } from "../../packages/core/src/index/embedded-texts.ts";
import { SearchIndex } from "../../packages/core/src/index/search-index.ts";
import { encodeVector } from "../../packages/core/src/index/vectors/codes.ts";
import { PassageVectors } from "../../packages/core/src/index/vectors/passage-vectors.ts";
import { searchableDocument } from "../../packages/core/src/log/searchable.ts";
import { finished } from "../../packages/core/src/scheduling/time-slices.ts";
import { type HybridHits, hybridSearch } from "../../packages/core/src/search/hybrid.ts";
import { analyzeQuery } from "../../packages/core/src/search/parsed-query.ts";
import { textParts } from "../../packages/core/src/search/quote.ts";
import { questionsOfUsers, realPages } from "../corpora/corpus.ts";
import { dataIsThere } from "../corpora/judged-sets.ts";
import type { BenchOptions } from "../measuring/bench-options.ts";
import { median, percentile } from "../measuring/measures.ts";
import { report } from "../measuring/report.ts";

/**
 * What the quotes of one found document take, at real pages: by words alone, and with the static embedder, which compares fragments that share a window. That twice: when no
 * fragment has been compared before, and when all have. A figure is the mean over the ten documents of a question.
 */

const DOCUMENTS = 10;

export async function quotes(options: BenchOptions): Promise<void> {
  if (!dataIsThere()) return;
  const analyzer = await analyzerOf("en");
  if (analyzer === undefined) throw new Error("English is missing.");
  const embedder = await openEnglishStatic();
  const embedShort = (text: string): Float32Array => embedder.embed(text);
  const index = new SearchIndex(analyzer);
  index.windowVectors.use(embedder.space, new PassageVectors(embedder.space.dimensions), embedder.id);
  const encode = (window: string): Int8Array => encodeVector(embedder.embed(window));
  for (const [i, page] of realPages(options.short).entries()) {
    const document = searchableDocument({ status: "active", metaData: {}, ...page });
    const cut = cutDocument(document);
    finished(index.replaceInSlices(document, { version: i + 1, cut, current: () => document, encode }));
  }
  const asked = (text: string): EmbeddedQuestion => ({
    embedder: { ...embedder.space, weight: embedder.mixedWeight, calibrate: (cosine) => embedder.calibrate(cosine) },
    vector: embedder.embed(text),
    firstWeight: embedder.weight,
    embedShort,
  });
  const hitsOf = (text: string, embedded?: EmbeddedQuestion): HybridHits =>
    finished(hybridSearch(index, analyzeQuery(text, analyzer), embedded, undefined, DOCUMENTS));

  const [byWords, first, again]: [number[], number[], number[]] = [[], [], []];
  for (const isMeasured of [false, true]) {
    for (const question of questionsOfUsers(options.short)) {
      const [words, both] = [hitsOf(question), hitsOf(question, asked(question))];
      const taken = [quoted(index, words), newly(index, both), quoted(index, both)];
      if (isMeasured) for (const [i, times] of [byWords, first, again].entries()) times.push(taken[i] ?? 0);
    }
  }
  const kinds = {
    "by words": byWords,
    "with the static embedder, compared first": first,
    "with the static embedder, compared before": again,
  };
  const rows = Object.entries(kinds).map(([kind, all]) => ({
    quotes: kind,
    passages: index.lexical.passageCount,
    "median µs a document": median(all),
    "p99 µs a document": percentile(all, 0.99),
  }));
  report(
    options,
    rows,
    rows.map(({ quotes: kind, "median µs a document": measured }) => ({
      what: `${kind}: µs a document`,
      measured,
      aim: 20,
      is: "at most",
    })),
  );
}

/** Microseconds of a document's quotes, as a mean over those that a question has found. */
function quoted(index: SearchIndex, { query, found }: HybridHits): number {
  const start = performance.now();
  for (const hits of found) textParts(hits, query, index);
  return ((performance.now() - start) * 1_000) / Math.max(1, found.length);
}

/** The same while no vector of a fragment is kept. */
function newly(index: SearchIndex, hits: HybridHits): number {
  for (const { document } of hits.found) index.fragmentVectors.forget(document);
  return quoted(index, hits);
}
