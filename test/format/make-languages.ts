/**
 * Writes a sample of bots of other languages than English: `npx tsx test/format/make-languages.ts NAME`. One has documents of several languages, one
 * is German and has a snapshot, one was English before it became German, and of one nothing but the log is there.
 */

import type { Bot } from "@loredex/core";
import type { Asked } from "./known.ts";
import { writeSample } from "./write-sample.ts";

const TEXTS: Readonly<Record<string, string>> = {
  de: "Rückzahlungen werden innerhalb von vierzehn Tagen auf das Konto überwiesen, von dem bezahlt wurde.",
  en: "Refunded amounts are sent to the card that the order was paid with, usually within a week.",
  ja: "返金は注文のお支払いに使われたカードに一週間以内に行われます。",
  ru: "Возвраты перечисляются на карту, которой был оплачен заказ, в течение недели.",
};
const GERMAN: readonly Asked[] = [
  ["Überweisung einer Rueckzahlung", "de"],
  ["Konto", "de"],
  ["недели", "ru"],
];
const ALL: readonly Asked[] = [...GERMAN, ["refunding", "en"], ["возврат", "ru"], ["返金", "ja"]];

/** A snapshot between the first half and the second. */
async function fill(bot: Bot, { snapshots }: { readonly snapshots: boolean }): Promise<void> {
  const documents = Object.entries(TEXTS);
  for (const [at, [id, md]] of documents.entries()) {
    await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });
    await bot.whenUpgraded();
    if (snapshots && at >= 1 && at < documents.length - 1) await bot.snapshot();
  }
  await bot.createArticle({ title: "Öffnungszeiten", body: "Montags bis freitags, neun bis siebzehn Uhr." });
}

await writeSample(async (engine) => {
  const { key } = await engine.createBot({ name: "full", language: "auto", embedder: "fake" });
  await engine.createBot({ name: "german", language: "de-CH", embedder: "fake" });
  await engine.createBot({ name: "changed", language: "en" });
  await engine.createBot({ name: "short", language: "de" });
  for (const name of ["full", "german", "changed"]) await fill(await engine.bot(name), { snapshots: true });
  await engine.updateBot("changed", { language: "de" });
  await (await engine.bot("changed")).whenUpgraded();
  await fill(await engine.bot("short"), { snapshots: false });
  return { key, bots: { changed: GERMAN, full: ALL, german: GERMAN, short: GERMAN } };
});
