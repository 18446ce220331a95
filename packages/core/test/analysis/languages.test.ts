import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { analyzerOf } from "../../src/analysis/languages.ts";
import { spelledAlike } from "../../src/analysis/within-words.ts";
import { LANGUAGES, languageOf, tagOf } from "../../src/model/language-tags.ts";
import { stringOf } from "../../src/platform/text-units.ts";
import { WordTable } from "../../src/platform/word-table.ts";

async function terms(language: string, text: string): Promise<string[]> {
  return (await analyzerOf(language))?.terms(text) ?? [];
}

describe("an analyzer", () => {
  it.each([
    ["de", "Rücksendungen ruecksendung RÜCKSENDUNG", ["rucksend", "rucksend", "rucksend"]],
    ["de", "Straße Strasse STRASSE", ["strass", "strass", "strass"]],
    ["de", "Häuser haeuser Haus", ["haus", "haus", "haus"]],
    ["de", "Karl's neue Quelle", ["karl", "neu", "quell"]],
    ["fr", "l’article qu'est-ce aujourd'hui", ["articl", "est", "ce", "aujourdhui"]],
    ["it", "dell'ordine", ["ordin"]],
    ["es", "devoluciones devolucion", ["devolu", "devolucion"]],
    ["tr", "İADE iade Şifre sifre ISPARTA ısparta", ["ia", "ia", "sifre", "sifre", "ispar", "ispar"]],
    ["tr", "İstanbul'da İstanbul", ["istanbul", "istanbul"]],
    ["ru", "пароля пароль ПАРОЛИ счёт счет", ["парол", "парол", "парол", "счет", "счет"]],
    ["uk", "пам’ять пам'ять", ["пам", "пам"]],
    ["el", "ΚΩΔΙΚΟΣ κωδικός κωδικοί", ["κωδ", "κωδ", "κωδ"]],
    ["el", "τεχνική τεχνικού τεχνικών", ["τεχν", "τεχν", "τεχν"]],
    ["el", "παραγγελία παραγγελίας", ["παραγγελ", "παραγγελ"]],
    ["ar", "الكتاب كِتَاب كتـــاب ١٢٣", ["كتاب", "كتاب", "كتاب", "123"]],
    ["ar", "إلغاء الغاء الإلغاء الالغاء والإلغاء بالإلغاء", Array(6).fill("غاء")],
    ["ar", "حسابى حسابي حسابی والحساب", Array(4).fill("حساب")],
    ["ar", "مدرسة مدرسه المدرسة", Array(3).fill("مدرس")],
    ["ug", "ئى ئې ھەم ئی ہەم", ["ئى", "ئې", "ھەم", "ئى", "ھەم"]],
    ["fr", "nœud noeud", ["noeud", "noeud"]],
    ["si", "පදය පාදය", ["පදය", "පාදය"]],
    ["jv", "ꦲꦤ ꦲꦶꦤ", ["ꦲꦤ", "ꦲꦶꦤ"]],
    ["ml", "അവൻ അവന്\u200d", ["അവന്", "അവന്"]],
    ["he", "שָׁלוֹם שלום", ["לומ", "לומ"]],
    ["he", "הסיסמאות סיסמאות וכשהסיסמה", ["סיסמא", "סיסמא", "סיסמ"]],
    ["fa", "می‌خواهم می خواهم كتاب کتاب", ["می", "خواهم", "می", "خواهم", "کتاب", "کتاب"]],
    ["hi", "लड़की लड़कियों पासवर्ड", ["लडक", "लडक", "पासवर्ड"]],
    ["ro", "șase şase", ["sas", "sas"]],
    ["sr", "лозинка lozinka", ["lozink", "lozink"]],
    ["pl", "Łódź lodz", ["lodz", "lodz"]],
    ["pl", "płatność płatności płatnościami", ["platnosc", "platnosc", "platnosc"]],
    ["cs", "heslo hesla heslem heslech", ["hesl", "hesl", "hesl", "hesl"]],
    ["sk", "účet účtu účtov", ["ucet", "uct", "uct"]],
    ["sl", "račun računa računom", ["racun", "racun", "racun"]],
    ["lv", "parole paroles parolēm", ["parol", "parol", "parol"]],
    ["eu", "pasahitza pasahitzaren pasahitzarekin", ["pasahitz", "pasahitz", "pasahitz"]],
    ["et", "parool parooli parooliga", ["parool", "parool", "parool"]],
    ["bg", "парола паролата пароли", ["парол", "парол", "парол"]],
    ["be", "пароль пароля паролем", ["парол", "парол", "парол"]],
    ["sv", "lösenorden lösenord", ["lösenord", "lösenord"]],
    ["vi", "mật khẩu cho", ["mật", "mat", "khẩu", "khau", "cho"]],
    ["zh", "退货政策", ["退", "退货", "货", "货政", "政", "政策", "策"]],
    ["ja", "React入門を読む", ["react", "入", "入門", "門", "門を", "を", "読", "読む", "む"]],
    ["ko", "비밀번호를", ["비", "비밀", "밀", "밀번", "번", "번호", "호", "호를", "를"]],
    ["th", "รหัสผ่าน", ["ร", "รหั", "หั", "หัส", "ส", "สผ่", "ผ่", "ผ่า", "า", "าน", "น"]],
    ["multi", "Passwörter 退货", ["passwörter", "退", "退货", "货"]],
  ])("of %s turns %j into %j", async (language, text, expected) => {
    expect(await terms(language, text)).toEqual(expected);
  });

  it.each([
    ["de", "wie", "passwort"],
    ["fr", "comment", "commande"],
    ["ru", "как", "пароль"],
    ["ja", "を", "入門"],
    ["fr", "comment", "commenter"],
    ["es", "cómo", "comer"],
    ["es", "quien", "comida"],
    ["ar", "كم", "كمية"],
    ["ar", "كيف", "كيفية"],
    ["th", "ไ", "ทำงาน"],
  ])("of %s has %s weigh less in a question than %s", async (language, light, heavy) => {
    const analyzer = await analyzerOf(language);
    const shares = [light, heavy].map((word) => analyzer?.shareInQuestion(analyzer.terms(word).at(-1) ?? ""));
    expect(shares[0]).toBeLessThan(1);
    const whole = analyzer?.terms(heavy).some((term) => analyzer.shareInQuestion(term) === 1);
    expect(whole).toBe(true);
  });

  it.each([
    ["ja", "字", 199_999],
    ["th", "ก", 199_999],
    ["de", "ü", 1],
    ["auto", "ü", 1],
  ])("of %s takes 100,000 letters without a space: %s", async (language, letter, count) => {
    expect(await terms(language, letter.repeat(100_000))).toHaveLength(count);
  });

  it("has a term for every text with a letter or a digit, in every language", async () => {
    const all = await Promise.all(LANGUAGES.map(async (language) => ({ language, of: await analyzerOf(language) })));
    const letters = fc
      .stringMatching(/^[\p{L}\p{N}\p{M}'’ ]*[\p{L}\p{N}][\p{L}\p{N}\p{M}'’ ]*$/u)
      // Some letters of Arabic are marks of their own, which are none in this form, and some letters are apostrophes.
      .filter((text) => /[\p{L}\p{N}]/u.test(spelledAlike(text).normalize("NFKC")));
    fc.assert(
      fc.property(fc.constantFrom(...all), letters, ({ of }, text) => {
        const found = of?.terms(text) ?? [];
        expect(found.length).toBeGreaterThan(0);
        expect(found.every((term) => term !== "" && !/\s/u.test(term))).toBe(true);
        for (const term of found) expect(of?.shareInQuestion(term)).toBeGreaterThan(0);
      }),
      { numRuns: lawRuns(2_000) },
    );
  });
});

describe("words that are remembered", () => {
  it("are none of scripts without spaces, whose runs hardly come again", async () => {
    const analyzer = await analyzerOf("multi");
    const remembered: string[] = [];
    const remember = vi.spyOn(WordTable.prototype, "remember").mockImplementation((units, start, end) => {
      remembered.push(stringOf(units, start, end));
      return -1;
    });
    onTestFinished(() => remember.mockRestore());
    analyzer?.terms("从没见过的一句话 비밀번호를 ไม่เคยเห็น neverseen");
    expect(remembered).toEqual(["neverseen"]);
  });
});

describe("Hebrew", () => {
  it("has a word with whatever stands before it, and without", async () => {
    const hebrew = await analyzerOf("he");
    const letter = fc.constantFrom(..."אבגדהוזחטיכלמנסעפצקרשתםןךףץ");
    const word = fc.array(letter, { minLength: 3, maxLength: 9 }).map((letters) => letters.join(""));
    const prefix = fc.array(fc.constantFrom(..."והבכלמש"), { maxLength: 4 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(word, prefix, (bare, before) => {
        expect(hebrew?.terms(before + bare)).toEqual(hebrew?.terms(bare));
      }),
    );
  });
});

describe("Vietnamese", () => {
  it("is found without its accents, and better with them", async () => {
    const vietnamese = await analyzerOf("vi");
    const [written, typed] = [vietnamese?.terms("đổi mật khẩu"), vietnamese?.terms("doi mat khau")];
    expect(written).toEqual(expect.arrayContaining(typed ?? ["none"]));
    expect(written?.length).toBe(6);
  });
});

describe("a language", () => {
  it.each([
    ["de", "de"],
    ["de-CH", "de"],
    ["DE", "de"],
    ["zh-Hant-TW", "zh"],
    ["nb-NO", "no"],
    ["fil", "tl"],
    ["iw", "he"],
    ["multi", "multi"],
    ["auto", "auto"],
  ])("is named by the tag %s: %s", (tag, language) => {
    expect(languageOf(tag)).toBe(language);
  });

  it.each(["xx", "klingon", "tlh", "", "de_CH", "toString", "de-"])("is not named by %j", (tag) => {
    expect(languageOf(tag)).toBeUndefined();
    expect(analyzerOf(tag)).toBeUndefined();
  });

  it("is one of 93, or a mixture", () => {
    expect(LANGUAGES).toHaveLength(95);
    for (const language of LANGUAGES) expect(languageOf(language)).toBe(language);
    expect(["DE", "de-ch", "ZH-hant"].map(tagOf)).toEqual(["de", "de-CH", "zh-Hant"]);
  });
});
