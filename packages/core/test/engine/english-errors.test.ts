import { expect, it } from "vitest";
import { Engine } from "../../src/engine.ts";

/** What goes wrong in a bot of this language, in the words that its user reads. */
async function problems(language: string): Promise<string[]> {
  const engine = await Engine.open({ embedders: {} });
  await engine.createBot({ name: "shop", language, quotaCharacters: 30 });
  const bot = await engine.bot("shop");
  const tried: (() => Promise<unknown>)[] = [
    () => bot.search(""),
    () => bot.search("Rückgabe", { topK: 0 }),
    () => bot.createArticle({ title: "", body: "Die Rückgabe ist kostenlos." }),
    () => bot.createArticle({ title: "Rückgabe", body: "Die Rückgabe ist vierzehn Tage lang kostenlos." }),
    () => bot.setDocumentStatus("fehlt", "pending"),
    () => bot.importDocument({ resourceDocId: "leer", type: "BUCH" }),
    () => engine.updateBot("shop", { language: "deutsch" }),
  ];
  const messages = [];
  for (const each of tried)
    messages.push(
      await each().then(
        () => "no error",
        (error: unknown) => String(error),
      ),
    );
  await engine.close();
  return messages;
}

it("says what is wrong in English, whatever the language of the bot", async () => {
  const english = await problems("en");
  expect(english.filter((message) => message === "no error")).toHaveLength(0);
  expect(english.join()).toMatch(/characters/);
  expect(await problems("de")).toEqual(english);
  expect(await problems("auto")).toEqual(english);
});
