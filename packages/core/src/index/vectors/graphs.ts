import { reasonOf } from "../../model/errors.ts";
import { type Missing, missingGraph } from "../../model/missing.ts";
import { hnswGraphs } from "./hnsw.ts";
import type { VectorRows } from "./rows.ts";
import type { GraphBackend, Graphs } from "./vector-graph.ts";

/** The graph backends by name: the engine's own HNSW over quantized vectors, or the package `@loredex/hnswlib`. */
export const GRAPH_KINDS = ["built-in", "hnswlib"] as const;
export type GraphKind = (typeof GRAPH_KINDS)[number];

/** The choice of a graph backend: one by its name, or a program's own. */
export type GraphChoice = GraphKind | GraphBackend;

/** Why there are no graphs. */
export interface WithoutGraphs {
  readonly missing: Missing;
}

/** The part of `@loredex/hnswlib` that is used here. */
export interface HnswlibPackage {
  hnswlib(): GraphBackend;
}

const PACKAGE = "@loredex/hnswlib";
const INSTALL = `npm install ${PACKAGE} (where loredex was installed with -g: npm install -g ${PACKAGE})`;

/**
 * The graphs of the chosen backend, or why they are missing here. Graphs are kept for the next start only if there is a temporary directory.
 * @param load imports `@loredex/hnswlib`
 */
export async function openGraphs(
  choice: GraphChoice,
  temporaryDirectory: string | undefined,
  load: () => Promise<HnswlibPackage> = () => optionalPackage(PACKAGE),
): Promise<Graphs<VectorRows> | WithoutGraphs> {
  if (choice === "built-in") return hnswGraphs(temporaryDirectory !== undefined);
  const name = choice === "hnswlib" ? PACKAGE : "graph";
  try {
    const backend = choice === "hnswlib" ? (await load()).hnswlib() : choice;
    const opened = await backend.open({ temporaryDirectory });
    if (!("missing" in opened)) return opened;
    const { mend } = opened.missing;
    return { missing: missingGraph({ ...opened.missing, mend }) };
  } catch (error) {
    if (choice === "hnswlib" && isNotFound(error)) {
      return { missing: missingGraph({ name, why: `${PACKAGE} is not installed`, mend: INSTALL }) };
    }
    const [reason = ""] = reasonOf(error).split("\n");
    const why = `the graph backend ${choice === "hnswlib" ? `${PACKAGE} ` : ""}can't be used: ${reason.trim()}`;
    return { missing: missingGraph({ name, why, mend: undefined }) };
  }
}

/** Why the graph backend `hnswlib` cannot be used here; undefined if it can. */
export async function missingGraphLibrary(): Promise<Missing | undefined> {
  const graphs = await openGraphs("hnswlib", undefined);
  return "missing" in graphs ? graphs.missing : undefined;
}

/**
 * Imports a package that need not be installed. The name is a value: bundlers would resolve a literal name, and fail where the package is missing.
 * The comments tell bundlers to leave the import as it is.
 */
function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Whether the package itself is missing, and not a package that it needs. */
function isNotFound(error: unknown): boolean {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isMissing && error.message.includes(`'${PACKAGE}'`);
}
