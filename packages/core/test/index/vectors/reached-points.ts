import { readLinks } from "../../../src/index/vectors/hnsw-file.ts";
import { GraphLinks } from "../../../src/index/vectors/hnsw-links.ts";
import { GraphPoints } from "../../../src/index/vectors/hnsw-nodes.ts";
import { HNSW_PARAMETERS } from "../../../src/index/vectors/hnsw-parameters.ts";
import type { VectorRows } from "../../../src/index/vectors/rows.ts";
import type { VectorGraph } from "../../../src/index/vectors/vector-graph.ts";
import { GRAPH_BYTES_MAX } from "../../../src/model/limits.ts";

/**
 * How many points of each layer walks can come to, and how many there are, the highest layer first: read from the bytes of a graph over
 * codes, along the links of a layer from all points of the layers above,
 * and through what is gone to what it linked to.
 */
export async function reachedPoints(
  graph: VectorGraph,
  rows: VectorRows,
  parameters = HNSW_PARAMETERS,
): Promise<{ readonly reached: number; readonly living: number }[]> {
  let links = new GraphLinks(rows, GraphPoints.allGone(0), parameters);
  const saved = await readLinks(await graph.save(GRAPH_BYTES_MAX), rows.dimensions, parameters, (points) => {
    links = new GraphLinks(rows, GraphPoints.allGone(points), parameters);
    return links;
  });
  if (saved === undefined) throw new Error("The graph can't be read.");
  const isLiving = (point: number): boolean => (saved.hashes[point] ?? -1) >= 0;
  const living = [...saved.hashes.keys()].filter(isLiving);
  const reached = new Set([saved.entry]);
  const layers = [];
  for (let layer = links.levelOf(saved.entry); layer >= 0; layer--) {
    // A set hands out what is added to it on the way.
    for (const point of reached) {
      for (const other of listOf(links, point, layer)) {
        if (isLiving(other)) reached.add(other);
        else for (const beyond of listOf(links, other, layer)) if (isLiving(beyond)) reached.add(beyond);
      }
    }
    layers.push({ reached: reached.size, living: living.filter((point) => links.levelOf(point) >= layer).length });
  }
  return layers;
}

function listOf(links: GraphLinks, point: number, layer: number): Uint32Array {
  const [piece, at] = [links.piece(point, layer), links.at(point, layer)];
  return piece.subarray(at + 1, at + 1 + (piece[at] ?? 0));
}
