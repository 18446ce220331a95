import { type Bot, Engine } from "@loredex/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MORE_TYPED, TEXTS, TYPED, WRITTEN_OTHERWISE } from "./languages-text.ts";

let engine: Engine | undefined;
let all: Bot;

beforeAll(async () => {
  engine = await Engine.open({ embedders: {} });
  all = await botOf("all", "auto", ALL);
});

afterAll(async () => {
  await engine?.close();
});

async function botOf(name: string, language: string, texts: Readonly<Record<string, string>>): Promise<Bot> {
  if (engine === undefined) throw new Error("no engine");
  const { bot: info } = await engine.createBot({ name, language });
  const bot = await engine.bot(info.id);
  for (const [id, md] of Object.entries(texts)) {
    await bot.importDocument({ resourceDocId: id, type: "DOCUMENT", content: [{ md }] });
  }
  await bot.whenSearchable();
  return bot;
}

async function found(bot: Bot, query: string): Promise<(string | undefined)[]> {
  return (await bot.search(query, { topK: 100 })).map(({ resourceDocId }) => resourceDocId);
}

function byName(language: string, texts: readonly string[]): [string, string][] {
  return texts.map((text, i) => [`${language} ${i}`, text]);
}

const ALL = Object.fromEntries([
  ...Object.entries(TEXTS).flatMap(([language, texts]) => byName(language, texts)),
  ...Object.entries(WRITTEN_OTHERWISE).flatMap(([language, texts]) => byName(`other ${language}`, texts)),
]);

describe("a bot of documents in many languages", () => {
  it("finds each of them by every word that it holds, as it stands there", async () => {
    let asked = 0;
    const missed: string[] = [];
    for (const [id, text] of Object.entries(ALL)) {
      for (const word of text.split(/\s+/)) {
        if (!/[\p{L}\p{N}]/u.test(word)) continue;
        asked += 1;
        if (!(await found(all, word)).includes(id)) missed.push(`${word} (${id})`);
      }
    }
    expect(missed).toEqual([]);
    expect(asked).toBeGreaterThan(350);
  });

  it("finds by mistyped and unfinished words, and parts of words, what a bot of one language finds", async () => {
    const pairs = [...Object.entries(TYPED), ...Object.entries(MORE_TYPED)];
    for (const [language, typed] of pairs) {
      const own = await botOf(
        `only ${language} ${typed.length}`,
        language,
        Object.fromEntries(byName(language, TEXTS[language] ?? [])),
      );
      for (const word of typed.flat()) {
        const ofOne = await found(own, word);
        const ofAll = await found(all, word);
        expect([word, ofOne.filter((id) => !ofAll.includes(id))]).toEqual([word, []]);
        expect([word, ofOne.length > 0]).toEqual([word, true]);
      }
    }
  });

  it.each(["da", "en", "nl", "sv", "fi", "vi", "fa"])(
    "finds German words that are mistyped or written together where another document is in another language (%s)",
    async (language) => {
      const german = {
        number: "Die Kundennummer steht auf jeder Rechnung, die wir Ihnen nach der Bestellung zusenden.",
        parts: "Jeder Kunde hat bei uns eine Nummer, die er bei Anfragen immer angeben sollte.",
        fees: "Für Überweisungen ins Ausland berechnet die Bank ihren Kunden keine weiteren Gebühren.",
      };
      const bot = await botOf(`German and ${language}`, "auto", { ...german, other: OTHERS[language] ?? "" });
      expect(await found(bot, "Gebüren")).toContain("fees");
      expect(await found(bot, "Rechnug")).toContain("number");
      expect(await found(bot, "Überweisungsgebühren")).toContain("fees");
      expect(await found(bot, "Nummer")).toEqual(expect.arrayContaining(["parts", "number"]));
    },
  );
});

const OTHERS: Readonly<Record<string, string>> = {
  da: "Du kan ændre din adgangskode på siden med indstillinger, når du er logget ind på din konto.",
  en: "You can change your password on the settings page after you have signed in to your account.",
  nl: "U kunt uw wachtwoord wijzigen op de pagina met instellingen nadat u bent ingelogd op uw account.",
  sv: "Du kan ändra ditt lösenord på sidan med inställningar när du har loggat in på ditt konto.",
  fi: "Voit vaihtaa salasanasi asetusten sivulla, kun olet kirjautunut sisään omalle tilillesi.",
  vi: "Bạn có thể đổi mật khẩu trong trang cài đặt sau khi đăng nhập vào tài khoản của mình.",
  fa: "شما می‌توانید گذرواژه خود را در صفحهٔ تنظیمات عوض کنید و گزینه‌ها را ببینید.",
};
