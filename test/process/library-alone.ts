/** A program with the engine inside, as its users write it: stores a page, has it understood, and asks. Argument: the data directory. */
import { Engine } from "@loredex/core";
import { openMiniLm } from "@loredex/minilm";

const [directory = ""] = process.argv.slice(2);
const engine = await Engine.open({ directory, embedders: { minilm: { languages: ["en"], open: () => openMiniLm() } } });
const { bot: info } = await engine.createBot({ name: "alone" });
const bot = await engine.bot(info.id);
await bot.createArticle({ title: "Refunds", body: "Money comes back within 14 days." });
await bot.whenUpgraded();
const results = await bot.search("reimbursement deadline");
const { vectors } = await bot.stats();
console.log(JSON.stringify({ found: results.length, waiting: vectors.documentsWaiting, embedder: vectors.embedder }));
await engine.close();
