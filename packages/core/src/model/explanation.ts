import type { DocumentStatus, DocumentType, FilterValue, JsonValue, TextPart } from "./types.ts";

/** Why a document stands where it stands among the answers to a question, or is not there. Plain data. */
export interface Explanation {
  /** The document that was asked about. */
  readonly id: string;
  readonly outcome: ExplanationOutcome;
  /** What the index holds of it; absent if it holds nothing. */
  readonly document?: ExplainedDocument;
  /** Most documents that the request lets through. */
  readonly topK: number;
  /** Documents that the search returns. */
  readonly returned: number;
  /**
   * Its place among all documents that the request's filters allow, from 1; of one that a filter drops, the place that it would have.
   * Absent if it is not found at all.
   */
  readonly rank?: number;
  /** Its `bestMatchScore`, 0 to 1; 0 if it is not found at all. Of a document that a filter drops, what it would have. */
  readonly score: number;
  /** The score of the last document returned, if topK are: below it nothing is returned, at it the lower id is. */
  readonly scoreNeeded?: number;
  /** The filters and switches that drop it. */
  readonly droppedBy: readonly Drop[];
  /** What of it equals the question, and makes the score 1: its title, a QNA's question or alternative, or a whole part of its text. */
  readonly equals?: "title" | "variant" | "text";
  readonly question: ExplainedQuestion;
  /** Every passage of it, wordings of questions included, best first; ties as they stand in the document. */
  readonly passages: readonly ExplainedPassage[];
  /** What a result shows of it; none if it is not found. */
  readonly similarTextParts: readonly TextPart[];
}

/**
 * - `returned`: it is among the results.
 * - `afterLast`: it is found, but topK others stand before it.
 * - `missed`: its score would have done, but the graph of the vectors, which finds nearly all of the nearest, did not find it.
 * - `filtered`: a filter or a switch of the request drops it.
 * - `belowFloor`: no passage shares enough with the question, by words or by meaning.
 * - `noTerms`: the question has not a single word, so it finds nothing.
 * - `noText`: the document has no text that could match.
 * - `notIndexed`: it was accepted, and no version of it is searchable yet.
 * - `unknown`: the bot has no document with this id.
 */
export type ExplanationOutcome =
  | "returned"
  | "afterLast"
  | "missed"
  | "filtered"
  | "belowFloor"
  | "noTerms"
  | "noText"
  | "notIndexed"
  | "unknown";

export interface ExplainedDocument {
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  readonly title?: string;
  readonly url?: string;
  /** Whether a newer version waits to be indexed: searches still see the one that is explained. */
  readonly newerWaits: boolean;
}

/** A filter or switch that drops a document. */
export interface Drop {
  /** As the request names it: `filters.status`, `options.includeFaqs`, `options.onlyActiveIntents`. */
  readonly field: string;
  readonly wanted: FilterValue;
  /** What the document has there; absent if it has nothing. */
  readonly found?: JsonValue;
}

/** A question as the index understands it. */
export interface ExplainedQuestion {
  /** Each distinct term once, in the order of the question; last those that no passage holds. */
  readonly terms: readonly ExplainedTerm[];
  /** The sum of the weights of the question's terms: the BM25 that no passage can exceed, unless it holds a code in several spellings. */
  readonly upperBound: number;
  /** A lexical similarity below this counts as 0. */
  readonly lexicalFloor: number;
  /** How its meaning counts; absent if it was answered by words alone. */
  readonly dense?: {
    /** Id of the embedder that read it. */
    readonly embedder: string;
    /** Share of the calibrated cosine in a passage's similarity, 0 to 1; the words have the rest. */
    readonly weight: number;
    /** Without words above their floor, a calibrated cosine below this counts as 0. */
    readonly floor: number;
    /**
     * The terms of the exact strings that it asks for, such as a version or a phone number. Absent where it asks for none, or no passage holds all of them.
     * See {@link ExplainedScores.meaningCounts}.
     */
    readonly identifiers?: readonly string[];
  };
  /** How its tokens count; absent if there was no reranking: its embedder gives no tokens, their token codes are not kept, or none of what was found has any yet. */
  readonly rerank?: {
    /** Of so many documents, the best by words and meaning, the best passages are looked at. */
    readonly documents: number;
    /** What reranking weighs beside words and meaning, which weigh 1 together. */
    readonly weight: number;
    /** Its tokens, in order, as the embedder's model spells them; of more than 64 the heaviest. */
    readonly wordPieces: readonly { readonly fragment: string; readonly weight: number }[];
  };
}

export interface ExplainedTerm {
  /** As the analyzer gives it: a stem, in lower case. */
  readonly term: string;
  /** How often it stands in the question. */
  readonly count: number;
  /** Passages that hold it, or one of those that it may have meant (its document frequency); 0: no passage can gain by it. */
  readonly passages: number;
  /** Its inverse document frequency: the rarer, the higher. */
  readonly idf: number;
  /** What it adds to the upper bound in BM25: count · idf · (k1 + 1); a fifth of that for a question word, such as *what*. */
  readonly weight: number;
  /** Its weight divided by the upper bound, 0 to 1. */
  readonly share: number;
  /**
   * Of a term that no passage holds: the terms of passages that count for it, since it may be a mistyped or unfinished one of them, or belongs to a code that they are
   * another spelling of.
   */
  readonly meant?: readonly string[];
}

/** A passage, or a question of a QNA that is found on its own, with the scores that the search gave it. */
export type ExplainedPassage = ExplainedScores &
  (
    | {
        readonly kind: "passage";
        /** Its first line in the document's markdown, from 1. */
        readonly start: number;
        /** Its last line, inclusive. */
        readonly stop: number;
      }
    | { readonly kind: "variant"; readonly text: string }
  );

export interface ExplainedScores {
  /** The sum of the scores of `terms`. */
  readonly bm25: number;
  /** BM25 divided by the question's upper bound, 0 to .999; 0 below the floor. */
  readonly lexical: number;
  /** Of the question's vector and that of its nearest part, -1 to 1; absent if one of them is not there. */
  readonly cosine?: number;
  /** The cosine as a similarity, 0 to 1. */
  readonly calibrated?: number;
  /**
   * The factor of `calibrated` and of the closeness in reranking, 0 to 1, for a passage that lacks one of the question's `identifiers`,
   * or holds it as a part of a longer one. Absent where both count in full.
   */
  readonly meaningCounts?: number;
  /** What both make, 0 to .999; the words of a passage in another language than the question count at least .6 of `calibrated`. 0: it is below the floor, and does not count as found. */
  readonly similarity: number;
  /** The terms of the question that it holds, the heaviest first. */
  readonly terms: readonly HeldTerm[];
  /** Absent where it was not looked at a third time. */
  readonly rerank?: ExplainedRerank;
}

/** What reranking has found in a passage. */
export interface ExplainedRerank {
  /** What the matches are worth together, 0 to .999. */
  readonly closeness: number;
  /** What all looks make, 0 to .999: what the search ranks it by. */
  readonly similarity: number;
  /** One a piece of the question, in the same order. */
  readonly matches: readonly TokenMatch[];
}

/** What a piece of the question has matched best in a passage. */
export interface TokenMatch {
  readonly fragment: string;
  /** 1 - 2 · the share of token codes that differ: 1 for the same token in the same sense, about 0 for any other. */
  readonly closeness: number;
  /** The lines of the part that has it, from 1; absent for a wording. */
  readonly start?: number;
  /** Inclusive. */
  readonly stop?: number;
}

export interface HeldTerm {
  readonly term: string;
  /** Occurrences: one in the text counts 1, one in a heading or the title as much as that field weighs. At most 63.75. */
  readonly frequency: number;
  /** What it brings in BM25; falls with the length of the passage. */
  readonly score: number;
}
