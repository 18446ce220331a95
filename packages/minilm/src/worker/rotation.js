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
 * The vector along each of the axes, scaled to length one.
 * @param {Float64Array} vector
 * @param {Float32Array} axes one row an axis, each as long as the vector
 */
export function rotate(vector, axes) {
  const dimensions = axes.length / vector.length;
  const rotated = new Float32Array(dimensions);
  let squares = 0;
  for (let axis = 0; axis < dimensions; axis += 1) {
    const start = axis * vector.length;
    let sum = 0;
    for (let at = 0; at < vector.length; at += 1) sum += (vector[at] ?? 0) * (axes[start + at] ?? 0);
    rotated[axis] = sum;
    squares += sum * sum;
  }
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  for (let axis = 0; axis < dimensions; axis += 1) rotated[axis] = (rotated[axis] ?? 0) * scale;
  return rotated;
}

/**
 * Reads little-endian float32 values.
 * @param {Uint8Array} bytes
 */
export function readFloats(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
