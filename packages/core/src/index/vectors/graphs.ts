import { reasonOf } from "../../model/errors.ts";
import { oneOf } from "../../model/known-options.ts";
import { type Missing, missingGraph } from "../../model/missing.ts";
import { requireArguments } from "../../model/require-options.ts";
import { BUILT_IN_GRAPHS } from "./hnsw.ts";
import type { VectorRows } from "./rows.ts";
import type { GraphBackend, Graphs } from "./vector-graph.ts";

/** Imports a package by its name. */
type LoadPackage = (name: string) => Promise<unknown>;

/** A graph backend that has a name. */
interface NamedBackend {
  /** The package that it comes with, which need not be installed; undefined for the engine's own. */
  readonly packageName: string | undefined;
  readonly load: (loadPackage: LoadPackage) => Promise<GraphBackend<VectorRows>>;
}

/** The part of `@loredex/hnswlib` that is used here. */
interface HnswlibPackage {
  hnswlib(): GraphBackend;
}

const HNSWLIB = "@loredex/hnswlib";

/** The graph backends by name, the default first: the engine's own HNSW over quantized vectors, or the package `@loredex/hnswlib`. */
const BACKENDS = {
  "built-in": { packageName: undefined, load: async () => BUILT_IN_GRAPHS },
  hnswlib: {
    packageName: HNSWLIB,
    load: async (loadPackage) => ((await loadPackage(HNSWLIB)) as HnswlibPackage).hnswlib(),
  },
} as const satisfies Readonly<Record<string, NamedBackend>>;

export type GraphKind = keyof typeof BACKENDS;
/** The names of the graph backends, the default first. */
export const GRAPH_KINDS: readonly [GraphKind, ...GraphKind[]] = Object.keys(BACKENDS) as [GraphKind, ...GraphKind[]];

/** The choice of a graph backend: one by its name, or a program's own. */
export type GraphChoice = GraphKind | GraphBackend;

/** Why there are no graphs. */
export interface WithoutGraphs {
  readonly missing: Missing;
}

/**
 * The graphs of the chosen backend, or why they are missing here. Graphs are kept for the next start only if there is a temporary directory.
 * @param loadPackage imports the package of a named backend
 */
export async function openGraphs(
  choice: GraphChoice,
  temporaryDirectory: string | undefined,
  loadPackage: LoadPackage = optionalPackage,
): Promise<Graphs<VectorRows> | WithoutGraphs> {
  const { packageName, load }: NamedBackend =
    typeof choice === "string" ? BACKENDS[choice] : { packageName: undefined, load: async () => choice };
  const name = packageName ?? "graph";
  try {
    const opened = await (await load(loadPackage)).open({ temporaryDirectory });
    return "missing" in opened ? { missing: missingGraph(opened.missing) } : opened;
  } catch (error) {
    if (packageName !== undefined && isNotFound(error, packageName)) {
      const mend = `npm install ${name} (where loredex was installed with -g: npm install -g ${name})`;
      return { missing: missingGraph({ name, why: `${name} is not installed`, mend }) };
    }
    const [reason = ""] = reasonOf(error).split("\n");
    const why = `the graph backend ${packageName === undefined ? "" : `${name} `}can't be used: ${reason.trim()}`;
    return { missing: missingGraph({ name, why }) };
  }
}

/**
 * Why a graph backend cannot be used here; undefined if it can.
 * @throws ValidationError for a name that is none of {@link GRAPH_KINDS}
 */
export async function missingGraphLibrary(kind: GraphKind = "hnswlib"): Promise<Missing | undefined> {
  requireArguments("missingGraphLibrary", { kind }, { kind: oneOf(GRAPH_KINDS) });
  const graphs = await openGraphs(kind, undefined);
  return "missing" in graphs ? graphs.missing : undefined;
}

/**
 * Imports a package that need not be installed. The name is a value: bundlers would resolve a literal name, and fail where the package is missing.
 * The comments tell bundlers to leave the import as it is.
 */
function optionalPackage(name: string): Promise<unknown> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Whether the package itself is missing, and not a package that it needs. */
function isNotFound(error: unknown, packageName: string): boolean {
  const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
  return isMissing && error.message.includes(`'${packageName}'`);
}
