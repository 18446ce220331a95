import { EmbedderError, type EmbedderOffer } from "@loredex/core";
import { optionalPackage } from "./optional-package.ts";

/** What is used of the package that is not there for everybody. */
type Multilingual = Pick<typeof import("@loredex/multilingual"), "openMultilingual" | "checkMultilingual">;

/** Loads the package. */
type Load = () => Promise<Multilingual>;

const PACKAGE = "@loredex/multilingual";
const load: Load = () => optionalPackage(PACKAGE);

/**
 * The embedder of every language that no other names. Its package is 78 MB and installed by whoever has such bots: without it they are found by words, and told
 * which line to type.
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

/** @throws EmbedderError `EMBEDDER_UNAVAILABLE` where the package is not installed */
async function found(loadPackage: Load): Promise<Multilingual> {
  try {
    return await loadPackage();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    const mend = `npm i ${PACKAGE} (where loredex was installed with -g: npm i -g ${PACKAGE})`;
    throw new EmbedderError("EMBEDDER_UNAVAILABLE", `${PACKAGE} is not installed`, { cause, mend });
  }
}

/** Whether it is this package that is missing, and none that it needs. */
function isNotFound(cause: unknown): boolean {
  if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "ERR_MODULE_NOT_FOUND") return false;
  return cause.message.includes(`'${PACKAGE}'`);
}
