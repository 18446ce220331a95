/** An explanation, as far as the page draws it. */

export interface Explanation {
  readonly id: string;
  readonly outcome: string;
  readonly document?: { readonly type: string; readonly title?: string; readonly newerWaits?: boolean };
  readonly topK: number;
  readonly rank?: number;
  readonly score: number;
  readonly scoreNeeded?: number;
  readonly droppedBy: readonly { readonly field: string }[];
  readonly equals?: "title" | "variant" | "text";
  readonly pinnedBy?: string;
  readonly question: {
    readonly terms: readonly Term[];
    readonly ignored?: readonly string[];
    readonly dense?: { readonly embedder: string; readonly weight: number };
    readonly rerank?: {
      readonly weight: number;
      readonly wordPieces: readonly { readonly wordPiece: string; readonly weight: number }[];
    };
  };
  readonly passages: readonly Passage[];
}

export interface Term {
  readonly term: string;
  readonly passages: number;
  readonly weight: number;
  readonly share: number;
  readonly meant?: readonly string[];
}

export interface Passage {
  readonly kind: "passage" | "variant";
  readonly start?: number;
  readonly stop?: number;
  readonly text?: string;
  readonly bm25: number;
  readonly lexical: number;
  readonly calibrated?: number;
  readonly meaningCounts?: number;
  readonly similarity: number;
  readonly terms: readonly { readonly term: string; readonly frequency: number; readonly score: number }[];
  readonly rerank?: {
    readonly closeness: number;
    readonly similarity: number;
    readonly matches: readonly {
      readonly wordPiece: string;
      readonly closeness: number;
      readonly start?: number;
      readonly stop?: number;
    }[];
  };
}

/** The parts of a passage's score that words, meaning and reranking have. Their sum is the score. */
export interface ScoreShares {
  readonly words: number;
  readonly meaning: number;
  readonly reranking: number;
  readonly score: number;
}

export function scoreParts(passage: Passage, { dense, rerank }: Explanation["question"]): ScoreShares {
  const share = dense === undefined || passage.calibrated === undefined ? 0 : dense.weight;
  const words = (1 - share) * passage.lexical;
  const meaning = share * (passage.calibrated ?? 0) * (passage.meaningCounts ?? 1);
  const weight = passage.rerank === undefined ? 0 : (rerank?.weight ?? 0);
  const reranking = weight * (passage.rerank?.closeness ?? 0);
  const score = passage.rerank?.similarity ?? passage.similarity;
  const sum = words + meaning + reranking;
  const scale = sum === 0 ? 0 : score / sum;
  return { words: words * scale, meaning: meaning * scale, reranking: reranking * scale, score };
}
