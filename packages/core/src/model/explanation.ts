import type { FilterWanted } from "./filter-types.ts";
import type { DocumentStatus, DocumentType, JsonValue, SearchResult, TextPart } from "./types.ts";

/** Why a document has its rank among the results of a question, or is not among them. Plain data. */
export interface Explanation {
  /** The id of the explained document. */
  readonly id: string;
  readonly outcome: ExplanationOutcome;
  /** The indexed version of it. Absent if the index has none. */
  readonly document?: ExplainedDocument;
  /** Most documents that the request asks for. */
  readonly topK: number;
  /** Documents that the search returns. */
  readonly returned: number;
  /**
   * Its rank among all documents that the request's filters allow, from 1. For a document that a filter drops: the rank that it would have.
   * Absent if it is not found.
   */
  readonly rank?: number;
  /** Its `bestMatchScore`, 0 to 1; 0 if it is not found. For a document that a filter drops: the score that it would have. */
  readonly score: number;
  /**
   * The score of the last returned document, if topK documents are returned. A lower score is not returned; of equal scores the lower id is.
   * Absent if that document is pinned: no score reaches its place.
   */
  readonly scoreNeeded?: number;
  /** The filters and switches that drop it. */
  readonly droppedBy: readonly Drop[];
  /** The text that equals the question, and makes the score 1: its title, a question variant, or a whole text part. */
  readonly equals?: "title" | "variant" | "text";
  /** The pattern of the vocabulary that pins it to the question: it comes first, and its score is 1. Absent if it is not pinned. */
  readonly pinnedBy?: string;
  readonly question: ExplainedQuestion;
  /** All its passages and question variants, best first; ties in document order. */
  readonly passages: readonly ExplainedPassage[];
  /** The text parts that a result shows; none if it is not found. */
  readonly similarTextParts: readonly TextPart[];
}

/**
 * - `returned`: it is among the results.
 * - `afterLast`: it is found, but topK others, and those that `offset` leaves out, rank before it.
 * - `notReranked`: it is found, but its rank by hybrid score is beyond the rerank depth. Its score is the hybrid score.
 * - `beforeOffset`: it is found, but `offset` leaves it out.
 * - `belowMinScore`: it is found, but its score is below `minScore`.
 * - `missed`: its score would suffice, but the search did not find it. The HNSW graph finds nearly all of the nearest, and words that very many passages
 *   hold may exceed the budget.
 * - `filtered`: a filter or a switch of the request drops it.
 * - `belowFloor`: every passage is below the floors of BM25 and of the cosine.
 * - `noTerms`: the question has no term, so it finds nothing.
 * - `noText`: the document has no text that could match.
 * - `notIndexed`: it was accepted, but no version of it is searchable yet.
 * - `unknown`: the bot has no document with this id.
 */
export type ExplanationOutcome =
  | "returned"
  | "afterLast"
  | "notReranked"
  | "beforeOffset"
  | "belowMinScore"
  | "missed"
  | "filtered"
  | "belowFloor"
  | "noTerms"
  | "noText"
  | "notIndexed"
  | "unknown";

/** The indexed version of the explained document. */
export interface ExplainedDocument {
  readonly type: DocumentType;
  readonly status: DocumentStatus;
  readonly title?: string;
  readonly url?: string;
  /** Whether a newer version waits to be indexed. Searches still see the explained version. */
  readonly newerWaits: boolean;
}

/** A filter or switch that drops a document. */
export interface Drop {
  /** As the request names it: `filters.status`, `filters.metaData.year.gte`, `filters.or`, `options.includeFaqs`, `options.onlyActiveIntents`. */
  readonly field: string;
  /** The value in the request. Of a group: its filters. */
  readonly wanted: FilterWanted;
  /** The document's value of that field. Absent if it has none, and for a group. */
  readonly found?: JsonValue;
}

/** A question as the search reads it. */
export interface ExplainedQuestion {
  /** Each distinct term once, in the order of the question. Terms that no passage holds come last. */
  readonly terms: readonly ExplainedTerm[];
  /** The terms that the vocabulary ignores, in the order of the question. Absent if there are none. */
  readonly ignored?: readonly string[];
  /** The sum of the weights of the question's terms. The BM25 of a passage exceeds it only if it holds a code in several spellings. */
  readonly upperBound: number;
  /** A lexical similarity below this counts as 0. */
  readonly lexicalFloor: number;
  /** How vectors count. Absent if BM25 alone answered the question. */
  readonly dense?: {
    /** Id of the embedder that made the question's vector. */
    readonly embedder: string;
    /** Share of the calibrated cosine in a passage's similarity, 0 to 1. BM25 has the rest. */
    readonly weight: number;
    /** A calibrated cosine below this counts as 0, unless BM25 is above its floor. */
    readonly floor: number;
    /** How much the question is small talk, 0 to 1. Absent if it is 0. */
    readonly smallTalk?: number;
    /**
     * Scores of documents and quotes are `similarity ^ scorePower`, except those of equal texts and pinned answers; the scores of single passages are not changed. It is
     * `1 + 2 · smallTalk`. Absent without `smallTalk`.
     */
    readonly scorePower?: number;
    /**
     * The terms of the exact strings in the question, such as a version or a phone number. Absent if it has none, or no passage holds all of them.
     * See {@link ExplainedScores.meaningCounts}.
     */
    readonly identifiers?: readonly string[];
  };
  /** How reranking counts. Absent without reranking: the embedder gives no tokens, token codes are not kept, or no document that was found has all that are needed. */
  readonly rerank?: {
    /** The rerank depth: as many documents, the best by hybrid score, are compared with the question. */
    readonly documents: number;
    /** The rerank weight, beside a hybrid score of weight 1. */
    readonly weight: number;
    /** The word pieces of the question, in order, as the embedder's tokenizer cuts them. Of more than 64 the heaviest. */
    readonly wordPieces: readonly { readonly wordPiece: string; readonly weight: number }[];
  };
}

/** A term of the question, with its weight. */
export interface ExplainedTerm {
  /** The analyzer's term: a stem, in lower case. */
  readonly term: string;
  /** Occurrences in the question. */
  readonly count: number;
  /** Document frequency: passages that hold the term, or one of `meant`. With 0 no passage gains by it. */
  readonly passages: number;
  /** Its inverse document frequency: the rarer, the higher. */
  readonly idf: number;
  /** Its summand of the upper bound: count · idf · (k1 + 1); a fifth of that for a question word, such as *what*. */
  readonly weight: number;
  /** Its weight divided by the upper bound, 0 to 1. */
  readonly share: number;
  /**
   * Terms of passages that count for it. For a term that no passage holds: it may be a mistyped or unfinished form of them, or belong to another
   * spelling of a code. For any term: its synonyms, itself among them.
   */
  readonly meant?: readonly string[];
}

/** A passage, or a question variant of a QNA, with the scores of the search. */
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

/** The scores of one passage. */
export interface ExplainedScores {
  /** The sum of the scores of `terms`. */
  readonly bm25: number;
  /** BM25 divided by the question's upper bound, 0 to .999; 0 below the floor. */
  readonly lexical: number;
  /** Cosine of the question's vector and its nearest embedding window, -1 to 1. Absent if one of the vectors is missing. */
  readonly cosine?: number;
  /** The cosine as a similarity, 0 to 1. */
  readonly calibrated?: number;
  /**
   * The factor of `calibrated` and of the closeness in reranking, 0 to 1, for a passage that lacks one of the question's `identifiers`,
   * or holds it only inside a longer one. Absent if both count in full.
   */
  readonly meaningCounts?: number;
  /**
   * The hybrid score, 0 to .999. In a passage of another language than the question, BM25 counts at least .6 of `calibrated`.
   * A score of 0 is below the floor: the passage is not found.
   */
  readonly similarity: number;
  /** The terms of the question that it holds, heaviest first. */
  readonly terms: readonly HeldTerm[];
  /** Absent if it was not reranked. */
  readonly rerank?: ExplainedRerank;
}

/** The result of reranking a passage. */
export interface ExplainedRerank {
  /** The calibrated MaxSim of all matches, times `meaningCounts`, 0 to .999. */
  readonly closeness: number;
  /** How many times the title raises the similarity, above 1. Absent if it does not: it is not closer to the question than the passages are. */
  readonly titleFactor?: number;
  /** The final similarity, 0 to .999: the search ranks by it. */
  readonly similarity: number;
  /** One for each word piece of the question, in the same order. */
  readonly matches: readonly TokenMatch[];
}

/** The best match of one word piece of the question in a passage. */
export interface TokenMatch {
  readonly wordPiece: string;
  /** 1 - 2 · the share of token codes that differ: 1 for the same token in the same sense, about 0 for any other. */
  readonly closeness: number;
  /** First line of the matching embedding window, from 1. Absent for a question variant. */
  readonly start?: number;
  /** Last line of it, inclusive. */
  readonly stop?: number;
}

/** A term of the question in a passage, with its BM25 score. */
export interface HeldTerm {
  readonly term: string;
  /** Weighted occurrences, at most 63.75. One in the text counts 1; one in a heading or the title counts the weight of that field. */
  readonly frequency: number;
  /** Its BM25 score, which falls with the length of the passage. */
  readonly score: number;
}

/** The results of a search, and how far they may be behind other nodes. */
export interface SearchAnswer {
  readonly results: SearchResult[];
  /** Whole seconds, rounded up: results are from memory, as the storage of all nodes does not answer. Absent if nothing is missing. */
  readonly staleSeconds?: number;
}
