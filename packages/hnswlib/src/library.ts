import type { NoGraphs } from "@loredex/core";
import type { HierarchicalNSW } from "hnswlib-node";

/** The loaded graph library hnswlib-node. */
export interface HnswlibLibrary {
  readonly HierarchicalNSW: typeof HierarchicalNSW;
  /** The directory for its temporary files; undefined if no graph is saved or loaded. */
  readonly temporaryDirectory: string | undefined;
}

const PACKAGE = "hnswlib-node";
const INSTALL = `npm install ${PACKAGE}`;
/** Builds the package even if install scripts are switched off. The build is an install script of the package. */
const BUILD = `npm rebuild ${PACKAGE} --ignore-scripts=false (should npm want its consent first: npm approve-scripts ${PACKAGE})`;

/**
 * Loads the graph library. It is an optional dependency without prebuilt binaries: building it needs a compiler and install scripts. If it cannot be
 * loaded, the result tells why.
 */
export async function loadLibrary(temporaryDirectory: string | undefined): Promise<HnswlibLibrary | NoGraphs> {
  try {
    const {
      default: { HierarchicalNSW },
    } = await optionalPackage<typeof import("hnswlib-node")>(PACKAGE);
    // A broken build fails here, and not in the middle of a search.
    new HierarchicalNSW("ip", 1).initIndex(1, 2, 2, 1);
    return { HierarchicalNSW, temporaryDirectory };
  } catch (error) {
    return { missing: problemOf(error) };
  }
}

/**
 * Imports a package that need not be installed. The name is a value: bundlers would resolve a literal name, and fail where the package is missing.
 * The comments tell bundlers to leave the import as it is.
 */
function optionalPackage<Module>(name: string): Promise<Module> {
  return import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ name);
}

/** Describes for the operator why the library could not be loaded, and how to mend it. */
export function problemOf(error: unknown): NoGraphs["missing"] {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") {
    return { name: PACKAGE, why: `the graph library ${PACKAGE} is not installed`, mend: INSTALL };
  }
  if (NOT_BUILT.test(reason)) {
    return { name: PACKAGE, why: `the graph library ${PACKAGE} was installed, but not built`, mend: BUILD };
  }
  return { name: PACKAGE, why: `the graph library ${PACKAGE} can't be loaded: ${reason.trim()}`, mend: BUILD };
}

/** The message of the package's loader if the native module was not built. */
const NOT_BUILT = /locate the bindings file/;
