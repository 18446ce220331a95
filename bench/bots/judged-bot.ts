import { type Bot, type DocumentInput, type Embedder, Engine, openEnglishStatic } from "@loredex/core";
import { sharedEmbedder } from "./cached-embedder.ts";

/** What a bot's questions are embedded by; `vectors` is the encoder alone, as a search by vectors would be. */
export type JudgedEmbedder = "none" | "static" | "minilm" | "multilingual" | "vectors";

/** A bot in memory that knows these documents, with all their vectors, for as long as the work takes. The encoder stays open. */
export async function withJudgedBot<Result>(
  documents: readonly DocumentInput[],
  embedder: JudgedEmbedder,
  encoder: Embedder,
  work: (bot: Bot) => Promise<Result>,
  language = "en",
  rerank = true,
): Promise<Result> {
  const engine = await Engine.open({
    rerank,
    embedders: {
      minilm: { languages: [], open: async () => sharedEmbedder(encoder), static: openEnglishStatic },
      multilingual: { languages: [], open: async () => sharedEmbedder(encoder) },
      static: { languages: [], static: openEnglishStatic },
      vectors: { languages: [], open: async () => sharedEmbedder(encoder, 1) },
    },
  });
  try {
    const { bot: info } = await engine.createBot({ name: "judged", embedder, language });
    const bot = await engine.bot(info.id);
    for (const document of documents) await bot.importDocument(document);
    await bot.whenUpgraded();
    return await work(bot);
  } finally {
    await engine.close();
  }
}
