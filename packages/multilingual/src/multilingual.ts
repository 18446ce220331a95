import { type Embedder, kindAlong, unicodeForm } from "@loredex/core";
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
import { SMALL_TALK_AXIS } from "./small-talk-axis.ts";

export interface MultilingualOptions {
  /**
   * Number of processes that encode passages. Each takes one core and about 220 MB. One more is started when a question finds all of them busy. An integer from
   * 1; default: the cores less one, at least one.
   */
  readonly workers?: number;
}

/** Maximum UTF-16 units that are read of a text. 512 pieces of prose end at about 2,500, and reading megabytes to drop them would delay every other text. */
export const TEXT_UNITS_MAX = 16_384;

/** Prefixes that the model was trained to expect before a text. */
const PREFIXES = { question: "query: ", passage: "passage: " } as const;

/** multilingual-e5-small with its parameters. */
export const MULTILINGUAL: EncoderModel = {
  packageName: "@loredex/multilingual",
  directory: modelDirectory(import.meta.url),
  program: workerProgram(import.meta.url),
  // docs/decisions/2026-11-29-power-mean.md
  weight: 0.6,
  calibrate,
  // Levels: docs/decisions/2026-11-23-third-look.md; weights: 2026-11-29-power-mean.md
  tokenCalibration: { low: 0.31, high: 0.64, weight: 0.33 },
  bias,
  // docs/decisions/2026-11-29-small-bots.md
  smallTalk: kindAlong({ codes: SMALL_TALK_AXIS, from: 0.25, to: 0.4 }),
  // The form is applied here, because only the core may do so: in linear time, for any marks of a text.
  prepared: (text, kind) => {
    const read = beginning(text, TEXT_UNITS_MAX).replace(SPACES, " ").replace(INVISIBLE, "");
    return unicodeForm(`${PREFIXES[kind]}${read}`, "NFKC");
  },
};

/** Direction marks and zero-width spaces, which separate words like a space: the model has no piece for them. */
const SPACES = /[\u200b\u200e\u200f\ufeff]/g;
/** Soft hyphens, word joiners and direction controls: they mean nothing, and would split a word. */
const INVISIBLE = /[\u00ad\u2060\u202a-\u202e\u2066-\u2069]/g;

/**
 * Opens the embedder of all languages and starts its first worker. Rejects with `EMBEDDER_UNAVAILABLE` if onnxruntime-node or the model cannot be loaded. The
 * message is one line for the operator, and `mend` is the remedy.
 */
export async function openMultilingual(options: MultilingualOptions = {}): Promise<Embedder> {
  return await openEncoder(MULTILINGUAL, options);
}

/**
 * Checks if the embedder of all languages can be opened here, without loading it: an offer's `check`.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with the remedy
 */
export async function checkMultilingual(): Promise<void> {
  await checkEncoder(MULTILINGUAL);
}
