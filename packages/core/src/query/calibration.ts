import type { Embedder } from "../embedding/embedder.ts";

/** From a cosine to a similarity in [0, 1], never falling as it rises. */
export type Calibration = (cosine: number) => number;

/** The embedder's own calibration; without one, that by the bot's own passages, whose level is asked for only then. */
export function calibrationOf(
  embedder: Pick<Embedder, "calibrate">,
  passages: { readonly unrelatedLevel: number },
): Calibration {
  if (embedder.calibrate === undefined) return calibrationAbove(passages.unrelatedLevel);
  return (cosine) => embedder.calibrate?.(cosine) ?? 0;
}

/** What a cosine is above that of unrelated texts, as a share of the way to equal ones. The level is from 0 to below 1. */
export function calibrationAbove(unrelatedLevel: number): Calibration {
  return (cosine) => Math.min(1, Math.max(0, (cosine - unrelatedLevel) / (1 - unrelatedLevel)));
}
