import type { QuestionTokens, TokenCalibration } from "../../embedding/token-codes.ts";
import { hasTitleWindow, type IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { type DenseQuery, meaningCounted } from "../fusion.ts";
import type { DocumentHits } from "../retrieval.ts";
import { leastDistances, maxSim } from "./max-sim.ts";
import { closenessOf } from "./reranked-score.ts";
import { bestWindow, type ComparedWindow } from "./windows.ts";

/** Where the token codes of parts come from. */
export interface WindowCodes {
  /**
   * Those of the parts `[from, to)` of a document's version, counted from its first. Undefined where they are not kept, and where they must be read
   * before they can be given: that is remembered.
   */
  find(id: string, version: number, from: number, to: number): readonly Uint8Array[] | undefined;
}

/** Reranking of one search: what is looked for, where, and what it is worth. */
export interface Reranking {
  /** At most `QUESTION_TOKENS_MAX`. */
  readonly question: QuestionTokens;
  /** Of a token. */
  readonly bytes: number;
  readonly calibration: TokenCalibration;
  readonly tokenCodes: WindowCodes;
  /** Tokens of different identifiers are as similar as their vectors: see {@link DenseQuery}. */
  readonly identified?: DenseQuery["identified"];
}

/** What reranking has found in a passage or wording. */
export interface ComparedPassage {
  /** What the `maxSim` of its best window is worth. */
  readonly closeness: number;
  /** What that of each of its parts is worth by itself, the title not counted among them. */
  readonly windows: readonly number[];
}

/** By ordinal: what was looked at of a document. */
export type ComparedPassages = ReadonlyMap<number, ComparedPassage>;

/** Of all documents together so many passages are looked at, those that are worth most; and of each its best one in any case. */
export const RERANK_PASSAGES_MAX = 30;

/** Comparing so many tokens of a question with those of a passage counts as an operation of a search. */
const COMPARISONS_AN_OPERATION = 8;

/** How many passages of each of these documents are looked at: the first of it, and of all others those that are worth most. */
export function passagesToCompare(found: readonly DocumentHits[]): number[] {
  const counts = found.map(({ passages }) => Math.min(1, passages.length));
  const others = found.flatMap(({ passages }, document) =>
    passages.slice(1).map(({ similarity }) => ({ document, similarity })),
  );
  others.sort((a, b) => b.similarity - a.similarity || a.document - b.document);
  let left = RERANK_PASSAGES_MAX;
  for (const count of counts) left -= count;
  for (const { document } of others) {
    if (left-- <= 0) break;
    counts[document] = (counts[document] ?? 0) + 1;
  }
  return counts;
}

/** Looks at the best `count` passages of a document and at its best wording. Undefined where the token codes of any of them cannot be had. */
export function* lookAt(
  index: SearchIndex,
  found: DocumentHits,
  count: number,
  look: Reranking,
): Sliced<ComparedPassages | undefined> {
  const looked = new Map<number, ComparedPassage>();
  const ordinals = comparedOrdinals(found, count);
  // All are asked for before any is missed: what has to be read is read at once.
  const tokenCodes = ordinals.map((ordinal) => windowsOfOrdinal(index, found.document, ordinal, look));
  for (const [i, ordinal] of ordinals.entries()) {
    const windows = tokenCodes[i];
    if (windows === undefined) return undefined;
    const { closeness, windows: own } = closestWindows(windows, look);
    looked.set(ordinal, { closeness: closeness * meaningCounted(ordinal, look), windows: own });
    if (index.effort.shouldYield(operationsOf(windows, look))) yield;
  }
  return looked;
}

function comparedOrdinals({ passages, bestVariant }: DocumentHits, count: number): number[] {
  const ordinals = passages.slice(0, count).map(({ ordinal }) => ordinal);
  if (bestVariant !== undefined) ordinals.push(bestVariant);
  return ordinals;
}

/** The token codes of each part of an ordinal, without those of the title, which tells no passage of a document from another. */
export function windowsOfOrdinal(
  index: SearchIndex,
  document: IndexedDocument,
  ordinal: number,
  { tokenCodes }: Reranking,
): readonly Uint8Array[] | undefined {
  const first = index.windows.firstOf(ordinal);
  const isTitle = first === document.firstWindow && hasTitleWindow(document);
  const from = first + (isTitle ? 1 : 0) - document.firstWindow;
  return tokenCodes.find(
    document.document.id,
    document.version,
    from,
    index.windows.endOf(ordinal) - document.firstWindow,
  );
}

/** Each part by itself. */
export function compareWindows(windows: readonly Uint8Array[], { question, bytes }: Reranking): ComparedWindow[] {
  return windows.map((tokenCodes) => {
    const tokens = Math.floor(tokenCodes.length / bytes);
    const least = new Uint16Array(question.weights.length);
    leastDistances(question.tokenCodes, tokenCodes, 0, tokens, bytes, least);
    return { least, tokens };
  });
}

function closestWindows(windows: readonly Uint8Array[], look: Reranking): ComparedPassage {
  const { question, bytes, calibration } = look;
  const { weights } = question;
  const bits = bytes * 8;
  const compared = compareWindows(windows, look);
  return {
    closeness: closenessOf(bestWindow(compared, weights, bits), calibration),
    windows: compared.map(({ least }) => closenessOf(maxSim(least, weights, bits), calibration)),
  };
}

function operationsOf(windows: readonly Uint8Array[], { question, bytes }: Reranking): number {
  let tokens = 0;
  for (const { length } of windows) tokens += length / bytes;
  return Math.ceil((tokens * question.weights.length) / COMPARISONS_AN_OPERATION);
}
