/** Vectors for the cases of a contract, and which of them are near. */

import type { QueryVector } from "../src/index/vectors/codes.ts";
import { NearestKeys, type Neighbour } from "../src/index/vectors/nearest-keys.ts";
import type { GraphRows, VectorGraph } from "../src/index/vectors/vector-graph.ts";

/** The same vectors for the same seed, in clusters as those of texts are. */
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

/** The `k` nearest of those that a graph offers. */
export function nearestByGraph(graph: VectorGraph, query: QueryVector, k: number): Neighbour[] {
  const nearest = new NearestKeys(k);
  graph.search(query, k, (key, cosine) => nearest.offer(key, cosine));
  return nearest.neighbours();
}

/** All vectors by brute force, one comparison after the other: in the order in which they must come. */
export function byBruteForce(rows: Pick<GraphRows, "cosine">, keys: Iterable<number>, query: QueryVector): Neighbour[] {
  return [...keys]
    .flatMap((key) => {
      const cosine = rows.cosine(query, key);
      return cosine === undefined ? [] : [{ key, cosine }];
    })
    .sort((a, b) => b.cosine - a.cosine || a.key - b.key);
}
