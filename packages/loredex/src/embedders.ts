import { type EmbedderOffer, NO_EMBEDDER, openEnglishStudent } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";

/** The embedders that come with Loredex, as {@link EngineOptions.embedders} takes them. */
export const EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: { languages: ["en"], open: () => openMiniLm(), student: openEnglishStudent },
  // In the space of minilm: a bot can change between the two, and keeps its vectors.
  student: { languages: [], student: openEnglishStudent },
};

/** What a bot's `--embedder` can be. */
export const EMBEDDER_NAMES: readonly string[] = [...Object.keys(EMBEDDERS), NO_EMBEDDER];
