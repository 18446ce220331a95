/** Scales a vector to unit length; undefined for one of zeros, which has no direction. */
export function unitVector(vector: Float64Array): Float32Array | undefined {
  // Scaled first: squares of very small or very large numbers would leave the range.
  const largest = vector.reduce((most, component) => Math.max(most, Math.abs(component)), 0);
  if (largest === 0) return undefined;
  let squares = 0;
  for (const component of vector) squares += (component / largest) ** 2;
  const length = Math.sqrt(squares);
  return Float32Array.from(vector, (component) => component / largest / length);
}
