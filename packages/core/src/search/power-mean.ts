/**
 * Scores of one answer are joined by their weighted power mean with exponent 1.5. It lies between the arithmetic mean and the root mean square. Of two answers
 * with the same arithmetic mean, the one with unequal scores is better. Measured: docs/decisions/2026-11-29-power-mean.md
 *
 *     mean = (Σ weight · score^1.5 / Σ weight)^(2/3)
 *
 * It is at least the least score, at most the greatest, and rises with each.
 */

/** A score, 0 to 1, to the power of 1.5. */
export function toPower(score: number): number {
  return score * Math.sqrt(score);
}

/** The score whose power this is: the inverse of {@link toPower}. */
export function fromPower(power: number): number {
  return Math.cbrt(power * power);
}
