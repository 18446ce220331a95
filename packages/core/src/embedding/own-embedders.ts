import type { EmbedderOffer } from "./embedder.ts";
import { openEnglishStatic } from "./english-static.ts";

/** What bots can be given by an engine that is given no embedders. It needs no native code. */
export const OWN_EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  static: { languages: ["en"], static: openEnglishStatic },
};

/** Embedders that others have, by whose static embedders such an engine serves their bots all the same: the vectors are of the same space. */
export const STAND_INS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: { languages: [], static: openEnglishStatic },
};
