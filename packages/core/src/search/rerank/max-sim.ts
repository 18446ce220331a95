import { KernelDistances } from "./kernel-distances.ts";
import { plainLeastDistances } from "./plain-distances.ts";

/**
 * Late interaction (Khattab, Zaharia 2020, "ColBERT") on token codes: a token's vector is kept as one bit a dimension, and two tokens are as close as the
 * share of bits in which they agree.
 */

/**
 * The best match of each token of a question among the tokens `start` (inclusive) to `end` (exclusive) of a text: the number of bits that differ,
 * which is `8 * bytes` where there are none.
 * @param bytes of a token
 * @param out one number a token of the question
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
 * How well a text holds the tokens of a question, 0 to 1: the mean of `1 - 2 * distance / bits` over them, each as much as it weighs. 0 where all weigh
 * nothing, and where most bits differ.
 */
export function maxSim(least: Uint16Array, weights: Float32Array, bits: number): number {
  let sum = 0;
  let total = 0;
  for (let i = 0; i < least.length; i++) {
    const weight = weights[i] ?? 0;
    sum += weight * (1 - (2 * (least[i] ?? bits)) / bits);
    total += weight;
  }
  return total > 0 ? Math.min(1, Math.max(0, sum / total)) : 0;
}
