/** Loredex as a library: no server, no key, no configuration. */

import { Engine, ValidationError } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";
import { readable } from "../shared/answers.mjs";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";

/** @typedef {Awaited<ReturnType<Engine["bot"]>>} Bot */

/**
 * Gives a bot something to know: two articles and two documents of other kinds.
 * @param {Bot} bot
 */
async function teach(bot) {
  await bot.createArticle({
    title: "How to send something back",
    body: "You can return an unused product within 30 days.\n\n## Steps\n\n1. Choose the order in your account.\n2. Press **Return** and print the label.\n",
    metadata: { topic: "orders", audience: "customers" },
    source: "https://shop.example/help/returns",
  });
  await bot.createArticle({
    title: "Invoices",
    body: "Every invoice is in your account under *Billing*, as a PDF.\n",
    metadata: { topic: "billing" },
  });
  // What is imported has an id of your own: the same id again replaces the document, the same content again does nothing.
  await bot.importDocument({
    resourceDocId: "handbook/shipping",
    type: "DOCUMENT",
    metaData: { title: "Shipping", version: 3 },
    content: [
      {
        md: "# Shipping\n\n| Country | Days | Price |\n| ------- | ---- | ----- |\n| Germany | 2 | 4 EUR |\n| Norway | 5 | 12 EUR |\n",
      },
    ],
  });
  const outcome = await bot.importDocument({
    resourceDocId: "faq/opening-hours",
    type: "QNA",
    question: "When can I call you?",
    alternatives: ["What are your opening hours?"],
    answer: "From Monday to Friday, 8:00 to 18:00.",
  });
  console.log(`imported the FAQ entry: ${outcome}`);
  // A write is on disk when its promise resolves, and found a moment later. This waits for that moment.
  await bot.whenSearchable();
}

/**
 * @param {Bot} bot
 * @param {string} question
 * @param {Parameters<Bot["search"]>[1]} [options]
 */
async function ask(bot, question, options) {
  console.log(`\n? ${question}`);
  console.log(readable(await bot.search(question, { topK: 1, ...options })));
}

async function byMeaning() {
  console.log("\n== By meaning: with an embedder ==");
  const engine = await Engine.open({ embedders: { minilm: { languages: ["en"], open: () => openMiniLm() } } });
  const { bot: created } = await engine.createBot({ name: "shop" });
  const bot = await engine.bot(created.id);
  await teach(bot);
  // Found by words already; the vectors follow in the background. This waits for them.
  await bot.whenUpgraded();
  const { vectors, texts, missing } = (await bot.stats()).vectors;
  console.log(missing?.story ?? `${vectors} of ${texts} passages and questions have their vector`);

  // Not one word of it stands in the article about returns.
  await ask(bot, "refund for unwanted goods");
  await engine.close();
}

async function inMemory() {
  console.log("== In memory: gone when the process ends ==\n");
  const engine = await Engine.open();
  const { bot: created } = await engine.createBot({ name: "shop" });
  const bot = await engine.bot(created.id);
  await teach(bot);

  await ask(bot, "what is the price of shipping to Norway?");
  await ask(bot, "What are your opening hours?");
  // A filter picks what may be found, before the best are taken.
  await ask(bot, "account", { filters: { "metaData.topic": "billing" } });

  try {
    await bot.createArticle({ title: "Hi", body: "", metadata: { tags: ["a", "b"] } });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    console.log("\nAll that is wrong with an input is said at once:");
    for (const { field, type, message } of error.violations) console.log(`   ${field} (${type}): ${message}`);
  }
  await engine.close();
}

/** @param {string} directory */
async function inDirectory(directory) {
  console.log("\n== In a directory: everything is there again after a restart ==\n");
  const first = await Engine.open({ directory });
  const { bot: created, key } = await first.createBot({ name: "shop", quotaCharacters: 50_000 });
  await teach(await first.bot(created.id));
  await first.close();

  const second = await Engine.open({ directory });
  const bot = await second.bot("shop");
  await ask(bot, "print a return label");

  const [article] = await bot.listArticles({ title: "Invoices" });
  if (article === undefined) throw new Error("the article is lost");
  const { article: updated, characterUsed } = await bot.updateArticle(article.id, { body: "Invoices come by mail.\n" });
  console.log(`\nupdated "${updated.title}" (${updated.status}): ${characterUsed} of 50000 characters used`);
  await bot.whenSearchable();
  await ask(bot, "do invoices come by mail?");
  await bot.deleteArticle(article.id);

  const { articles, documents, passages } = await bot.stats();
  console.log(`\nleft: ${articles} article, ${documents.DOCUMENT} document, ${documents.QNA} FAQ entry`);
  console.log(`passages: ${Object.values(passages).reduce((sum, count) => sum + count, 0)}`);
  // An app that speaks to its own users over the network finds the bot of a key like this.
  console.log(`the key opens the bot: ${second.authenticate(key)?.name}`);
  await second.close();
}

await inMemory();
await byMeaning();
await inTemporaryDirectory(inDirectory);
