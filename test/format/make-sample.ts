/**
 * Writes a sample of the format as it is now: `npx tsx test/format/make-sample.ts NAME`. Samples of released formats are
 * never written again: they have to open forever.
 */

import type { Bot } from "@loredex/core";
import { writeSample } from "./write-sample.ts";

/** Two snapshots with a log behind them, and everything that can be in either. */
async function fill(bot: Bot): Promise<void> {
  await bot.setVocabulary({ synonyms: ["money, cash"], pins: [{ question: "ask * pin", document: "page1" }] });
  await bot.putAgent("ann", true);
  await bot.putAgent("bob", false);
  await bot.putChannel("web", true);
  for (let round = 1; round <= 3; round += 1) {
    const { article } = await bot.createArticle({
      title: `Refunds ${round} €😀`,
      body: `# Refunds\n\nMoney comes back within ${round} days.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n`,
      metadata: { round, isNew: true, team: "billing" },
      source: `https://example.org/${round}`,
      activeOn: [{ agent: "ann", channel: "web" }, { channel: "mail" }],
    });
    await bot
      .createArticle({ title: `Gone ${round}`, body: "It is deleted." })
      .then(({ article: gone }) => bot.deleteArticle(gone.id));
    if (round === 2) await bot.updateArticle(article.id, { metadata: { team: "support" }, source: null });
    if (round === 3) await bot.updateArticle(article.id, { body: "Shorter." });
    await bot.importDocument(
      {
        resourceDocId: `page${round}`,
        type: "WEBPAGE",
        url: "https://example.org/",
        metaData: { deep: { list: [1, "two"] } },
        content: [{ md: "Parcels leave at noon." }, { md: "- one\n- two" }],
      },
      { source: "file:pages" },
    );
    await fillSources(bot, round);
    await bot.importDocument({
      resourceDocId: "why",
      type: "QNA",
      question: `Why ${round}?`,
      answer: "So.",
      alternatives: ["How come?"],
    });
    await bot.setDocumentStatus("why", "pending");
    await bot.whenUpgraded();
    if (round < 3) await bot.snapshot();
  }
  await bot.removeDocument("page2");
  await bot.removeAgent("bob");
  const { synonyms, ...others } = await bot.getVocabulary();
  await bot.setVocabulary({ ...others, synonyms: [...synonyms, "noon => midday, twelve"], ignored: ["please"] });
}

/** Sources that are taken over, moved, emptied and gone. */
async function fillSources(bot: Bot, round: number): Promise<void> {
  const file = { resourceDocId: `file:docs/${round}.md`, type: "DOCUMENT", content: [{ md: `File ${round}.` }] };
  const place = { name: "docs", kind: "folder", path: "/srv/old/docs", ids: "file:docs/" } as const;
  const [named, page] = [
    { ...place, path: `/tmp/${round}`, ids: "file:kb/" },
    { ...file, resourceDocId: "file:kb/a.md" },
  ];
  await bot.putSourceArgument("kb", named);
  await bot.importDocument(page, { source: { source: "kb", argument: "docs", path: `${round}.md` } });
  if (round === 1) await bot.importDocument({ ...file, resourceDocId: "file:docs/2.md" }, { source: "file:docs" });
  if (round === 2) await bot.putSourceArgument("/srv/old/docs", place, { takesOver: "file:docs" });
  const source = round === 3 ? "/srv/new/docs" : "/srv/old/docs";
  if (round === 3) await bot.moveSource("/srv/old/docs", source, { ...place, path: source });
  await bot.importDocument(file, { source: { source, argument: "docs", path: `${round}.md` } });
  await bot.putSourceArgument(source, { ...place, path: source }, { imported: true });
  await bot.importDocument({ ...file, resourceDocId: `gone${round}` }, { source: `gone ${round}` });
  if (round !== 2) await bot.removeSource(`gone ${round}`);
}

await writeSample(async (engine) => {
  const { key } = await engine.createBot({
    name: "full",
    quotaCharacters: 10_000,
    rateCharactersPerMinute: 5_000,
    language: "multi",
    embedder: "fake",
  });
  await engine.createBot({ name: "short" });
  await engine.createBot({ name: "removed" });
  await engine.removeBot("removed");
  await fill(await engine.bot("full"));
  await (await engine.bot("short")).createArticle({ title: "Only in the log", body: "No snapshot has it." });
  return { key, bots: { full: [], short: [] } };
});
