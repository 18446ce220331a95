import { type Bot, Engine } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { FakeEmbedder } from "../../core/test/support/fake-embedder.ts";
import { checkEmbedders } from "../src/doctor/parts.ts";
import { multilingualOffer } from "../src/multilingual-offer.ts";

const STORY =
  "Passages are found by words alone, not by the embedder multilingual: @loredex/multilingual is not installed. To mend it: npm i @loredex/multilingual (where loredex was installed with -g: npm i -g @loredex/multilingual)";

const notFound = (name: string): Error =>
  Object.assign(new Error(`Cannot find package '${name}' imported from here`), { code: "ERR_MODULE_NOT_FOUND" });
const absent = multilingualOffer(async () => {
  throw notFound("@loredex/multilingual");
});
const present = multilingualOffer(async () => ({
  openMultilingual: async () => new FakeEmbedder(),
  checkMultilingual: async () => undefined,
}));

describe("the embedder of all languages", () => {
  it("is that of every bot whose language no other offer names", async () => {
    const english = { languages: ["en"], open: async () => new FakeEmbedder() };
    const engine = await Engine.open({ embedders: { multilingual: present, english } });
    const embedderOf = async (language: string) => (await engine.createBot({ name: language, language })).bot.embedder;
    expect([await embedderOf("en"), await embedderOf("multi")]).toEqual(["english", "multilingual"]);
    await engine.close();
  });

  it("leaves a bot to its words where its package is not installed, and says which line brings it, once", async () => {
    const told: unknown[] = [];
    const engine = await Engine.open({
      embedders: { multilingual: absent },
      logger: (event) => void told.push(event),
    });
    const { bot: info } = await engine.createBot({ name: "b", language: "multi" });
    const bot = await engine.bot(info.id);
    await bot.createArticle({ title: "Geld", body: "Ich möchte mein Geld zurück." });
    expect((await bot.whenUpgraded()).missing?.story).toBe(STORY);
    await bot.createArticle({ title: "Passwort", body: "Ein neues Passwort." });
    await bot.whenUpgraded();
    expect(await bot.search("Passwort")).toHaveLength(1);
    expect(told.filter((event) => JSON.stringify(event).includes("embedderUnavailable"))).toHaveLength(1);
    await engine.close();
  });

  it.each([
    ["somebody waits for its vectors", async (bot: Bot) => expect((await bot.whenUpgraded()).complete).toBe(true)],
    ["somebody asks what is missing", async (bot: Bot) => void (await bot.stats())],
  ])("is taken up by a running engine once it is installed and %s", async (_, asks) => {
    let isInstalled = false;
    const offer = multilingualOffer(async () => {
      if (!isInstalled) throw notFound("@loredex/multilingual");
      return { openMultilingual: async () => new FakeEmbedder(), checkMultilingual: async () => undefined };
    });
    const engine = await Engine.open({ embedders: { multilingual: offer } });
    const { bot: info } = await engine.createBot({ name: "b", language: "multi" });
    const bot = await engine.bot(info.id);
    await bot.createArticle({ title: "Geld", body: "Ich möchte mein Geld zurück." });
    // Each try that fails is followed by a longer pause: the next one would be due in half a minute.
    for (let i = 0; i < 7; i++) expect((await bot.whenUpgraded()).missing?.story).toBe(STORY);
    isInstalled = true;
    await asks(bot);
    await expect.poll(async () => (await bot.stats()).vectors.missing).toBeUndefined();
    expect(await bot.whenUpgraded()).toEqual({ complete: true, documentsGivenUp: 0 });
    await engine.close();
  });

  it("is not called missing where its package lacks something else", async () => {
    const broken = multilingualOffer(async () => {
      throw notFound("@loredex/encoder");
    });
    await expect(broken.check()).rejects.toThrow("'@loredex/encoder'");
  });

  it("is a note for the doctor where it is not installed, and no failure", async () => {
    const checks = await checkEmbedders({ multilingual: absent }, {});
    const message = expect.stringMatching(/^Bots of other languages .* is not installed\. To mend it: npm i /);
    expect(checks).toMatchObject([{ name: "embedder multilingual", state: "note", message }]);
  });
});
