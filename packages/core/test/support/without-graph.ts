import { GraphBuilder } from "../../src/background/graph-builder.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import type { WithoutGraphs } from "../../src/index/vectors/graphs.ts";
import { missingGraph } from "../../src/model/missing.ts";
import type { Clock } from "../../src/platform/clock.ts";

/** In the place of a graph backend, where it is missing. */
export async function withoutGraph(): Promise<WithoutGraphs> {
  return { missing: missingGraph({ name: "@loredex/hnswlib", why: "not here" }) };
}

type Deps = ConstructorParameters<typeof GraphBuilder>[0];

/** The graph builder of an index that gets no graph, unless `change` gives a backend: it keeps the vectors, and every search scans. */
export function builderWithoutGraph(index: SearchIndex, clock: Clock, change: Partial<Deps> = {}): GraphBuilder {
  return new GraphBuilder({
    botId: "bot",
    index,
    clock,
    logger: () => undefined,
    sleep: async () => undefined,
    searchSlices: { isQuiet: true },
    graphs: withoutGraph,
    graphVectorsMin: 1_000_000,
    cache: { read: async () => undefined, write: async () => undefined, isMine: async () => true },
    ...change,
  });
}
