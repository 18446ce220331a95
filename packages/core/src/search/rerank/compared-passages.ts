import type { QuestionTokens, TokenCalibration } from "../../embedding/token-codes.ts";
import { hasTitleWindow, type IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { Sliced } from "../../scheduling/time-slices.ts";
import { type DenseQuery, meaningCounted } from "../fusion.ts";
import type { DocumentHits } from "../retrieval.ts";
import { leastDistances, maxSim } from "./max-sim.ts";
import { closenessOf } from "./reranked-score.ts";
import { bestWindow, type ComparedWindow } from "./windows.ts";

/** The source of token codes. */
export interface WindowCodes {
  /** Whether some of the requested codes must be read first. */
  readonly isUnread: boolean;
  /**
   * The token codes of the embedding windows `[from, to)` of a document's version, counted from its first window.
   * Undefined if they are not stored, or must be read from storage first. The source remembers which to read.
   */
  find(id: string, version: number, from: number, to: number): readonly Uint8Array[] | undefined;
}

/** The inputs of reranking one search: the question's tokens, their calibration, and the source of token codes. */
export interface Reranking {
  /** At most `QUESTION_TOKENS_MAX` tokens. */
  readonly question: QuestionTokens;
  /** Bytes of a token's code. */
  readonly bytes: number;
  readonly calibration: TokenCalibration;
  readonly tokenCodes: WindowCodes;
  /** As in {@link DenseQuery}: token codes of different identifiers are nearly alike, as their vectors are. */
  readonly identified?: DenseQuery["identified"];
}

/** The result of comparing a passage or question variant. */
export interface ComparedPassage {
  /** Closeness of its best run of embedding windows. */
  readonly closeness: number;
  /** The same, but at least that of the title by itself. Equal to `closeness` if the title has no embedding window of its own, as in a QNA. */
  readonly closenessWithTitle: number;
  /** Closeness of each embedding window by itself. The title window is not among them. */
  readonly windows: readonly number[];
}

/** The compared passages and question variant of a document, by ordinal. */
export type ComparedPassages = ReadonlyMap<number, ComparedPassage>;

/**
 * Passages of a document are compared if their hybrid score is at least this share of its best one's. The documents that are found beside it change nothing.
 * Measured: docs/decisions/2026-11-29-small-bots.md
 */
export const COMPARED_SHARE = 0.85;

/** Comparisons of two tokens that count as one operation. */
const COMPARISONS_AN_OPERATION = 8;

/** The token codes of the texts of a document that are compared. */
export interface CodesOfDocument {
  /** Those of each embedding window, by the ordinal of the passage or question variant. */
  readonly passages: ReadonlyMap<number, readonly Uint8Array[]>;
  /** Those of the title. Empty if it has no window of its own, as in a QNA. */
  readonly title: readonly Uint8Array[];
}

/**
 * Finds the token codes of the best passages of a document, of its best question variant, and of its title. All are asked for, so that one reading brings
 * them. Undefined if the token codes of any of them are not stored, or must be read first.
 */
export function codesOfDocument(
  index: SearchIndex,
  found: DocumentHits,
  reranking: Reranking,
): CodesOfDocument | undefined {
  const passages = new Map<number, readonly Uint8Array[]>();
  const ordinals = ordinalsToCompare(found);
  for (const ordinal of ordinals) {
    const windows = windowsOfOrdinal(index, found.document, ordinal, reranking);
    if (windows !== undefined) passages.set(ordinal, windows);
  }
  const title = titleOf(found.document, reranking);
  return passages.size === ordinals.length && title !== undefined ? { passages, title } : undefined;
}

function titleOf(indexed: IndexedDocument, { tokenCodes }: Reranking): readonly Uint8Array[] | undefined {
  const { document, version } = indexed;
  return hasTitleWindow(indexed) ? tokenCodes.find(document.id, version, 0, 1) : [];
}

/** Compares the passages and the title of a document with the question. */
export function* compareDocument(
  index: SearchIndex,
  codes: CodesOfDocument,
  reranking: Reranking,
): Sliced<ComparedPassages> {
  const comparison = new Map<number, ComparedPassage>();
  const title = closestWindows(codes.title, reranking).closeness;
  if (index.effort.shouldYield(operationsOf(codes.title, reranking))) yield;
  for (const [ordinal, windows] of codes.passages) {
    const passage = closestWindows(windows, reranking);
    const counted = meaningCounted(ordinal, reranking);
    comparison.set(ordinal, {
      closeness: passage.closeness * counted,
      closenessWithTitle: Math.max(passage.closeness, title) * counted,
      windows: passage.windows,
    });
    if (index.effort.shouldYield(operationsOf(windows, reranking))) yield;
  }
  return comparison;
}

/** The ordinals of a document that are compared: its best passages, see {@link COMPARED_SHARE}, and its best question variant. */
export function ordinalsToCompare({ passages, bestVariant }: Pick<DocumentHits, "passages" | "bestVariant">): number[] {
  const least = COMPARED_SHARE * (passages[0]?.similarity ?? 0);
  const ordinals = passages.filter(({ similarity }) => similarity >= least).map(({ ordinal }) => ordinal);
  if (bestVariant !== undefined) ordinals.push(bestVariant);
  return ordinals;
}

/** The token codes of each embedding window of an ordinal. The title window is left out: it belongs to all passages of the document. */
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

/** Compares each embedding window by itself. */
export function compareWindows(windows: readonly Uint8Array[], { question, bytes }: Reranking): ComparedWindow[] {
  return windows.map((tokenCodes) => {
    const tokens = Math.floor(tokenCodes.length / bytes);
    const least = new Uint16Array(question.weights.length);
    leastDistances(question.tokenCodes, tokenCodes, 0, tokens, bytes, least);
    return { least, tokens };
  });
}

function closestWindows(
  windows: readonly Uint8Array[],
  reranking: Reranking,
): Pick<ComparedPassage, "closeness" | "windows"> {
  const { question, bytes, calibration } = reranking;
  const { weights } = question;
  const bits = bytes * 8;
  const compared = compareWindows(windows, reranking);
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
