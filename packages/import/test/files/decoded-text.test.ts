import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeText } from "../../src/files/decoded-text.ts";

/** Bytes as other programs wrote them, in base64: no encoder of them comes with Node.js. */
const WRITTEN: readonly (readonly [encoding: string, text: string, base64: string])[] = [
  [
    "windows-1252",
    "Schöne Grüße aus Köln.\nDie Öffnungszeiten: täglich von neun bis fünf, außer sonntags.\n",
    "U2No9m5lIEdy/N9lIGF1cyBL9mxuLgpEaWUg1mZmbnVuZ3N6ZWl0ZW46IHTkZ2xpY2ggdm9uIG5ldW4gYmlzIGb8bmYsIGF132VyIHNvbm50YWdzLgo=",
  ],
  [
    "windows-1252",
    "Où est l’hôtel ? Le café coûte 3 € et les élèves sont déjà arrivés à l’école.\n",
    "T/kgZXN0IGySaPR0ZWwgPyBMZSBjYWbpIGNv+3RlIDMggCBldCBsZXMg6WzodmVzIHNvbnQgZOlq4CBhcnJpdulzIOAgbJLpY29sZS4K",
  ],
  [
    "windows-1252",
    "Para más información llame al número de teléfono; mañana también está abierto el baño del niño.\n",
    "UGFyYSBt4XMgaW5mb3JtYWNp824gbGxhbWUgYWwgbvptZXJvIGRlIHRlbOlmb25vOyBtYfFhbmEgdGFtYmnpbiBlc3ThIGFiaWVydG8gZWwgYmHxbyBkZWwgbmnxby4K",
  ],
  [
    "windows-1250",
    "Zażółć gęślą jaźń. Proszę przesłać reklamację w ciągu trzydziestu dni, żeby otrzymać zwrot pieniędzy.\n",
    "WmG/87PmIGfqnGy5IGphn/EuIFByb3N66iBwcnplc7Nh5iByZWtsYW1hY2rqIHcgY2m5Z3UgdHJ6eWR6aWVzdHUgZG5pLCC/ZWJ5IG90cnp5bWHmIHp3cm90IHBpZW5p6mR6eS4K",
  ],
  [
    "windows-1251",
    "Вы можете вернуть товар в течение тридцати дней. Мы вернём деньги на карту.\n",
    "wvsg7O7m5fLlIOLl8O3z8vwg8u7i4PAg4iDy5ffl7ejlIPLw6OT24PLoIOTt5ekuIMz7IOLl8O247CDk5e384+gg7eAg6uDw8vMuCg==",
  ],
  [
    "koi8-r",
    "Вы можете вернуть товар в течение тридцати дней. Мы вернём деньги на карту.\n",
    "99kgzc/WxdTFINfF0s7V1Ngg1M/XwdIg1yDUxd7FzsnFINTSycTDwdTJIMTOxcouIO3ZINfF0s6jzSDExc7Yx8kgzsEgy8HS1NUuCg==",
  ],
  [
    "iso-8859-7",
    "Μπορείτε να επιστρέψετε το προϊόν μέσα σε τριάντα ημέρες από την αγορά.\n",
    "zPDv8eXf9OUg7eEg5fDp8/Tx3fjl9OUg9O8g8PHv+vztIOzd8+Eg8+Ug9PHp3O304SDn7N3x5fIg4fD8IPTn7SDh4+/x3C4K",
  ],
  [
    "shift_jis",
    "商品は三十日以内に返品できます。返金はカードに行われます。ご不明な点はお問い合わせください。\n",
    "j6SVaYLNjk+PXJP6iMiT4ILJldSVaYLFgquC3IK3gUKV1Ivggs2DSoFbg2iCyY1zgu2C6oLcgreBQoKylXOWvoLIk1+CzYKoluKCoo2Hgu2CuYKtgr6Cs4KigUIK",
  ],
  [
    "euc-jp",
    "商品は三十日以内に返品できます。返金はカードに行われます。ご不明な点はお問い合わせください。\n",
    "vqbJyqTPu7C9vcb8sMrG4qTLytbJyqTHpK2k3qS5oaPK1rbipM+lq6G8pcmky7nUpO+k7KTepLmho6S0ydTMwKTKxcCkz6SqzOSkpLnnpO+ku6SvpMCktaSkoaMK",
  ],
  [
    "gb18030",
    "您可以在三十天内退货。退款将退回您的银行卡。如有疑问，请联系客户服务。\n",
    "xPq/ydLU1NrI/cquzOzE2s3Lu/Who83Lv+69q83Lu9jE+rXE0vjQ0L+ooaPI59PQ0snOyqOsx+vBqs+1v827p7f+zvGhowo=",
  ],
  [
    "big5",
    "您可以在三十天內退貨。退款將退回您的銀行卡。如有疑問，請聯絡客戶服務。\n",
    "sXqlaaVIpmKkVKRRpNGkurBos2ahQ7BotNqxTrBopl6xeqq6u8im5qVkoUOmcKazusOw3aFBvdDBcLW4q8ik4apBsMihQwo=",
  ],
  [
    "euc-kr",
    "상품은 삼십일 이내에 반품할 수 있습니다. 환불은 카드로 이루어집니다. 문의 사항은 연락 주세요.\n",
    "u/PHsMC6ILvvvcrAzyDAzLO7v6Egud3HsMfSILz2IMDWvcC0z7TZLiDIr7rSwLogxKu15bfOIMDMt+e+7sH9tM+02S4gua7AxyC758fXwLogv6y29CDB1ry8v+QuCg==",
  ],
  [
    "utf-16le",
    "Returns are possible within 30 days.\nGrüße\n",
    "UgBlAHQAdQByAG4AcwAgAGEAcgBlACAAcABvAHMAcwBpAGIAbABlACAAdwBpAHQAaABpAG4AIAAzADAAIABkAGEAeQBzAC4ACgBHAHIA/ADfAGUACgA=",
  ],
  [
    "utf-16be",
    "Returns are possible within 30 days.\nGrüße\n",
    "AFIAZQB0AHUAcgBuAHMAIABhAHIAZQAgAHAAbwBzAHMAaQBiAGwAZQAgAHcAaQB0AGgAaQBuACAAMwAwACAAZABhAHkAcwAuAAoARwByAPwA3wBlAAo=",
  ],
];

describe("a text without a word on how it is written", () => {
  it.each(WRITTEN)("is read as %s", (encoding, text, base64) => {
    const decoded = decodeText(Buffer.from(base64, "base64"));
    expect(decoded.text).toBe(text);
    expect(decoded).toMatchObject({ encoding, isGuessed: true });
  });

  it("is UTF-8 where it can be, whatever it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !/[\p{Cc}\ufeff]/u.test(text)),
        (text) => {
          expect(decodeText(Buffer.from(text))).toEqual({ text, encoding: "utf-8", isGuessed: false });
        },
      ),
    );
  });
});

describe("a text that says how it is written", () => {
  it.each([
    ["utf-8", "\ufeffGr\u00fc\u00dfe", "utf8"],
    ["utf-16le", "\ufeffGr\u00fc\u00dfe \u65e5\u672c", "utf16le"],
  ] as const)("by a mark is read so: %s", (encoding, text, node) => {
    expect(decodeText(Buffer.from(text, node))).toEqual({ text: text.slice(1), encoding, isGuessed: false });
  });

  it("in big endian too", () => {
    const bytes = Buffer.from("\ufeffGr\u00fc\u00dfe", "utf16le").swap16();
    expect(decodeText(bytes)).toEqual({ text: "Gr\u00fc\u00dfe", encoding: "utf-16be", isGuessed: false });
  });

  it("elsewhere is read so, unless it is UTF-8 in truth", () => {
    const latin = Buffer.from("Gr\u00fc\u00dfe", "latin1");
    expect(decodeText(latin, { declared: "ISO-8859-1" })).toEqual({
      text: "Gr\u00fc\u00dfe",
      encoding: "windows-1252",
      isGuessed: false,
    });
    const utf8 = Buffer.from("Gr\u00fc\u00dfe");
    expect(decodeText(utf8, { declared: "ISO-8859-1" })).toMatchObject({ text: "Gr\u00fc\u00dfe", encoding: "utf-8" });
    const japanese = Buffer.from("\x1b$BF|K\\\x1b(B", "latin1");
    expect(decodeText(japanese, { declared: "ISO-2022-JP" }).text).toBe("\u65e5\u672c");
    expect(decodeText(utf8, { declared: "no such thing" }).text).toBe("Gr\u00fc\u00dfe");
  });
});

describe("what is no text", () => {
  it.each([
    ["a picture", Buffer.from("89504e470d0a1a0a0000000d49484452000000100000", "hex")],
    ["control characters", Buffer.from(Array.from({ length: 100 }, (_, at) => (at % 8) + 1))],
    ["a text with a control character in it", Buffer.from("question,answer\u0000\u0001\n")],
    ["UTF-32", Buffer.from("fffe000041000000", "hex")],
  ])("is refused: %s", (_, bytes) => {
    expect(() => decodeText(bytes)).toThrow(/no text|UTF-32/);
  });

  it("may be anything, and is read or refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          expect(typeof decodeText(bytes).text).toBe("string");
        } catch (error) {
          expect(error).toMatchObject({ name: "NoTextError" });
        }
      }),
    );
  });
});
