import { describe, expect, it } from "vitest";
import { analyzerOf } from "../../src/analysis/languages.ts";
import type { Bot } from "../../src/bot.ts";
import { Engine } from "../../src/engine.ts";
import { openOn, simulatedDisk } from "../storage/kit.ts";

const TEXTS: Readonly<Record<string, string>> = {
  de: "Rückzahlungen werden innerhalb von vierzehn Tagen auf das Konto überwiesen, von dem bezahlt wurde.",
  en: "Refunded amounts are sent to the card that the order was paid with, usually within a week.",
  fr: "Les remboursements sont versés sur le compte qui a servi au paiement de la commande.",
  ru: "Возвраты перечисляются на карту, которой был оплачен заказ, в течение недели.",
  ja: "返金は注文のお支払いに使われたカードに一週間以内に行われます。",
};

const QUESTIONS: Readonly<Record<string, string>> = {
  de: "Wann kommt die Rückzahlung?",
  en: "When is an order refundable?",
  fr: "Comment demander un remboursement ?",
  ru: "Когда придёт возврат?",
  ja: "返金はいつですか",
};

async function fill(engine: Engine, language: string): Promise<Bot> {
  const { bot: info } = await engine.createBot({ name: "shop", language });
  const bot = await engine.bot(info.id);
  for (const [id, md] of Object.entries(TEXTS))
    await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });
  await bot.whenSearchable();
  return bot;
}

async function answers(bot: Bot): Promise<unknown[]> {
  return Promise.all(Object.values(QUESTIONS).map((question) => bot.search(question)));
}

async function expectFound(bot: Bot): Promise<void> {
  for (const [id, question] of Object.entries(QUESTIONS)) {
    const [best] = await bot.search(question);
    expect([question, best?.resourceDocId]).toEqual([question, id]);
  }
}

describe("a bot whose documents tell their languages", () => {
  it("finds each by a question in its language", async () => {
    const engine = await Engine.open({ embedders: {} });
    const bot = await fill(engine, "auto");
    await expectFound(bot);
    const explained = await bot.explain("Rückzahlung und refunds", "de");
    expect(explained.question.terms.map(({ term }) => term)).toContain("refund");
    // What no document is written in any more is not read.
    for (const id of ["en", "fr", "ru", "ja"]) await bot.removeDocument(id);
    await bot.whenSearchable();
    expect((await bot.search("Rückzahlung?"))[0]?.resourceDocId).toBe("de");
    await engine.close();
  });

  it("answers the same after a start, and after it was given its language later", async () => {
    const disk = simulatedDisk();
    const engine = await Engine.open({ storage: await openOn(disk), embedders: {} });
    const bot = await fill(engine, "auto");
    const before = await answers(bot);
    await bot.snapshot();
    await engine.close();
    const again = await Engine.open({ storage: await openOn(disk), embedders: {} });
    expect(await answers(await again.bot("shop"))).toEqual(before);
    await again.close();
    const changed = await Engine.open({ embedders: {} });
    const other = await fill(changed, "tr");
    await changed.updateBot("shop", { language: "auto" });
    await other.whenUpgraded();
    expect(await answers(other)).toEqual(before);
    await changed.updateBot("shop", { language: "de" });
    await other.whenUpgraded();
    expect((await other.search("Rückzahlung?"))[0]?.resourceDocId).toBe("de");
    await changed.close();
  });

  it("reads what tells no language by plain words", async () => {
    const auto = await analyzerOf("auto");
    expect(auto?.documents?.languageOf("12345 67890")).toBe("multi");
    expect(auto?.documents?.languageOf(TEXTS.fr ?? "")).toBe("fr");
    expect(auto?.documents?.readerOf(["de", "en"])).toBe(auto?.documents?.readerOf(["de", "en"]));
  });
});
