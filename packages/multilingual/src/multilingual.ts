import { type Embedder, unicodeForm } from "@loredex/core";
import {
  beginning,
  checkEncoder,
  type EncoderModel,
  modelDirectory,
  openEncoder,
  workerProgram,
} from "@loredex/encoder";
import { calibrate } from "./calibration.ts";
import { bias } from "./noise.ts";

export interface MultilingualOptions {
  /**
   * Processes that encode passages: each takes one core and about 220 MB. One more is started when a question finds all of them busy.
   * An integer from 1; default: the cores less one, at least one.
   */
  readonly workers?: number;
}

/**
 * No text is read further than this, in UTF-16 units: 512 pieces of prose end at about 2,500, and reading
 * megabytes to throw them away would hold up every other text.
 */
export const TEXT_UNITS_MAX = 16_384;

/** What the model was taught to find before a text. */
const PREFIXES = { question: "query: ", passage: "passage: " } as const;

/** multilingual-e5-small with what belongs to it. */
export const MULTILINGUAL: EncoderModel = {
  packageName: "@loredex/multilingual",
  directory: modelDirectory(import.meta.url),
  program: workerProgram(import.meta.url),
  weight: 0.6,
  calibrate,
  // Measured: docs/decisions/2026-11-23-third-look.md
  tokenCalibration: { low: 0.31, high: 0.64, weight: 0.5 },
  bias,
  // Here, as only the core may bring a text into this form: in linear time, whatever marks it has.
  prepared: (text, kind) => {
    const read = beginning(text, TEXT_UNITS_MAX).replace(SPACES, " ").replace(INVISIBLE, "");
    return unicodeForm(`${PREFIXES[kind]}${read}`, "NFKC");
  },
};

/** Marks of direction, and spaces of no width, which part words where others have a space: the model has no piece for them. */
const SPACES = /[\u200b\u200e\u200f\ufeff]/g;
/** Places where a line may or may not be broken, and directions within a line: they say nothing, and would part a word in two. */
const INVISIBLE = /[\u00ad\u2060\u202a-\u202e\u2066-\u2069]/g;

/**
 * Opens the embedder of all languages and starts its first worker. Rejects with `EMBEDDER_UNAVAILABLE` where onnxruntime-node or the
 * model cannot be loaded; the message is one line for the operator, and `mend` what mends it.
 */
export async function openMultilingual(options: MultilingualOptions = {}): Promise<Embedder> {
  return await openEncoder(MULTILINGUAL, options);
}

/**
 * Whether the embedder of all languages can be had here, as far as that can be told without loading it: an offer's `check`.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with what mends it
 */
export async function checkMultilingual(): Promise<void> {
  await checkEncoder(MULTILINGUAL);
}
