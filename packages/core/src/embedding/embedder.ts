import { A_FUNCTION, A_STRING, listOf, type OptionKinds, required } from "../model/known-options.ts";
import type { VectorSpace } from "../model/records.ts";
import type { TokenEncoder } from "./token-codes.ts";

/**
 * Turns texts into vectors of unit length whose cosines say how close the meanings are. Obligations of an implementation:
 * - the same text gives the same vector, for as long as `id` and `version` stay the same; an empty text has one as well,
 *   and one that is too long is read as far as the encoder reads;
 * - neither method blocks the event loop;
 * - texts of a question and of a passage may be encoded in different ways: only `cosine(question, passage)` is used;
 * - what fails rejects with an `Error` whose message is one line for the operator, and takes nothing else with it: the next call
 *   may succeed. One with the code {@link EMBEDDER_FAILED} concerns the texts given, any other the embedder itself;
 * - after an abort the promise rejects with the signal's reason, and no work is started for it any more;
 * - after `close` everything rejects.
 */
export interface Embedder {
  /** With `version` and `dimensions` the space of its vectors. Stored with every vector. */
  readonly id: string;
  /** Changes whenever vectors would. Vectors of different versions are never compared. */
  readonly version: string;
  /** Length of its vectors, 1 to `VECTOR_DIMENSIONS_MAX`. */
  readonly dimensions: number;
  /** Share of the dense score when it is fused with that of the words, 0 to 1. */
  readonly weight: number;
  /** What it takes, so that the caller can ask in good portions and knows when an answer is overdue. */
  readonly cost: EmbedderCost;
  /** The same with the token codes, where it computes a vector for each of them. */
  readonly tokens?: TokenEncoder;
  /**
   * Maps a cosine to a similarity in [0, 1], never falling as it rises; 0 for texts that have nothing to do with each other. Without it each bot
   * learns from its own passages what the cosines are worth.
   */
  calibrate?(cosine: number): number;
  /**
   * By how much all cosines of a question are too high since it says nothing: letters typed at random come close to many texts, and mean none of them.
   * It is taken off each cosine before that is worth anything. At least 0, which is what questions have that mean something; without it nothing is taken off.
   */
  bias?(question: Float32Array): number;
  /** One vector a text, in order; none for none. */
  embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Rejects what is pending and releases everything. Idempotent. */
  close(): Promise<void>;
}

/** What one call takes. Both fields must be given: `{ textsPerCall: 32, questionMsMax: 2_000 }`. */
export interface EmbedderCost {
  /** How many texts one call of `embedPassages` should carry: enough to keep it busy, few enough to lose little. From 1. */
  readonly textsPerCall: number;
  /** A question that takes longer than this is answered without it. Milliseconds. */
  readonly questionMsMax: number;
}

/** The code of an error that concerns the texts: others can be embedded. */
export const EMBEDDER_FAILED = "EMBEDDER_FAILED";

/**
 * A small encoder in the space of another one, its teacher: quick enough to be asked in the thread that needs the answer. Its
 * vectors stand beside the teacher's and are compared with them. The same text always gives the same vector.
 */
export interface StaticEmbedder {
  /** With `version` names who made a vector. */
  readonly id: string;
  readonly version: string;
  /** Where its vectors can be compared: the teacher's space. */
  readonly space: VectorSpace;
  /** Share of the dense score when its question meets its own passages, 0 to 1. */
  readonly weight: number;
  /** The same when one side is the teacher's. */
  readonly mixedWeight: number;
  /** As {@link Embedder.calibrate}. */
  calibrate(cosine: number): number;
  /** A vector of length one. Never throws. */
  embed(text: string): Float32Array;
  /** Whether its vocabulary has any piece of the text: otherwise a question is answered by its words. Never throws. Without it all texts are taken for known. */
  knows?(text: string): boolean;
}

/** An embedder that bots can be given, by name. */
export interface EmbedderOffer {
  /** Languages whose new bots get it if nothing else is said; the first offer that names a language wins. `*` stands for all that none names. */
  readonly languages: readonly string[];
  /**
   * Called when the first bot needs it, and after a failure again and again until it succeeds; `signal` is aborted when it is not
   * wanted any more. The engine closes what it opened. An offer without it is its static embedder alone.
   */
  readonly open?: (signal?: AbortSignal) => Promise<Embedder>;
  /**
   * Whether it can be had here, as far as that can be told in a moment and without loading a model: rejects with the error that `open` would
   * reject with. Called at a start and for a bot's figures, so that what is missing is told before anything needs it.
   */
  readonly check?: (signal?: AbortSignal) => Promise<void>;
  /**
   * Opens the embedder's static embedder, called once, when the first bot is opened that has this embedder: passages are found by its vectors until those of
   * the embedder come, and questions are asked by it where speed matters more, or where the embedder is not to be had.
   */
  readonly static?: () => Promise<StaticEmbedder>;
}

export const OFFER_OPTIONS: OptionKinds<EmbedderOffer> = {
  languages: required(listOf(A_STRING, 'a list of languages, such as ["en"] or ["*"]')),
  open: A_FUNCTION,
  check: A_FUNCTION,
  static: A_FUNCTION,
};
