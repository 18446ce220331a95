import type { HierarchicalNSW } from "hnswlib-node";
import { reasonOf } from "../../model/errors.ts";
import { type Missing, missingGraph } from "../../model/missing.ts";

/** The graph library hnswlib-node, where it could be loaded. */
export interface HnswLibrary {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
  /** Where its files may lie for a moment; undefined where no graph is to be saved or loaded. */
  readonly temporaryDirectory: string | undefined;
}

/** Why there is no graph library. */
export interface WithoutHnsw {
  readonly missing: Missing;
}

const PACKAGE = "hnswlib-node";
const INSTALL = `npm install ${PACKAGE}`;
/** Also where install scripts are switched off: they are what builds it. */
const BUILD = `npm rebuild ${PACKAGE} --ignore-scripts=false (should npm want its consent first: npm approve-scripts ${PACKAGE})`;

/**
 * Loads the graph library. It is an optional dependency without prebuilt binaries: where no compiler was at hand when it was
 * installed, or install scripts are switched off, the answer is why, and searches scan.
 */
export async function loadHnsw(temporaryDirectory: string | undefined): Promise<HnswLibrary | WithoutHnsw> {
  try {
    const {
      default: { HierarchicalNSW },
    } = await optionalPackage<typeof import("hnswlib-node")>(PACKAGE);
    // A broken build shows here, and not in the middle of a search.
    new HierarchicalNSW("ip", 1).initIndex(1, 2, 2, 1);
    return { HierarchicalNSW, temporaryDirectory };
  } catch (error) {
    return { missing: missingGraph(problemOf(error)) };
  }
}

/**
 * Imports a package that need not be installed. Its name comes as a value: a name in the code itself would have bundlers resolve it, and fail where it is missing.
 * The comments tell them to leave the import as it stands.
 */
function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Why large bots have no graph here; undefined where they have one. */
export async function missingGraphLibrary(): Promise<Missing | undefined> {
  const library = await loadHnsw(undefined);
  return "missing" in library ? library.missing : undefined;
}

/** What failed while the library was loaded, for whoever can mend it. */
export function problemOf(error: unknown): { name: string; why: string; mend: string } {
  const [reason = ""] = reasonOf(error).split("\n");
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { name: PACKAGE, why: `the graph library ${PACKAGE} is not installed`, mend: INSTALL };
  }
  if (NOT_BUILT.test(reason)) {
    return { name: PACKAGE, why: `the graph library ${PACKAGE} was installed, but not built`, mend: BUILD };
  }
  return { name: PACKAGE, why: `the graph library ${PACKAGE} can't be loaded: ${reason.trim()}`, mend: BUILD };
}

/** How its loader says that there is nothing to load. */
const NOT_BUILT = /locate the bindings file/;
