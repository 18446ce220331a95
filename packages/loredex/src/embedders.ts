import { type EmbedderOffer, NO_EMBEDDER, openEnglishStatic } from "@loredex/core";
import { checkMiniLm, openMiniLm } from "@loredex/minilm";
import { multilingualOffer } from "./multilingual-offer.ts";
import { openAiOffer } from "./openai-offer.ts";

/**
 * The embedders that come with Loredex. `openai` asks the model server that these variables name (`LOREDEX_OPENAI_BASE_URL` and more; see
 * docs/openai.md).
 */
export function embeddersOf(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, EmbedderOffer>> {
  const openai = openAiOffer(environment);
  return {
    minilm: {
      languages: ["en"].filter((language) => !openai.languages.includes(language)),
      open: () => openMiniLm(),
      check: checkMiniLm,
      static: openEnglishStatic,
    },
    multilingual: multilingualOffer(),
    // In the space of minilm: a bot can change between the two, and keeps its vectors.
    static: { languages: [], static: openEnglishStatic },
    openai,
  };
}

/** Those of the environment of this process, as {@link EngineOptions.embedders} takes them. */
export const EMBEDDERS = embeddersOf(process.env);

/** What a bot's `--embedder` can be. */
export const EMBEDDER_NAMES: readonly string[] = [...Object.keys(EMBEDDERS), NO_EMBEDDER];
