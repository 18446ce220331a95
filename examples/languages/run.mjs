/** A bot with documents in two languages: questions in German find what is written in German, and what is there in English alone. */

import { Engine } from "@loredex/core";
import { checkMultilingual, openMultilingual } from "@loredex/multilingual";
import { readable } from "../shared/answers.mjs";

const DOCUMENTS = [
  {
    resourceDocId: "erstattung",
    md: "# Erstattung\n\nDen Kaufpreis zahlen wir innerhalb von vierzehn Tagen auf das Konto zurück, von dem er kam.\n",
  },
  {
    resourceDocId: "passwoerter",
    md: "# Passwörter\n\nEin neues Passwort vergeben Sie im Kundenbereich unter *Sicherheit*.\n",
  },
  {
    resourceDocId: "warranty",
    md: "# Warranty\n\nWe repair or replace a device that stops working within two years, free of charge.\n",
  },
];

const engine = await Engine.open({
  embedders: { multilingual: { languages: ["*"], open: () => openMultilingual(), check: checkMultilingual } },
});
// "auto": each document tells its language by its text. A bot with documents in German alone has the language "de".
const { bot: created } = await engine.createBot({ name: "laden", language: "auto" });
const bot = await engine.bot(created.id);
for (const { resourceDocId, md } of DOCUMENTS) {
  await bot.importDocument({ resourceDocId, type: "DOCUMENT", content: [{ md }] });
}
await bot.whenUpgraded();
const { missing } = (await bot.stats()).vectors;
if (missing !== undefined) console.log(missing.story);

for (const question of [
  "Passwortänderung", // a part of the word stands there
  "Wie bekomme ich mein Geld wieder?", // none of its words does
  "Mein Gerät ist kaputt, was jetzt?", // what answers it is English
  "asdkjh qwpeoi", // nothing
]) {
  console.log(`\n? ${question}`);
  console.log(readable(await bot.search(question, { topK: 1 })));
}
await engine.close();
