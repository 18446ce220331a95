import type { Embedder } from "../embedding/embedder.ts";

/** From a cosine to a similarity in [0, 1], never falling as it rises. */
export type Calibration = (cosine: number) => number;

/**
 * What this question's cosines are worth: the embedder's own calibration, less what it takes off those of a question that says nothing; without one,
 * that by the bot's own passages, whose level is asked for only then.
 */
export function calibrationOf(
  embedder: Pick<Embedder, "calibrate" | "bias">,
  passages: { readonly backgroundSimilarity: number },
  question: Float32Array,
): Calibration {
  const known = ownCalibration(embedder) ?? calibrationAbove(passages.backgroundSimilarity);
  const bias = embedder.bias?.(question) ?? 0;
  return bias > 0 ? (cosine) => known(cosine - bias) : known;
}

/** An embedder's own. It was tried at some cosines only: elsewhere it may still give what is no similarity. */
function ownCalibration(embedder: Pick<Embedder, "calibrate">): Calibration | undefined {
  if (embedder.calibrate === undefined) return undefined;
  const calibrate = embedder.calibrate.bind(embedder);
  return (cosine) => {
    const similarity = calibrate(cosine);
    return similarity > 0 ? Math.min(1, similarity) : 0;
  };
}

/** What a cosine is above that of unrelated texts, as a share of the way to equal ones. The level is from 0 to below 1. */
export function calibrationAbove(backgroundSimilarity: number): Calibration {
  return (cosine) => Math.min(1, Math.max(0, (cosine - backgroundSimilarity) / (1 - backgroundSimilarity)));
}
