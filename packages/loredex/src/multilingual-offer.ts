import { EmbedderError, type EmbedderOffer } from "@loredex/core";
import { optionalPackage } from "./optional-package.ts";

/** The used exports of an optional package. */
type Multilingual = Pick<typeof import("@loredex/multilingual"), "openMultilingual" | "checkMultilingual">;

/** Loads the package. */
type Load = () => Promise<Multilingual>;

const PACKAGE = "@loredex/multilingual";
const load: Load = () => optionalPackage(PACKAGE);

/**
 * The embedder of all languages without an embedder of their own. Its package has 78 MB, and only operators with such bots install it.
 * Without it, searches in such bots use BM25 alone, and the operator is told the command that installs it.
 */
export function multilingualOffer(
  loadPackage: Load = load,
): EmbedderOffer & Required<Pick<EmbedderOffer, "open" | "check">> {
  return {
    languages: ["*"],
    open: async () => (await found(loadPackage)).openMultilingual(),
    check: async () => (await found(loadPackage)).checkMultilingual(),
  };
}

/** Loads the package. @throws EmbedderError `EMBEDDER_UNAVAILABLE` if it is not installed */
async function found(loadPackage: Load): Promise<Multilingual> {
  try {
    return await loadPackage();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const mend = `npm i ${PACKAGE} (where loredex was installed with -g: npm i -g ${PACKAGE})`;
    throw new EmbedderError("EMBEDDER_UNAVAILABLE", `${PACKAGE} is not installed`, { cause, mend });
  }
}

/** Whether this package is missing, and not one of its dependencies. */
function isNotFound(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "ERR_MODULE_NOT_FOUND") return false;
  return cause.message.includes(`'${PACKAGE}'`);
}
