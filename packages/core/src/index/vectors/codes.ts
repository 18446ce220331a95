/**
 * Quantized vectors. A passage's vector becomes int8 codes, a query's vector int16 codes, so only passages lose notable precision.
 * Products of codes are integers, so a cosine is the same to the last bit on every machine and in every code path.
 */

/** Codes of passages reach from -127 to 127. */
const PASSAGE_CODE_MAX = 127;

/** A query's quantized vector, for comparison with passages of the same number of dimensions. */
export interface QueryVector {
  /** One code a dimension, then zeros up to a multiple of {@link CODES_ALIGNMENT}. */
  readonly codes: Int16Array;
  /** 1 / (the length of the codes as a vector); 0 for a query of zeros, so that all its cosines are 0. */
  readonly inverseNorm: number;
}

/** Rows of codes are padded with zeros to a multiple of this, so that whole SIMD words cover them. */
const CODES_ALIGNMENT = 16;

/** `dimensions` rounded up to whole SIMD words. */
export function paddedLength(dimensions: number): number {
  return Math.ceil(dimensions / CODES_ALIGNMENT) * CODES_ALIGNMENT;
}

/**
 * Quantizes a passage's vector: every component times 127 / (the largest magnitude), rounded. The length is lost, the
 * direction is kept. A vector of zeros stays zeros. Throws a `RangeError` if a component is not finite.
 */
export function encodeVector(vector: Float32Array): Int8Array {
  const codes = new Int8Array(vector.length);
  fillCodes(vector, PASSAGE_CODE_MAX, codes);
  return codes;
}

/**
 * Quantizes a query's vector. The scale is the largest at which no sum of products with passages' codes can leave 32 bits:
 * 32,767 up to 512 dimensions, 4,095 at 4,096. Throws as {@link encodeVector} does.
 */
export function encodeQuery(vector: Float32Array): QueryVector {
  const codes = new Int16Array(paddedLength(vector.length));
  fillCodes(vector, Math.min(INT16_MAX, Math.floor(INT32_MAX / (INT8_MAGNITUDE_MAX * vector.length))), codes);
  return { codes, inverseNorm: inverseNormOf(codes) };
}

/** 1 / (the length of codes as a vector). 0 if all codes are zero: a vector without a direction has cosine 0 with every other. */
export function inverseNormOf(codes: Int8Array | Int16Array): number {
  let squares = 0;
  // Indexed, as every loop over codes: an iterator takes ten times as long where both Int8Array and Int16Array occur.
  for (let i = 0; i < codes.length; i++) squares += (codes[i] as number) ** 2;
  return squares === 0 ? 0 : 1 / Math.sqrt(squares);
}

const INT16_MAX = 32_767;
const INT32_MAX = 2_147_483_647;
/** Codes from elsewhere may use the whole range of a byte. */
const INT8_MAGNITUDE_MAX = 128;

function fillCodes(vector: Float32Array, codeMax: number, codes: Int8Array | Int16Array): void {
  let magnitudeMax = 0;
  for (let i = 0; i < vector.length; i++) {
    const magnitude = Math.abs(vector[i] as number);
    if (!(magnitude < Number.POSITIVE_INFINITY)) throw new RangeError("A vector must consist of finite numbers.");
    if (magnitude > magnitudeMax) magnitudeMax = magnitude;
  }
  if (magnitudeMax === 0) return;
  for (let i = 0; i < vector.length; i++) codes[i] = Math.round(((vector[i] as number) * codeMax) / magnitudeMax);
}

/** Number of codes that are compared in the time of one operation of a search, measured with SIMD. */
export const CODES_AN_OPERATION = 32;
