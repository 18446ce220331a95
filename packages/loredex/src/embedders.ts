import { type EmbedderOffer, NO_EMBEDDER, openEnglishStudent } from "@loredex/core";
import { checkMiniLm, openMiniLm } from "@loredex/minilm";
import { openAiOffer } from "./openai-offer.ts";

const openai = openAiOffer(process.env);

/**
 * The embedders that come with Loredex, as {@link EngineOptions.embedders} takes them. `openai` asks the model server that the environment names
 * (`LOREDEX_OPENAI_BASE_URL` and more; see docs/openai.md).
 */
export const EMBEDDERS: Readonly<Record<string, EmbedderOffer>> = {
  minilm: {
    languages: ["en"].filter((language) => !openai.languages.includes(language)),
    open: () => openMiniLm(),
    check: checkMiniLm,
    student: openEnglishStudent,
  },
  // In the space of minilm: a bot can change between the two, and keeps its vectors.
  student: { languages: [], student: openEnglishStudent },
  openai,
};

/**
 * Those of {@link EMBEDDERS} that are named; without names all of them. A bot whose embedder is not among them is found by words alone, and its
 * operator told so.
 */
export function embeddersNamed(names: readonly string[]): Readonly<Record<string, EmbedderOffer>> {
  return Object.fromEntries(Object.entries(EMBEDDERS).filter(([name]) => names.includes(name)));
}

/** What a bot's `--embedder` can be. */
export const EMBEDDER_NAMES: readonly string[] = [...Object.keys(EMBEDDERS), NO_EMBEDDER];
