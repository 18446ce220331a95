import { type EmbedderOffer, NO_EMBEDDER, openEnglishStatic } from "@loredex/core";
import { checkMiniLm, openMiniLm } from "@loredex/minilm";
import { multilingualOffer } from "./multilingual-offer.ts";
import { openAiOffer } from "./openai-offer.ts";

/**
 * The embedders that come with Loredex. `openai` uses the model server in these variables (`LOREDEX_OPENAI_BASE_URL` and more; see
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
    // Its vectors are in the space of minilm, so a bot can change between the two and keep its vectors.
    static: { languages: [], static: openEnglishStatic },
    openai,
  };
}

/** The embedders with the environment of this process, as {@link EngineOptions.embedders} takes them. */
export const EMBEDDERS = embeddersOf(process.env);

/** The possible values of a bot's `--embedder`. */
export const EMBEDDER_NAMES: readonly string[] = [...Object.keys(EMBEDDERS), NO_EMBEDDER];
