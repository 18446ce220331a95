import { KernelDistances } from "./kernel-distances.ts";
import { plainLeastDistances } from "./plain-distances.ts";

/**
 * Late interaction on token codes (MaxSim; Khattab, Zaharia 2020, "ColBERT"). A token's vector is one bit a dimension.
 * Two tokens are as close as the share of bits in which they agree.
 */

/**
 * The least Hamming distance of each question token to the tokens `start` (inclusive) to `end` (exclusive) of a text. It is `8 * bytes` if there are none.
 * @param bytes of a token
 * @param out one distance for each token of the question
 */
export function leastDistances(
  question: Uint8Array,
  tokenCodes: Uint8Array,
  start: number,
  end: number,
  bytes: number,
  out: Uint16Array,
): void {
  const compared = tokenCodes.subarray(start * bytes, end * bytes);
  if (kernel === "not tried yet") kernel = KernelDistances.create();
  if (!kernel?.leastDistances(question, compared, bytes, out)) plainLeastDistances(question, compared, bytes, out);
}

let kernel: KernelDistances | undefined | "not tried yet" = "not tried yet";

/**
 * MaxSim: how well a text matches the tokens of a question, 0 to 1. It is the weighted mean of `1 - 2 * distance / bits` over the question's tokens.
 * 0 if all weights are 0, and if most bits differ. In bounds: there is a weight for each distance.
 */
export function maxSim(least: Uint16Array, weights: Float32Array, bits: number): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < least.length; i++) {
    const weight = weights[i] as number;
    sum += weight * (1 - (2 * (least[i] as number)) / bits);
    total += weight;
  }
  return total > 0 ? Math.min(1, Math.max(0, sum / total)) : 0;
}
