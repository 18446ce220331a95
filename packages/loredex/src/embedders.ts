import { type EmbedderOffer, NO_EMBEDDER } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";

/** The embedders that come with Loredex, as {@link EngineOptions.embedders} takes them. */
export const EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: { languages: ["en"], open: () => openMiniLm() },
};

/** What a bot's `--embedder` can be. */
export const EMBEDDER_NAMES: readonly string[] = [...Object.keys(EMBEDDERS), NO_EMBEDDER];
