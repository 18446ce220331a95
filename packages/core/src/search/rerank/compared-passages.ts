import type { QuestionTokens, TokenCalibration } from "../../embedding/token-signs.ts";
import { hasTitlePart, type IndexedDocument } from "../../index/indexed-document.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { Steps } from "../../scheduling/steps.ts";
import { type DenseQuery, meaningCounted } from "../fusion.ts";
import type { DocumentHits } from "../retrieval.ts";
import { leastDistances, maxSim } from "./max-sim.ts";
import { closenessOf } from "./reranked-score.ts";
import { bestWindow, type ComparedPart } from "./windows.ts";

/** Where the signs of parts come from. */
export interface PartSigns {
  /**
   * Those of the parts `[from, to)` of a document's version, counted from its first. Undefined where they are not kept, and where they must be read
   * before they can be given: that is remembered.
   */
  find(id: string, version: number, from: number, to: number): readonly Uint8Array[] | undefined;
}

/** The third look of one search: what is looked for, where, and what it is worth. */
export interface ThirdLook {
  /** At most `QUESTION_TOKENS_MAX`. */
  readonly question: QuestionTokens;
  /** Of a token. */
  readonly bytes: number;
  readonly calibration: TokenCalibration;
  readonly signs: PartSigns;
  /** Tokens of different identifiers are as similar as their vectors: see {@link DenseQuery}. */
  readonly identified?: DenseQuery["identified"];
}

/** What the third look has found in a passage or wording. */
export interface LookedPassage {
  /** What the `maxSim` of its best window is worth. */
  readonly closeness: number;
  /** What that of each of its parts is worth by itself, the title not counted among them. */
  readonly parts: readonly number[];
}

/** By ordinal: what was looked at of a document. */
export type LookedPassages = ReadonlyMap<number, LookedPassage>;

/** Of all documents together so many passages are looked at, those that are worth most; and of each its best one in any case. */
export const PASSAGES_LOOKED_AT = 30;

/** Comparing so many tokens of a question with those of a passage counts as an operation of a search. */
const COMPARISONS_AN_OPERATION = 8;

/** How many passages of each of these documents are looked at: the first of it, and of all others those that are worth most. */
export function passagesToLookAt(found: readonly DocumentHits[]): number[] {
  const counts = found.map(({ passages }) => Math.min(1, passages.length));
  const others = found.flatMap(({ passages }, document) =>
    passages.slice(1).map(({ similarity }) => ({ document, similarity })),
  );
  others.sort((a, b) => b.similarity - a.similarity || a.document - b.document);
  let left = PASSAGES_LOOKED_AT;
  for (const count of counts) left -= count;
  for (const { document } of others) {
    if (left-- <= 0) break;
    counts[document] = (counts[document] ?? 0) + 1;
  }
  return counts;
}

/** Looks at the best `count` passages of a document and at its best wording. Undefined where the signs of any of them cannot be had. */
export function* lookAt(
  index: SearchIndex,
  found: DocumentHits,
  count: number,
  look: ThirdLook,
): Steps<LookedPassages | undefined> {
  const looked = new Map<number, LookedPassage>();
  const ordinals = lookedOrdinals(found, count);
  // All are asked for before any is missed: what has to be read is read at once.
  const signs = ordinals.map((ordinal) => partsOfOrdinal(index, found.document, ordinal, look));
  for (const [i, ordinal] of ordinals.entries()) {
    const parts = signs[i];
    if (parts === undefined) return undefined;
    const { closeness, parts: own } = lookAtParts(parts, look);
    looked.set(ordinal, { closeness: closeness * meaningCounted(ordinal, look), parts: own });
    if (index.effort.isStep(operationsOf(parts, look))) yield;
  }
  return looked;
}

function lookedOrdinals({ passages, bestWording }: DocumentHits, count: number): number[] {
  const ordinals = passages.slice(0, count).map(({ ordinal }) => ordinal);
  if (bestWording !== undefined) ordinals.push(bestWording);
  return ordinals;
}

/** The signs of each part of an ordinal, without those of the title, which tells no passage of a document from another. */
export function partsOfOrdinal(
  index: SearchIndex,
  document: IndexedDocument,
  ordinal: number,
  { signs }: ThirdLook,
): readonly Uint8Array[] | undefined {
  const first = index.parts.firstOf(ordinal);
  const isTitle = first === document.firstPart && hasTitlePart(document);
  const from = first + (isTitle ? 1 : 0) - document.firstPart;
  return signs.find(document.document.id, document.version, from, index.parts.endOf(ordinal) - document.firstPart);
}

/** Each part by itself. */
export function compareParts(parts: readonly Uint8Array[], { question, bytes }: ThirdLook): ComparedPart[] {
  return parts.map((signs) => {
    const tokens = Math.floor(signs.length / bytes);
    const least = new Uint16Array(question.weights.length);
    leastDistances(question.signs, signs, 0, tokens, bytes, least);
    return { least, tokens };
  });
}

function lookAtParts(parts: readonly Uint8Array[], look: ThirdLook): LookedPassage {
  const { question, bytes, calibration } = look;
  const { weights } = question;
  const bits = bytes * 8;
  const compared = compareParts(parts, look);
  return {
    closeness: closenessOf(bestWindow(compared, weights, bits), calibration),
    parts: compared.map(({ least }) => closenessOf(maxSim(least, weights, bits), calibration)),
  };
}

function operationsOf(parts: readonly Uint8Array[], { question, bytes }: ThirdLook): number {
  let tokens = 0;
  for (const { length } of parts) tokens += length / bytes;
  return Math.ceil((tokens * question.weights.length) / COMPARISONS_AN_OPERATION);
}
