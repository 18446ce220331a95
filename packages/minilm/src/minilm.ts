import type { Embedder } from "@loredex/core";
import { checkEncoder, type EncoderModel, modelDirectory, openEncoder, workerProgram } from "@loredex/encoder";

export interface MiniLmOptions {
  /**
   * Processes that encode passages: each takes one core and about 130 MB. One more is started when a question finds all of them busy.
   * An integer from 1; default: the cores less one, at least one.
   */
  readonly workers?: number;
}

/** all-MiniLM-L6-v2 with what belongs to it. */
export const MINILM: EncoderModel = {
  packageName: "@loredex/minilm",
  directory: modelDirectory(import.meta.url),
  program: workerProgram(import.meta.url),
  weight: 0.5,
  calibrate: (cosine) => Math.min(1, Math.max(0, cosine)),
  // Measured: docs/decisions/2026-11-23-third-look.md
  tokenCalibration: { low: 0.23, high: 0.67, weight: 0.66 },
};

/**
 * Opens the English embedder and starts its first worker. Rejects with `EMBEDDER_UNAVAILABLE` where onnxruntime-node or the
 * model cannot be loaded; the message is one line for the operator, and `mend` what mends it.
 */
export async function openMiniLm(options: MiniLmOptions = {}): Promise<Embedder> {
  return await openEncoder(MINILM, options);
}

/**
 * Whether the English embedder can be had here, as far as that can be told without loading it: an offer's `check`.
 * @throws EmbedderError `EMBEDDER_UNAVAILABLE`, with what mends it
 */
export async function checkMiniLm(): Promise<void> {
  await checkEncoder(MINILM);
}
