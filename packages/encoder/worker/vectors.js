/** From the rows of the last layer to the vector of the text. */

/**
 * The mean over the tokens.
 * @param {Float32Array} rows one a token, each `hidden` long
 * @param {number} tokens
 * @param {number} hidden
 */
export function meanOfRows(rows, tokens, hidden) {
  const mean = new Float64Array(hidden);
  for (let token = 0; token < tokens; token += 1) {
    const start = token * hidden;
    for (let at = 0; at < hidden; at += 1) mean[at] = (mean[at] ?? 0) + (rows[start + at] ?? 0);
  }
  for (let at = 0; at < hidden; at += 1) mean[at] = (mean[at] ?? 0) / tokens;
  return mean;
}

/**
 * The vector along each of the axes. Four axes at a time: each sum waits for itself only, which makes it nearly
 * twice as fast as one after the other, with the same result.
 * @param {Float64Array} vector
 * @param {Float32Array} axes one row an axis, each as long as the vector; a multiple of four of them
 */
export function rotate(vector, axes) {
  const { length } = vector;
  const dimensions = axes.length / length;
  const rotated = new Float64Array(dimensions);
  for (let axis = 0; axis < dimensions; axis += 4) {
    const first = axis * length;
    const second = first + length;
    const third = second + length;
    const fourth = third + length;
    let a = 0;
    let b = 0;
    let c = 0;
    let d = 0;
    for (let at = 0; at < length; at += 1) {
      const value = vector[at] ?? 0;
      a += value * (axes[first + at] ?? 0);
      b += value * (axes[second + at] ?? 0);
      c += value * (axes[third + at] ?? 0);
      d += value * (axes[fourth + at] ?? 0);
    }
    rotated[axis] = a;
    rotated[axis + 1] = b;
    rotated[axis + 2] = c;
    rotated[axis + 3] = d;
  }
  return rotated;
}

/**
 * The vector, brought to length one, without what it has in common with all others.
 * @param {Float64Array} vector
 * @param {Float32Array} common as long as the vector
 */
export function without(vector, common) {
  const scale = inverse(lengthOf(vector));
  return vector.map((value, at) => value * scale - (common[at] ?? 0));
}

/**
 * The vector as it is stored: of length one.
 * @param {Float64Array} vector
 */
export function unitOf(vector) {
  const scale = inverse(lengthOf(vector));
  const unit = new Float32Array(vector.length);
  // Rounded before it is scaled as well: vectors that are stored were made so.
  for (let at = 0; at < vector.length; at += 1) unit[at] = Math.fround(vector[at] ?? 0) * scale;
  return unit;
}

/** @param {Float64Array} vector */
function lengthOf(vector) {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Math.sqrt(squares);
}

/** @param {number} length */
function inverse(length) {
  return length > 0 ? 1 / length : 0;
}

/**
 * Reads little-endian float32 values.
 * @param {Uint8Array} bytes
 */
export function readFloats(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
