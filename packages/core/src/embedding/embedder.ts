import { A_FUNCTION, A_STRING, listOf, type OptionKinds, required } from "../model/known-options.ts";
import type { VectorSpace } from "../model/records.ts";
import type { TokenEncoder } from "./token-codes.ts";

/**
 * The port for sentence encoders and other embedders: turns texts into vectors of unit length whose cosines tell how close the meanings are.
 * Obligations of an implementation:
 * - the same text gives the same vector, for as long as `id` and `version` stay the same. An empty text has a vector as well.
 *   A text that is too long is read as far as the encoder reads;
 * - neither embedding method blocks the event loop;
 * - questions and passages may be encoded in different ways: only `cosine(question, passage)` is used;
 * - a failed call rejects with an `Error` whose message is one line for the operator. Other calls are not affected, and the next call may succeed.
 *   An error with the code {@link EMBEDDER_FAILED} concerns the given texts, any other error the embedder itself;
 * - after an abort the promise rejects with the signal's reason, and no further work is started for the call;
 * - after `close` every call rejects.
 */
export interface Embedder {
  /** Names the space of its vectors, together with `version` and `dimensions`. Stored with every vector. */
  readonly id: string;
  /** Changes whenever its vectors change. Vectors of different versions are never compared. */
  readonly version: string;
  /** Length of its vectors, 1 to `VECTOR_DIMENSIONS_MAX`. */
  readonly dimensions: number;
  /** Weight of the cosine score in the hybrid score, 0 to 1; BM25 has the rest. */
  readonly weight: number;
  /** Cost of calls, so that the caller can choose the number of texts and knows when an answer is overdue. */
  readonly cost: EmbedderCost;
  /** Gives token codes besides vectors, if the embedder computes a vector for each token. */
  readonly tokens?: TokenEncoder;
  /**
   * Calibration: maps a cosine to a similarity in [0, 1], 0 for unrelated texts. A higher cosine never gives a lower similarity.
   * Without it each bot calibrates cosines by the background similarity of its own passages.
   */
  calibrate?(cosine: number): number;
  /**
   * The bias of a question: the amount that is subtracted from each of its cosines before calibration. Letters typed at random come close
   * to many texts, but mean none of them. At least 0; a meaningful question has 0. Without this method nothing is subtracted.
   */
  bias?(question: Float32Array): number;
  /**
   * How much a question is small talk, 0 to 1: a greeting, thanks, a question about the bot, an insult. The higher, the lower are the scores of its answers; their
   * order stays. 0 for a question that asks something. Without this method all questions do.
   */
  smallTalk?(question: Float32Array): number;
  /** One vector a text, in order; no vectors for no texts. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Rejects pending calls and releases all resources. Idempotent. */
  close(): Promise<void>;
}

/** Cost of one call. Both fields must be given: `{ textsPerCall: 32, questionMsMax: 2_000 }`. */
export interface EmbedderCost {
  /** Number of texts that one call of `embedPassages` should carry: enough to keep it busy, few enough to lose little. From 1. */
  readonly textsPerCall: number;
  /** A question that takes longer than this is answered without its vector. Milliseconds. */
  readonly questionMsMax: number;
}

/** The code of an error that concerns the given texts: other texts can be embedded. */
export const EMBEDDER_FAILED = "EMBEDDER_FAILED";

/**
 * A static embedder: a small model in the space of a sentence encoder, fast enough to run in the caller's thread. Its vectors
 * are compared with those of the sentence encoder. The same text always gives the same vector.
 */
export interface StaticEmbedder {
  /** Names the maker of a vector, together with `version`. */
  readonly id: string;
  readonly version: string;
  /** The space of its vectors: that of the sentence encoder. */
  readonly space: VectorSpace;
  /** Weight of the cosine score when both question and passage have its vectors, 0 to 1. */
  readonly weight: number;
  /** Weight of the cosine score when either question or passage has the sentence encoder's vector, 0 to 1. */
  readonly mixedWeight: number;
  /** As {@link Embedder.calibrate}. */
  calibrate(cosine: number): number;
  /** As {@link Embedder.smallTalk}. */
  smallTalk?(question: Float32Array): number;
  /** A vector of length one. Never throws. */
  embed(text: string): Float32Array;
  /**
   * Whether its vocabulary has any word piece of the text. A question that it does not know is answered by BM25 alone. Never throws.
   * Without this method all texts count as known.
   */
  knows?(text: string): boolean;
}

/** An embedder that bots can use, offered under a name. */
export interface EmbedderOffer {
  /** Languages whose new bots get it by default; the first offer that names a language wins. `*` stands for all languages that no offer names. */
  readonly languages: readonly string[];
  /**
   * Opens the embedder. Called when the first bot needs it, and after a failure repeatedly until it succeeds. `signal` is aborted when the
   * embedder is no longer wanted. The engine closes the opened embedder. An offer without `open` has a static embedder only.
   */
  readonly open?: (signal?: AbortSignal) => Promise<Embedder>;
  /**
   * Checks quickly, without loading a model, whether the embedder can be opened here. Rejects with the error that `open` would reject with.
   * Called at a start and for a bot's figures, so that a missing embedder is reported before anything needs it.
   */
  readonly check?: (signal?: AbortSignal) => Promise<void>;
  /**
   * Opens the static embedder of the embedder. Called once, when the first bot with this embedder is opened. Passages are found by its vectors
   * until the embedder's vectors come. It also reads questions where speed matters more, or where the embedder is missing.
   */
  readonly static?: () => Promise<StaticEmbedder>;
}

/** The rules for the fields of an {@link EmbedderOffer}. */
export const OFFER_OPTIONS: OptionKinds<EmbedderOffer> = {
  languages: required(listOf(A_STRING, 'a list of languages, such as ["en"] or ["*"]')),
  open: A_FUNCTION,
  check: A_FUNCTION,
  static: A_FUNCTION,
};
