/**
 * Signs of one answer are joined by their power mean with exponent 1.5: it lies between the arithmetic mean and the root mean square. Of two answers with the
 * same arithmetic mean, that with one strong sign is better. Measured: docs/decisions/2026-11-29-power-mean.md
 *
 *     mean = (Σ weight · sign^1.5 / Σ weight)^(2/3)
 *
 * It is at least the least sign, at most the greatest, and rises with each.
 */

/** A sign, 0 to 1, as it is summed: to the power of 1.5. */
export function raised(sign: number): number {
  return sign * Math.sqrt(sign);
}

/** The inverse: the mean of signs from the mean of their powers. */
export function lowered(mean: number): number {
  return Math.cbrt(mean * mean);
}
