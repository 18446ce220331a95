import type { EmbedderOffer } from "./embedder.ts";
import { openEnglishStatic } from "./english-static.ts";

/** The embedders of an engine that is given none. They need no native code. */
export const OWN_EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  static: { languages: ["en"], static: openEnglishStatic },
};

/**
 * Stand-ins: embedders of other programs, of which this engine has only the static embedder. It can still serve their bots, as the vectors are of
 * the same space.
 */
export const STAND_INS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: { languages: [], static: openEnglishStatic },
};
