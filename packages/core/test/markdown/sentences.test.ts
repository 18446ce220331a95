import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { windowsOf } from "../../src/index/embedding-windows.ts";
import { cutIntoSentences, type Stretch } from "../../src/markdown/sentences.ts";
import { moreThanLinear } from "../support/linear-time.ts";

const SPACES = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
/** What the end of a sentence is, said in one expression: fit for short texts only, since it takes quadratic time on a run of marks. */
const SENTENCE_END = new RegExp(
  String.raw`(?:[.!?…\u037e؟۔։]|;(?<=\p{Script=Greek};))+["'”’»)\]]*(?=${SPACES})|[。．！？｡।॥။።፧፨។៕]+["”’」』）】》〉»)]*`,
  "gu",
);
const FIRST_SPACES = new RegExp(`^${SPACES}+`);
const LAST_SPACES = new RegExp(`${SPACES}+$`);
const BEFORE_SPACE = new RegExp(`^.+(?=${SPACES})`, "s");
const AFTER_COMMA = /^..*[、，；：､]/s;

/** So much of a word is taken that no letter is divided, nor loses its marks where it can keep them. */
function unbroken(word: string, unitsMax: number): number {
  let units = unitsMax;
  for (let i = 0; i < 30 && units > 1 && /^[\p{M}\u200c\u200d]/u.test(word.charAt(units)); i++) units--;
  if (/^[\p{M}\u200c\u200d]/u.test(word.charAt(units))) units = unitsMax;
  return /[\ud800-\udbff]/.test(word.charAt(units - 1)) && units > 1 ? units - 1 : units;
}

/** The same cut, from all ends at once. */
function plainCut(text: string, charactersMax: number): Stretch[] {
  const fragments: Stretch[] = [];
  const add = (from: number, to: number): void => {
    const inner = text.slice(from, to).replace(FIRST_SPACES, "");
    const start = to - inner.length;
    const end = start + inner.replace(LAST_SPACES, "").length;
    if (start < end) fragments.push({ start, end });
  };
  const ends = [...text.matchAll(SENTENCE_END)].map((match) => match.index + match[0].length);
  let start = 0;
  let whole = 0;
  for (const end of [...ends, text.length]) {
    if (end - start > charactersMax && whole > start) {
      add(start, whole);
      start = whole;
    }
    while (end - start > charactersMax) {
      const window = text.slice(start, start + charactersMax + 1);
      const ends = [BEFORE_SPACE, AFTER_COMMA].map(
        (end) => end.exec(window.slice(0, charactersMax + (end === BEFORE_SPACE ? 1 : 0)))?.[0].length ?? 0,
      );
      const cut = start + (Math.max(...ends) || unbroken(text.slice(start), charactersMax));
      add(start, cut);
      start = cut;
    }
    whole = end;
    if (end - start >= charactersMax / 2) {
      add(start, end);
      start = end;
    }
  }
  add(start, text.length);
  return fragments;
}

const unit = fc.constantFrom(
  ..."abλ;．\u0085 .!?…\"'”’)]。！？｡」』）؟۔।។，»\u0301\t\u00a0\u2003\u3000\u2028\ufeff",
  "\u{1f600}",
  "\ud83d",
  "word ",
  "end. ",
);
const RUNS = [" ", ".", "”", "。", "」", ".!?", ". ", "。 ", '."', ". . .\t", "word", "word ", "\u{1f600}"];
const text = fc.string({ unit, maxLength: 80 });

describe("the sentences of a text", () => {
  it("are what the marks and the white space after them say", () => {
    fc.assert(
      fc.property(text, text, text, fc.integer({ min: 1, max: 30 }), (before, inner, after, charactersMax) => {
        const all = before + inner + after;
        const end = before.length + inner.length;
        const found = [...cutIntoSentences(all, before.length, end, charactersMax)];
        expect(
          found.map((fragment) => ({ start: fragment.start - before.length, end: fragment.end - before.length })),
        ).toEqual(plainCut(inner, charactersMax));
      }),
      { numRuns: lawRuns(5_000) },
    );
  });

  it("are cut when they are asked for", () => {
    const fragments = cutIntoSentences("One word. ".repeat(1_000), 0, 10_000, 20);
    expect(fragments.next().value).toEqual({ start: 0, end: 19 });
    expect(fragments.next().value).toEqual({ start: 20, end: 29 });
  });

  it.each(RUNS)("take twice the work for twice as many of %j", async (run) => {
    const work = (n: number) => {
      const line = `word ${run.repeat(n)}x`;
      return (): void => {
        for (const _ of cutIntoSentences(line, 0, line.length, 600));
        windowsOf([line]);
      };
    };
    expect(await moreThanLinear(work, 1_000, 64_000)).toBeUndefined();
  });

  it.each([
    ["Japanese", "パスワードは設定画面で変更できます。", "返品は三十日以内にお願いします。"],
    ["Chinese", "您可以在设置中更改密码。", "退货须在三十天内办理！"],
    ["Hindi", "आप सेटिंग में पासवर्ड बदल सकते हैं।", "वापसी तीस दिनों में करें।"],
    ["Arabic", "هل تريد تغيير كلمة المرور؟", "أعد المنتج خلال ثلاثين يوما."],
    ["Urdu", "آپ پاس ورڈ بدل سکتے ہیں۔", "تیس دن میں واپس کریں۔"],
    ["Amharic", "የይለፍ ቃል መቀየር ይችላሉ።", "በሠላሳ ቀን ውስጥ ይመልሱ።"],
    ["Burmese", "စကားဝှက်ကို ပြောင်းနိုင်သည်။", "ရက်သုံးဆယ်အတွင်း ပြန်ပို့ပါ။"],
    ["Khmer", "អ្នកអាចប្តូរពាក្យសម្ងាត់។", "សូមប្រគល់មកវិញក្នុងសាមសិបថ្ងៃ។"],
    ["Armenian", "Կարող եք փոխել գաղտնաբառը։", "Վերադարձրեք երեսուն օրվա ընթացքում։"],
    ["Greek", "Πώς αλλάζω τον κωδικό\u037e", "Επιστρέψτε το σε τριάντα ημέρες."],
    ["Greek as it is typed", "Πώς αλλάζω τον κωδικό;", "Επιστρέψτε το σε τριάντα ημέρες."],
    ["Japanese in wide letters", "返品は三十日以内です．", "設定画面で変更できます．"],
    ["French", "Il a dit «non.»", "Renvoyez-le en trente jours."],
  ])("end where those of %s do", (_, first, second) => {
    const text = `${first} ${second}`;
    const longer = Math.max(first.length, second.length) + 1;
    const found = [...cutIntoSentences(text, 0, text.length, longer)].map(({ start, end }) => text.slice(start, end));
    expect(found).toEqual([first, second]);
  });

  it("keep a letter with its marks where a word is too long", () => {
    const text = "หั".repeat(20);
    for (const { start } of cutIntoSentences(text, 0, text.length, 5)) expect(text.charAt(start)).toBe("ห");
  });
});
