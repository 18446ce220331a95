import type { HierarchicalNSW } from "hnswlib-node";
import { reasonOf } from "../../model/errors.ts";
import { type Missing, missingGraph } from "../../model/missing.ts";

/** The loaded graph library hnswlib-node. */
export interface HnswlibLibrary {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
  /** The directory for its temporary files; undefined where no graph is to be saved or loaded. */
  readonly temporaryDirectory: string | undefined;
}

/** Why there is no graph library. */
export interface WithoutHnswlib {
  readonly missing: Missing;
}

const PACKAGE = "hnswlib-node";
const INSTALL = `npm install ${PACKAGE}`;
/** Builds the package also where install scripts are switched off: an install script builds it. */
const BUILD = `npm rebuild ${PACKAGE} --ignore-scripts=false (should npm want its consent first: npm approve-scripts ${PACKAGE})`;

/**
 * Loads the graph library. It is an optional dependency without prebuilt binaries: building it needs a compiler and install scripts. If it cannot be
 * loaded, the result tells why, and searches scan.
 */
export async function loadHnswlib(temporaryDirectory: string | undefined): Promise<HnswlibLibrary | WithoutHnswlib> {
  try {
    const {
      default: { HierarchicalNSW },
    } = await optionalPackage<typeof import("hnswlib-node")>(PACKAGE);
    // A broken build fails here, and not in the middle of a search.
    new HierarchicalNSW("ip", 1).initIndex(1, 2, 2, 1);
    return { HierarchicalNSW, temporaryDirectory };
  } catch (error) {
    return { missing: missingGraph(problemOf(error)) };
  }
}

/**
 * Imports a package that need not be installed. The name is a value: bundlers would resolve a literal name, and fail where the package is missing.
 * The comments tell bundlers to leave the import as it is.
 */
function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Why hnswlib-node cannot be used here; undefined if it can. */
export async function missingGraphLibrary(): Promise<Missing | undefined> {
  const library = await loadHnswlib(undefined);
  return "missing" in library ? library.missing : undefined;
}

/** Describes for the operator why the library could not be loaded, and how to mend it. */
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

/** The message of the package's loader where the native module was not built. */
const NOT_BUILT = /locate the bindings file/;
