import { EMBEDDER_FAILED } from "./embedder.ts";
import { EmbedderError } from "./embedder-error.ts";

/** @throws RangeError for a vector of another length */
export function requireLength(vector: Float32Array | undefined, dimensions: number): void {
  if (vector?.length === dimensions) return;
  throw new RangeError(`It gave a vector of ${vector?.length ?? 0} numbers where it promised ${dimensions}.`);
}

/** @throws EmbedderError `EMBEDDER_FAILED` for a vector with a component that is not finite: another text may have a valid one */
export function requireNumbers(vector: Float32Array): void {
  // Indexed: a function call for each component takes ten times as long, and every passage is checked here.
  for (let i = 0; i < vector.length; i++) {
    if (!Number.isFinite(vector[i]))
      throw new EmbedderError(EMBEDDER_FAILED, "It gave a vector with something in it that is no number.");
  }
}
