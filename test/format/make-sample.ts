/**
 * Writes a sample of the format as it is now: `npx tsx test/format/make-sample.ts NAME`. Samples of released formats are
 * never written again: they have to open forever.
 */

import { type Bot, type Engine, evaluate } from "@loredex/core";
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

/** What users asked and what was measured: once for a snapshot, and once for the log behind it. */
async function ask(engine: Engine, round: number): Promise<void> {
  const [bot, insights] = [await engine.bot("full"), await engine.insights("full")];
  await bot.createArticle({ title: `Never found ${round}`, body: "Nobody asks for it." });
  await bot.importDocument({ resourceDocId: `asked${round}`, type: "DOCUMENT", content: [{ md: `Ferry ${round}.` }] });
  await bot.whenSearchable();
  await bot.search(`ferry ${round} of jo@example.com`, { requestId: `ferry${round}` });
  await bot.search(`zeppelin ${round}`, { requestId: `zeppelin${round}` });
  await insights.feedback({ requestId: `ferry${round}`, helpful: true, resourceDocId: `asked${round}` });
  await insights.feedback({ requestId: `zeppelin${round}`, helpful: false, comment: "No zeppelin." });
  const golden = [
    { question: `ferry ${round}`, id: `asked${round}` },
    { question: "dirigible", id: `asked${round}` },
  ];
  await insights.setGolden(golden);
  await insights.addRun({ ...(await evaluate(bot, golden)), quality: "best", vocabulary: round === 1 });
}

const ADDRESS = "192.0.2.1";

/** Who administers: once for a snapshot, and once for the log behind it. Resolves with the keys in force, and the token of a session. */
async function administer({ administration }: Engine, round: number): Promise<{ keys: string[]; token: string }> {
  const keys = [await administration.addKey(`ops${round}`)];
  keys.push(await administration.addKey(`reader${round}`, { scope: "read", bots: ["full"] }));
  await administration.addKey(`gone${round}`);
  await administration.revokeKey(`gone${round}`);
  await administration.addKey(`rotated${round}`);
  keys.push(await administration.rotateKey(`rotated${round}`));
  const { token } = await administration.openSession(`ops${round}`);
  await administration.closeSession((await administration.openSession(`reader${round}`)).token);
  await administration.noteChange({ by: `ops${round}`, action: "article deleted", bot: "full", target: `a${round}` });
  await administration.noteChange({ by: "command line", action: "bot created" });
  for (let failures = 0; failures < 5; failures++) await administration.signIn(ADDRESS, async () => undefined);
  return { keys, token };
}

await writeSample(async (engine) => {
  const { key } = await engine.createBot({
    name: "full",
    quotaCharacters: 10_000,
    rateCharactersPerMinute: 5_000,
    language: "multi",
    embedder: "fake",
    questionLog: true,
    questionLogDays: 7,
    gapScore: 0.4,
  });
  await engine.createBot({ name: "short" });
  await engine.createBot({ name: "removed" });
  await engine.removeBot("removed");
  await ask(engine, 0);
  await (await engine.insights("full")).clear();
  const { keys, token } = await administer(engine, 1);
  await ask(engine, 1);
  // Writes snapshots of all.
  await engine.purge("full");
  await fill(await engine.bot("full"));
  const later = await administer(engine, 2);
  await ask(engine, 2);
  await (await engine.bot("short")).createArticle({ title: "Only in the log", body: "No snapshot has it." });
  const administered = { keys: [...keys, ...later.keys], token, address: ADDRESS };
  return { key, bots: { full: [], short: [] }, administered };
});
