import { type Embedder, kindAlong } from "@loredex/core";
import { checkEncoder, type EncoderModel, modelDirectory, openEncoder, workerProgram } from "@loredex/encoder";
import { SMALL_TALK_AXIS } from "./small-talk-axis.ts";

export interface MiniLmOptions {
  /**
   * Number of processes that encode passages. Each takes one core and about 130 MB. One more is started when a question finds all of them busy. An integer from
   * 1; default: the cores less one, at least one.
   */
  readonly workers?: number;
}

/** all-MiniLM-L6-v2 with its parameters. */
export const MINILM: EncoderModel = {
  packageName: "@loredex/minilm",
  directory: modelDirectory(import.meta.url),
  program: workerProgram(import.meta.url),
  weight: 0.5,
  calibrate: (cosine) => Math.min(1, Math.max(0, cosine)),
  // Levels: docs/decisions/2026-11-23-third-look.md; weights: 2026-11-29-power-mean.md
  tokenCalibration: { low: 0.23, high: 0.67, weight: 0.4 },
  // 99 of 100 questions lie below .15, short ones such as "feedback" up to .25, half of small talk above .38: docs/decisions/2026-11-29-small-bots.md
  smallTalk: kindAlong({ codes: SMALL_TALK_AXIS, from: 0.25, to: 0.4 }),
};

/**
 * Opens the English embedder and starts its first worker. Rejects with `EMBEDDER_UNAVAILABLE` if onnxruntime-node or the model cannot be loaded. The message is
 * one line for the operator, and `mend` is the remedy.
 */
export async function openMiniLm(options: MiniLmOptions = {}): Promise<Embedder> {
  return await openEncoder(MINILM, options);
}

/**
 * Checks if the English embedder can be opened here, without loading it: an offer's `check`.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with the remedy
 */
export async function checkMiniLm(): Promise<void> {
  await checkEncoder(MINILM);
}
