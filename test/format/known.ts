import type { Bot, EmbedderOffer } from "@loredex/core";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";

/** The embedder whose vectors a sample has, with token codes if its name says so, and the texts that it has been given since. */
export function embedders(sample: string): { offers: Record<string, EmbedderOffer>; texts: readonly string[] } {
  const fake = new FakeEmbedder({ dimensions: 16, ...(sample.endsWith("-signs") ? { tokens: "1" } : {}) });
  return { offers: { fake: { languages: [], open: async () => fake } }, texts: fake.passages };
}

/** A question with the id of its answer. */
export type Asked = readonly [question: string, id: string];

/** All that a bot knows, but for what becomes of it with time and with better searching. */
export async function knownOf(bot: Bot, asked: readonly Asked[] = []): Promise<unknown> {
  await bot.whenUpgraded();
  const { articles, documents, characterUsed, quotaCharacters, rateCharactersPerMinute: rateLimit } = await bot.stats();
  // What equals a title is found first, however searches may change.
  const [equal] = await bot.search("Refunds 1 €😀");
  const found = equal?.bestMatchScore === 1 ? equal : undefined;
  // Which of several answers is first may change as well, but not that the right one is found.
  const answers: Asked[] = [];
  for (const [question, id] of asked) {
    const ids = (await bot.search(question)).map(({ resourceDocId }) => resourceDocId);
    answers.push([question, ids.includes(id) ? id : ""]);
  }
  // Settings that came later than the samples.
  const { quotaBytes: _bytes, rateBytesPerMinute: _rate, importBytes: _import, ...others } = bot.info();
  const { questionLog: _log, questionLogDays: _days, gapScore: _score, ...info } = others;
  const vocabulary = await bot.getVocabulary();
  const known = {
    info,
    stats: { articles, documents, characterUsed, characterQuota: quotaCharacters, rateLimit },
    articles: await bot.listArticles(),
    documents: await bot.listDocuments(),
    ofPages: (await bot.documentsOfSource("file:pages")).sort(),
    sources: (await bot.listSources()).filter((source) => source.arguments.length > 0),
    owned: [...(await bot.ownedDocuments(["/srv/new/docs", "kb"]))].sort((a, b) => (a.id < b.id ? -1 : 1)),
    agents: await bot.listAgents(),
    channels: await bot.listChannels(),
    // A sample from before vocabularies has none.
    ...(vocabulary.synonyms.length > 0 && { vocabulary }),
    found: found?.resourceDocId,
    vectors: (await bot.stats()).vectors.vectors,
    ...(asked.length > 0 && { asked: answers }),
  };
  return JSON.parse(JSON.stringify(known));
}
