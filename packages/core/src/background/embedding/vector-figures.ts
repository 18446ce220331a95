import { EMBEDDED_TEXTS_VERSION } from "../../index/embedded-texts.ts";
import type { SearchIndex } from "../../index/search-index.ts";
import type { KeptTokenCodes } from "../../index/token-codes/kept-codes.ts";
import type { BotState } from "../../log/state.ts";
import type { Upgrade } from "../../model/types.ts";
import type { TokenCodeStats, VectorStats } from "../../model/vector-stats.ts";
import type { GraphBuilder } from "../graph-builder.ts";
import type { EmbedderUse } from "./embedder-use.ts";
import { BEGINNING } from "./upgrade-states.ts";
import type { VectorUpgrade } from "./vector-upgrade.ts";

/** Without an embedder, no document lacks anything. */
const NONE_MISSING = { vectorsMissing: 0, vectorsGivenUp: 0, tokenCodesMissing: 0, tokenCodesGivenUp: 0 };

export interface VectorFiguresDeps {
  readonly state: BotState;
  readonly index: SearchIndex;
  readonly graph: GraphBuilder;
  /** Undefined without an embedder. */
  readonly use: EmbedderUse | undefined;
  /** Not open if no token codes are kept. */
  readonly kept: KeptTokenCodes;
  /** Whether token codes would be kept, but could not be opened. */
  readonly isTokenCodesFileUnusable: boolean;
}

/** The figures of a bot's vectors, for the operator. */
export function vectorFigures(deps: VectorFiguresDeps): VectorStats {
  const { state, index, graph, use } = deps;
  const upgrade = use?.upgrade;
  const { missing } = use?.shared ?? {};
  const { missed: graphMissing } = graph;
  const { failures, lastFailure } = upgrade?.past ?? BEGINNING.past;
  const { vectorsMissing, vectorsGivenUp } = upgrade?.documents ?? NONE_MISSING;
  const blocked = upgrade?.blocked;
  const there = index.windowVectors.rows?.count ?? 0;
  // Without an embedder, or with a static embedder as the embedder, no other vectors will come.
  const isAlone = upgrade === undefined && use?.shared.isStandIn !== true;
  return {
    embedder: use?.shared.name ?? "none",
    texts: index.windows.count,
    vectors: isAlone
      ? there
      : index.windowVectors.rows === undefined
        ? state.vectors.countOf(EMBEDDED_TEXTS_VERSION)
        : index.windowVectors.ownCount,
    staticVectors: isAlone ? 0 : there - index.windowVectors.ownCount,
    documentsWaiting: vectorsMissing,
    documentsGivenUp: vectorsGivenUp,
    failures,
    ...(lastFailure === undefined ? {} : { lastFailure }),
    ...(blocked === undefined ? {} : { blocked }),
    ...(missing === undefined ? {} : { missing }),
    ...tokenCodesOf(deps, upgrade),
    graph: graph.status,
    ...(graphMissing === undefined ? {} : { graphMissing }),
  };
}

function tokenCodesOf(
  { kept, isTokenCodesFileUnusable, index }: VectorFiguresDeps,
  upgrade: VectorUpgrade | undefined,
): { readonly tokenCodes?: TokenCodeStats } {
  const { windows: texts, bytes: diskBytes } = kept.figures;
  if (isTokenCodesFileUnusable) {
    return { tokenCodes: { texts, diskBytes, documentsWaiting: 0, documentsGivenUp: index.documents.count } };
  }
  if (!kept.isOpen) return {};
  const { vectorsMissing, tokenCodesMissing, tokenCodesGivenUp } = upgrade?.documents ?? NONE_MISSING;
  const documentsWaiting = vectorsMissing + tokenCodesMissing;
  return { tokenCodes: { texts, diskBytes, documentsWaiting, documentsGivenUp: tokenCodesGivenUp } };
}

/** Picks the figures that are watched of an open bot. */
export function watched(stats: VectorStats) {
  const { texts, vectors, documentsWaiting, documentsGivenUp, failures: embedderFailures, tokenCodes } = stats;
  const { documentsWaiting: tokenCodesWaiting = 0, documentsGivenUp: tokenCodesGivenUp = 0 } = tokenCodes ?? {};
  return { texts, vectors, documentsWaiting, documentsGivenUp, tokenCodesWaiting, tokenCodesGivenUp, embedderFailures };
}

/** The result of an upgrade, for a caller that has waited for it. */
export function upgradeOf(use: EmbedderUse | undefined): Upgrade {
  const { upgrade, shared } = use ?? {};
  const { missing } = shared ?? {};
  const { vectorsMissing, vectorsGivenUp: documentsGivenUp } = upgrade?.documents ?? NONE_MISSING;
  const isDone = vectorsMissing === 0 && upgrade?.hasStopped !== true;
  const blocked = upgrade?.blocked;
  const complete = isDone && missing === undefined && blocked === undefined && documentsGivenUp === 0;
  return {
    complete,
    ...(missing === undefined ? {} : { missing }),
    ...(blocked === undefined ? {} : { blocked }),
    documentsGivenUp,
  };
}
