/** Vectors from a model server: what a bot does while it is there, while it is away, and when it is back. */

import { Engine } from "@loredex/core";
import { openOpenAiEmbedder } from "@loredex/openai";
import { readable } from "../shared/answers.mjs";
import { startModelServer } from "./model-server.mjs";

const ARTICLES = [
  { title: "Returns", body: "What you do not like is returned within thirty days." },
  { title: "Invoices", body: "Every invoice is in your account." },
  { title: "Passwords", body: "A forgotten password is reset by mail." },
  { title: "Jobs", body: "We look for drivers." },
  { title: "Allergens", body: "Our bread has wheat in it." },
];
const LATE = { title: "Shipping", body: "A parcel to Norway takes five days." };

/** Resolves when it holds; the retries of an outage take a second or two. @param {() => Promise<boolean>} condition */
async function when(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 50));
}

let server = await startModelServer(0);
const { baseUrl, port } = server;
const engine = await Engine.open({
  embedders: {
    // With a real server: its model, its key, and the prefixes that the model wants.
    server: {
      languages: ["en"],
      open: (signal) => openOpenAiEmbedder({ baseUrl, model: "stand-in", retries: 0 }, signal),
    },
  },
  logger: ({ level, message }) => console.log(`   (${level}: ${message})`),
});
await engine.createBot({ name: "shop" });
const bot = await engine.bot("shop");

/** @param {string} question */
async function ask(question) {
  console.log(`\n? ${question}`);
  console.log(readable(await bot.search(question, { topK: 1 })));
}

for (const article of ARTICLES) await bot.createArticle(article);
await bot.whenUpgraded();
// No word of it stands in the article.
await ask("refund");

console.log("\n== The model server goes down ==");
await server.stop();
await bot.createArticle(LATE);
await bot.whenSearchable();
// Found by its words: the write waited for nothing.
await ask("how long to Norway?");

console.log("\n== The model server is back ==");
server = await startModelServer(port);
await when(async () => {
  const { vectors, texts } = (await bot.stats()).vectors;
  return vectors === texts;
});
await when(async () => (await bot.stats()).vectors.lastFailure === undefined);
let answers = await bot.search("delivery");
while (answers.length === 0) answers = await bot.search("delivery");
await ask("delivery");

await engine.close();
await server.stop();
