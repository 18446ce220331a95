import { afterEach, describe, expect, it } from "vitest";
import { type Bot, Engine } from "../../src/index.ts";

/** What goes in and comes out of a bot is not what the bot itself works on. */

const engines: Engine[] = [];

async function openBot(): Promise<Bot> {
  const engine = await Engine.open();
  engines.push(engine);
  await engine.createBot({ name: "acme" });
  return engine.bot("acme");
}

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

/** Changes every value in it, as a program without types may; what refuses is left as it is. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, child] of Object.entries(value)) {
    spoil(child);
    if (typeof child !== "object") Reflect.set(value, key, "spoilt");
  }
  Reflect.set(value, Array.isArray(value) ? value.length : "more", "spoilt");
}

const ARTICLE = {
  title: "Refunds",
  body: "Money comes back within 14 days.",
  metadata: { team: "billing" },
  source: "https://help.example.com/refunds",
  activeOn: [{ agent: "Ada", channel: "web" }],
};
const PAGE = {
  resourceDocId: "p1",
  type: "WEBPAGE",
  metaData: { title: "Parcels", tags: ["post", "box"], author: { name: "Bo" } },
  content: [{ md: "A parcel takes two days." }],
};
const QNA = {
  resourceDocId: "q1",
  type: "QNA",
  question: "Is it far?",
  answer: "No.",
  alternatives: ["How far is it?"],
};

describe("what a caller does with what it was given", () => {
  it("changes no article", async () => {
    const bot = await openBot();
    const { article } = await bot.createArticle(ARTICLE);
    await bot.whenSearchable();
    const listed = structuredClone(await bot.listArticles());
    for (const given of [
      article,
      await bot.getArticle(article.id),
      ...(await bot.listArticles()),
      ...(await bot.articlesOfAgent("Ada")),
    ]) {
      spoil(given);
    }
    spoil((await bot.updateArticle(article.id, {})).article);
    expect(await bot.listArticles()).toEqual(listed);
  });

  it("changes no imported document", async () => {
    const bot = await openBot();
    await bot.importDocument(PAGE);
    await bot.importDocument(QNA);
    const kept = structuredClone(await bot.listDocuments());
    for (const given of [await bot.getDocument("p1"), await bot.getDocument("q1"), ...(await bot.listDocuments())])
      spoil(given);
    expect(await bot.listDocuments()).toEqual(kept);
  });

  it("changes no later answer", async () => {
    const bot = await openBot();
    await bot.createArticle(ARTICLE);
    await bot.importDocument(PAGE);
    await bot.whenSearchable();
    const ask = () => bot.search("money for a parcel", { includeContent: true });
    const first = structuredClone(await ask());
    expect(first).toHaveLength(2);
    spoil(await ask());
    expect(await ask()).toEqual(first);
  });
});

describe("what a caller does with what it has given", () => {
  it("changes no article and no document", async () => {
    const bot = await openBot();
    const inputs = structuredClone({ article: ARTICLE, page: PAGE, qna: QNA });
    await bot.createArticle(inputs.article);
    await bot.importDocument(inputs.page);
    await bot.importDocument(inputs.qna);
    const kept = structuredClone([await bot.listArticles(), await bot.listDocuments()]);
    spoil(inputs);
    expect([await bot.listArticles(), await bot.listDocuments()]).toEqual(kept);
  });
});
