/** A direction in which vectors of one kind lie, and how far along it they lie. */
export interface Axis {
  /** One signed byte for each dimension, in base64. */
  readonly codes: string;
  /** Up to this position a vector is certainly not of the kind. */
  readonly from: number;
  /** From this position on it certainly is. */
  readonly to: number;
}

/** As in `@loredex/core`, which has it for its static embedder: returns how much a vector of length 1 is of the kind of an axis, 0 to 1: the share of the way from `from` to `to`. */
export function kindAlong({ codes, from, to }: Axis): (vector: Float32Array) => number {
  const signed = Int8Array.from(atob(codes), (sign) => sign.charCodeAt(0));
  const length = Math.hypot(...signed);
  return (vector) => {
    let along = 0;
    for (let i = 0; i < signed.length; i++) along += ((signed[i] ?? 0) / length) * (vector[i] ?? 0);
    return Math.min(1, Math.max(0, (along - from) / (to - from)));
  };
}
