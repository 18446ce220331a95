import type { Embedder } from "../embedding/embedder.ts";

/** Maps a cosine to a similarity in [0, 1]; monotonic. */
export type Calibration = (cosine: number) => number;

/**
 * The calibration of one question's cosines: the embedder's own, or else {@link calibrationAbove} the background similarity of the bot's passages.
 * That background similarity is read only if it is needed. The embedder's bias, for a question that means nothing, is first taken off each cosine.
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

/** The embedder's own calibration, cut to [0, 1]. It was tested at some cosines only: elsewhere it may return other numbers. */
function ownCalibration(embedder: Pick<Embedder, "calibrate">): Calibration | undefined {
  if (embedder.calibrate === undefined) return undefined;
  const calibrate = embedder.calibrate.bind(embedder);
  return (cosine) => {
    const similarity = calibrate(cosine);
    return similarity > 0 ? Math.min(1, similarity) : 0;
  };
}

/**
 * The calibration by a background similarity, the cosine of unrelated texts, from 0 to below 1.
 * It is the share of the way from there to a cosine of 1.
 */
export function calibrationAbove(backgroundSimilarity: number): Calibration {
  return (cosine) => Math.min(1, Math.max(0, (cosine - backgroundSimilarity) / (1 - backgroundSimilarity)));
}
