import { tmpdir } from "node:os";
import { optionalPart } from "../../../../test/support/optional-part.ts";
import { openGraphs } from "../../src/index/vectors/graphs.ts";
import { hnswGraphs } from "../../src/index/vectors/hnsw.ts";
import type { VectorRows } from "../../src/index/vectors/rows.ts";
import type { Graphs } from "../../src/index/vectors/vector-graph.ts";

/** A graph backend, for tests of what all of them keep to. */
export interface KindOfGraphs {
  readonly name: string;
  readonly isHere: boolean;
  /** Whether deleted points take memory until the graph is built again. */
  readonly hasTombstones: boolean;
  readonly graphs: () => Graphs<VectorRows>;
}

const opened = await openGraphs("hnswlib", tmpdir());

/** The backend `hnswlib`, for tests that are skipped where it is not built. */
export const hnswlibPart = optionalPart(
  "the graph library",
  "missing" in opened ? `${opened.missing.why}. To mend it: ${opened.missing.mend}` : undefined,
);

export const KINDS_OF_GRAPHS: readonly KindOfGraphs[] = [
  { name: "over codes", isHere: true, hasTombstones: false, graphs: () => hnswGraphs(true) },
  {
    name: hnswlibPart.named("of hnswlib-node"),
    isHere: !hnswlibPart.isMissing,
    hasTombstones: true,
    graphs: () => {
      if ("missing" in opened) throw new Error("This test needs the graph library.");
      return opened;
    },
  },
];
