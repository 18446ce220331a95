import { type Embedder, openEnglishStatic } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";

/** The English encoder, with passages that its static embedder reads: their vectors are as long, and there in a second instead of minutes. It answers questions as ever. */
export async function openEnglishEncoder(): Promise<Embedder> {
  const minilm = await openMiniLm();
  const staticEmbedder = await openEnglishStatic();
  return {
    id: minilm.id,
    version: minilm.version,
    dimensions: minilm.dimensions,
    weight: minilm.weight,
    cost: minilm.cost,
    smallTalk: (question) => minilm.smallTalk?.(question) ?? 0,
    calibrate: (cosine) => minilm.calibrate?.(cosine) ?? cosine,
    embedPassages: async (texts) => texts.map((text) => staticEmbedder.embed(text)),
    embedQuery: (text, signal) => minilm.embedQuery(text, signal),
    close: () => minilm.close(),
  };
}
