/** Vectors for tests: the same for the same seed, in clusters as those of texts are. */
export function clusteredVectors(count: number, dimensions: number, seed: number, clusters = 20): Float32Array[] {
  const random = randomFrom(seed);
  const centres = Array.from({ length: clusters }, () => gaussianVector(dimensions, random));
  return Array.from({ length: count }, () => {
    const centre = centres[Math.floor(random() * clusters)] ?? new Float32Array(dimensions);
    return gaussianVector(dimensions, random).map((x, i) => x + (centre[i] ?? 0));
  });
}

/** Numbers in [0, 1), the same for the same seed (a linear congruential generator, upper bits). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function gaussianVector(dimensions: number, random: () => number): Float32Array {
  return Float32Array.from({ length: dimensions }, () => random() + random() + random() + random() - 2);
}
