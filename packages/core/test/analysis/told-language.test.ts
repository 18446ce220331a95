import { expect, it } from "vitest";
import { LANGUAGE_READER } from "../../src/analysis/told-language.ts";

const { hasSentences } = await LANGUAGE_READER.teller();

it("tells sentences from lists of names, products and codes by the common words of their language", () => {
  const sentences = [
    ["de", "Siehe Garantie im Handbuch."],
    ["en", "See the warranty in the manual."],
    ["fr", "Les colis arrivent en deux ou trois jours ouvrables."],
    ["hu", "A jelszavát bejelentkezés után a beállításokban módosíthatja."],
    ["tr", "Fatura siparişinizden sonra ek olarak adresinize gönderilir."],
    ["ar", "يمكنك تغيير كلمة المرور في الإعدادات بعد تسجيل الدخول."],
  ] as const;
  for (const [language, text] of sentences) expect([text, hasSentences(text, language)]).toEqual([text, true]);
  const lists = [
    ["de", "Müller, Hans, Berlin; Schäfer, Günther, München; Groß, Jürgen, Köln"],
    ["en", "A. Miller, I. Johnson, Michael Brown, Elizabeth Taylor"],
    ["en", "A0 SKU Price A-1 59.00 IN4001 AT89 IS200 69.00"],
    // A common word in a long list is chance.
    ["en", `Sony Headphones with Microphone ${"Logitech Mouse Graphite ".repeat(8)}`],
  ] as const;
  for (const [language, text] of lists) expect([text, hasSentences(text, language)]).toEqual([text, false]);
});

it("doubts no text in a language without such a list, or whose endings stand in place of common words", () => {
  expect(hasSentences("Vilnius, Kaunas, Klaipėda", "lt")).toBe(true);
  expect(hasSentences("Voit vaihtaa salasanasi asetuksissa kirjauduttuasi sisään.", "fi")).toBe(true);
});
