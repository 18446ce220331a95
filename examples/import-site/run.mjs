/** Brings a site into a bot, asks it, and brings it up to date when a page has changed. */

import assert from "node:assert/strict";
import { Engine } from "@loredex/core";
import { importSources, syncSources } from "@loredex/import";
import { readable } from "../shared/answers.mjs";
import { withSite } from "./serve-site.mjs";

await withSite(async ({ url, change }) => {
  const engine = await Engine.open();
  try {
    const { bot: made } = await engine.ensureBot({ name: "shop" });
    const bot = await engine.bot(made.id);
    const ids = await bring(bot, url);
    assert.deepEqual(ids, ["", "orders/returns.html", "orders/shipping.html"]);

    await ask(bot, "how long until I get my money back?", "orders/returns.html");
    await ask(bot, "what does a parcel to Norway cost?", "orders/shipping.html");
    await ask(bot, "can I pay by invoice?", "faq.html#qna-");

    change("/orders/returns.html", "within 14 days", "within 3 days");
    const [synced] = await syncSources(bot);
    const { changed, unchanged, removed, failed } = synced?.report ?? {};
    console.log(`\nafter a page has changed: ${changed} changed, ${unchanged} unchanged, ${removed} removed`);
    assert.deepEqual({ changed, unchanged, removed, failed }, { changed: 1, unchanged: 4, removed: 0, failed: 0 });
    await ask(bot, "how long until I get my money back?", "orders/returns.html");
  } finally {
    await engine.close();
  }
});

/**
 * @param {import("@loredex/core").Bot} bot
 * @param {string} url
 * @returns {Promise<string[]>} the addresses of the pages, without those of questions
 */
async function bring(bot, url) {
  // The site is ours, on this machine: it need not be spared.
  const report = await importSources(bot, [url], { follow: 2, source: "site", requestsPerSecond: 1_000 });
  await bot.whenSearchable();
  console.log(`${report.added} documents from ${url}`);
  for (const note of report.notes) console.log(note);
  assert.equal(report.failed, 0, report.problems[0]?.message);
  assert.ok(report.notes.some((note) => note.includes("draft.html: it asks programs not to keep it")));
  const owned = await bot.ownedDocuments(["site"]);
  return owned.flatMap(({ id }) => (id.includes("#qna-") ? [] : [id.replace(url, "")])).sort();
}

/**
 * @param {import("@loredex/core").Bot} bot
 * @param {string} question
 * @param {string} where what the address of the best answer has in it
 */
async function ask(bot, question, where) {
  const answers = await bot.search(question, { topK: 1 });
  console.log(`\n? ${question}\n${readable(answers)}`);
  assert.ok(answers[0]?.resourceDocId.includes(where), `${question}: not answered by ${where}`);
}
