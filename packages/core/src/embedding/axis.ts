import { ValidationError } from "../model/errors.ts";
import { A_TEXT, aNumber, type OptionKinds, required } from "../model/known-options.ts";
import { requireArguments } from "../model/require-options.ts";

/** A direction in which vectors of one kind lie, and how far along it they lie. */
export interface Axis {
  /** One signed byte for each dimension, in base64. */
  readonly codes: string;
  /** Up to this position a vector is certainly not of the kind. */
  readonly from: number;
  /** From this position on it certainly is. */
  readonly to: number;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

const AXIS_OPTIONS: OptionKinds<Axis> = {
  codes: required(A_TEXT),
  from: required(aNumber(-1, 1)),
  to: required(aNumber(-1, 1)),
};

/**
 * Returns how much a vector of length 1 is of the kind of an axis, 0 to 1: the share of the way from `from` to `to`. The function that is returned throws a
 * RangeError for a vector of other dimensions.
 * @throws ValidationError
 */
export function kindAlong(axis: Axis): (vector: Float32Array) => number {
  requireArguments("kindAlong", { axis }, { axis: AXIS_OPTIONS });
  const { codes, from, to } = axis;
  if (!BASE64.test(codes))
    throw new ValidationError([
      { field: "axis.codes", type: "base64", message: "kindAlong: axis.codes must be base64" },
    ]);
  if (from >= to)
    throw new ValidationError([
      { field: "axis.to", type: "range", message: "kindAlong: axis.to must be above axis.from" },
    ]);
  const signed = Int8Array.from(Buffer.from(codes, "base64"));
  let squares = 0;
  for (const code of signed) squares += code * code;
  const length = Math.max(1, Math.sqrt(squares));
  return (vector) => {
    if (vector.length !== signed.length)
      throw new RangeError(`the axis has ${signed.length} dimensions, and the vector ${vector.length}`);
    let along = 0;
    for (let i = 0; i < signed.length; i++) along += ((signed[i] ?? 0) / length) * (vector[i] ?? 0);
    // Not a number counts as 0.
    return along > from ? Math.min(1, (along - from) / (to - from)) : 0;
  };
}
