/** A vector, and whether it is of the kind that an axis is found for: noise, or small talk. */
export interface Judged {
  readonly vector: Float32Array;
  readonly isOfKind: boolean;
  /** How much it counts beside others of its side. */
  readonly weight: number;
}

const STEPS = 300;
const STEP = 8;
const MOMENTUM = 0.95;
/** Keeps the axis from following single texts. */
const SHRINKING = 1e-3;
/** A question that is not of the kind and is taken for it costs more than one of the kind that is not seen. */
const OTHER_SHARE = 5 / 6;

/**
 * The direction, of length one, along which vectors of the kind lie furthest from all others: logistic regression, each side weighing what it does however many
 * they are, by steepest descent with momentum. The same vectors give the same direction.
 */
export function separatingAxis(judged: readonly Judged[]): Float32Array {
  const dimensions = judged[0]?.vector.length ?? 0;
  const weightOf = (side: boolean): number =>
    judged.reduce((sum, { isOfKind, weight }) => (isOfKind === side ? sum + weight : sum), 0);
  const shares = { kind: (1 - OTHER_SHARE) / weightOf(true), other: OTHER_SHARE / weightOf(false) };
  const axis = new Float64Array(dimensions);
  const speed = new Float64Array(dimensions);
  let offset = 0;
  let offsetSpeed = 0;
  for (let step = 0; step < STEPS; step++) {
    const slope = axis.map((value) => value * SHRINKING);
    let offsetSlope = 0;
    for (const { vector, isOfKind, weight } of judged) {
      const guess = 1 / (1 + Math.exp(-offset - along(axis, vector)));
      const error = weight * (isOfKind ? (guess - 1) * shares.kind : guess * shares.other);
      for (let i = 0; i < dimensions; i++) slope[i] = (slope[i] ?? 0) + error * (vector[i] ?? 0);
      offsetSlope += error;
    }
    for (let i = 0; i < dimensions; i++) {
      speed[i] = MOMENTUM * (speed[i] ?? 0) + (slope[i] ?? 0);
      axis[i] = (axis[i] ?? 0) - STEP * (speed[i] ?? 0);
    }
    offsetSpeed = MOMENTUM * offsetSpeed + offsetSlope;
    offset -= STEP * offsetSpeed;
  }
  const length = Math.hypot(...axis);
  return Float32Array.from(axis, (value) => value / length);
}

const CODE_MAX = 127;

/** An axis as the packages have it: one signed byte for each dimension, in base64. */
export function axisCodes(axis: Float32Array): string {
  const largest = axis.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const codes = Int8Array.from(axis, (value) => Math.round((value / largest) * CODE_MAX));
  return Buffer.from(codes.buffer).toString("base64");
}

export function along(axis: ArrayLike<number>, vector: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < axis.length; i++) sum += (axis[i] ?? 0) * (vector[i] ?? 0);
  return sum;
}
