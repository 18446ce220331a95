import type { AdminSession, Bot, EmbedderOffer, Engine, Insights } from "@loredex/core";
import { FakeEmbedder } from "../../packages/core/test/support/fake-embedder.ts";

/** The embedder whose vectors a sample has, with token codes if its name says so, and the texts that it has been given since. */
export function embedders(sample: string): { offers: Record<string, EmbedderOffer>; texts: readonly string[] } {
  const fake = new FakeEmbedder({ dimensions: 16, ...(sample.endsWith("-signs") ? { tokens: "1" } : {}) });
  return { offers: { fake: { languages: [], open: async () => fake } }, texts: fake.passages };
}

/** A question with the id of its answer. */
export type Asked = readonly [question: string, id: string];

/** What a sample tells of its administration beside the stored keys, which have no secret. */
export interface Administered {
  /** Texts of the admin keys, and of the token of a session. */
  readonly keys: readonly string[];
  readonly token: string;
  /** An address that has failed to sign in too often. */
  readonly address: string;
}

/** All that an engine knows of those who administer it. */
export async function administeredOf({ administration }: Engine, given: Administered): Promise<unknown> {
  const { keys, token, address } = given;
  const session: AdminSession | undefined = await administration.session(token);
  const { waitMs } = await administration.signIn(address, async () => undefined);
  return JSON.parse(
    JSON.stringify({
      ...given,
      list: await administration.listKeys(),
      identities: await Promise.all(keys.map(async (key) => (await administration.authenticate(key)) ?? null)),
      session,
      changes: await administration.changes(),
      mayTry: waitMs === 0,
    }),
  );
}

/** All that is kept of what the users of a bot ask. */
async function insightsOf(insights: Insights): Promise<unknown> {
  const runs = [];
  for (const { id } of await insights.runs()) runs.push(await insights.run(id));
  return {
    questions: await insights.questions(),
    weeks: await insights.weeks(),
    neverFound: await insights.neverFound(),
    golden: await insights.golden(),
    runs,
  };
}

/** The times of imported documents. Samples from before them have none. */
async function timesOf(bot: Bot): Promise<unknown[]> {
  const { rows } = await bot.documentPage({ sort: "title:asc", limit: 1_000 });
  return rows.flatMap(({ id, isArticle, updatedAt }) =>
    isArticle || updatedAt === undefined ? [] : [[id, updatedAt]],
  );
}

/** All that a bot knows, but for what becomes of it with time and with better searching. */
export async function knownOf(engine: Engine, name: string, asked: readonly Asked[] = []): Promise<unknown> {
  const bot = await engine.bot(name);
  await bot.whenUpgraded();
  const { articles, documents, characterUsed, quotaCharacters, rateCharactersPerMinute: rateLimit } = await bot.stats();
  // What equals a title is found first, however searches may change.
  const [equal] = await bot.search("Refunds 1 €😀", { noted: false });
  const found = equal?.bestMatchScore === 1 ? equal : undefined;
  // Which of several answers is first may change as well, but not that the right one is found.
  const answers: Asked[] = [];
  for (const [question, id] of asked) {
    const ids = (await bot.search(question, { noted: false })).map(({ resourceDocId }) => resourceDocId);
    answers.push([question, ids.includes(id) ? id : ""]);
  }
  // Settings that came later than the samples.
  const { quotaBytes: _bytes, rateBytesPerMinute: _rate, importBytes: _import, ...others } = bot.info();
  const { questionLog, questionLogDays, gapScore, ...info } = others;
  const vocabulary = await bot.getVocabulary();
  const times = await timesOf(bot);
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
    ...(times.length > 0 && { times }),
    ...(questionLog && { questionLogDays, gapScore, insights: await insightsOf(await engine.insights(name)) }),
    found: found?.resourceDocId,
    vectors: (await bot.stats()).vectors.vectors,
    ...(asked.length > 0 && { asked: answers }),
  };
  return JSON.parse(JSON.stringify(known));
}
