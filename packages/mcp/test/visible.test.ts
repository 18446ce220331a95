import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { edited } from "../src/answers/edits.ts";
import { placeIn, visible } from "../src/answers/visible.ts";
import { hostOf } from "./support.ts";

/** Every code point that has no shape of its own. */
const UNSEEN = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((sign) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(sign),
);
/** Of private use there are 137,000, which are all alike. */
const TRIED = UNSEEN.filter((sign, i) => !/\p{Co}/u.test(sign) || i % 500 === 0);
const CONTROLS = Array.from({ length: 0xa0 }, (_, code) => String.fromCodePoint(code)).filter(
  (sign) => /\p{Cc}/u.test(sign) && !"\t\n".includes(sign),
);
const isUnseen = (sign: string): boolean =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(sign);

const JOINERS = ["\u200c", "\u200d"];
const PRESENTATIONS = ["\ufe0e", "\ufe0f"];

/** As people write them. */
const MEANT = [
  ...["❤️", "❤︎", "I ❤️ you", "👩🏽‍💻", "👨‍👩‍👧‍👦", "🏳️‍🌈", "👩‍❤️‍💋‍👨", "🏴‍☠️", "1️⃣", "#️⃣", "©️", "☀️☔️"],
  ...["می‌خواهم", "نامه‌ها", "क्‍ष", "क्‌ष", "র‍্য", "ශ්‍රී", "അവന്‍ വന്നു", "ക്‍"],
];

const unseen = fc.constantFrom(...TRIED);
const seen = fc.constantFrom(
  "a",
  "Z",
  "é",
  "我",
  "7",
  "!",
  " ",
  "\n",
  "\t",
  "👩",
  "❤",
  "م",
  "ی",
  "क",
  "्",
  "1",
  "\u20e3",
  "🏽",
);
const text = fc.array(
  fc.oneof(seen, unseen, fc.constantFrom("\u200d", "\u200c", "\ufe0f", "\ufe0e"), fc.constantFrom(...CONTROLS)),
  {
    maxLength: 60,
  },
);

describe("what a model is shown", () => {
  it("has none of the signs without a shape, wherever they stand", () => {
    expect(UNSEEN.filter((sign) => visible(`a${sign}b`) !== "a\ufffdb")).toEqual([]);
    for (const sign of TRIED) {
      for (const [before, after] of [
        ["", ""],
        ["", "x"],
        ["x", ""],
        ["x ", " x"],
        ["我", "我"],
        ["1", "2"],
        ["x\n", "\nx"],
      ] as const) {
        expect(visible(before + sign + after)).toBe(`${before}\ufffd${after}`);
      }
    }
    for (const sign of CONTROLS) expect(visible(`a${sign}b`)).toBe("a\ufffdb");
  });

  it.each(MEANT)("has those by which %s is written", (written) => {
    expect(visible(written)).toBe(written);
    expect(visible(`${written} and ${written}`)).toBe(`${written} and ${written}`);
  });

  it("has one of them at a place at most, besides a presentation with a joiner, and says the same of what it has shown", () => {
    fc.assert(
      fc.property(text, (signs) => {
        const shown = visible(signs.join(""));
        expect(visible(shown)).toBe(shown);
        const kept = [...shown];
        for (const [i, sign] of kept.entries()) {
          if (!isUnseen(sign)) continue;
          const [before = "", after = ""] = [kept[i - 1], kept[i + 1]];
          expect([...JOINERS, ...PRESENTATIONS]).toContain(sign);
          expect(before).toMatch(/\S/);
          // An emoji's presentation may stand before what joins it to another.
          const isAlone = !isUnseen(before) || (sign === "\u200d" && PRESENTATIONS.includes(before));
          expect(isAlone).toBe(true);
          if (JOINERS.includes(sign)) expect(after === "" || isUnseen(after)).toBe(false);
        }
        // All else is as it was.
        const others = (all: readonly string[]) =>
          all.filter((sign) => !isUnseen(sign) && !CONTROLS.includes(sign) && sign !== "\ufffd");
        expect(others(kept)).toEqual(others([...signs.join("")]));
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("names places that are found again in the text itself", () => {
    fc.assert(
      fc.property(text, (signs) => {
        const whole = signs.join("");
        const shown = visible(whole);
        expect(placeIn(whole, 0)).toBe(0);
        expect(placeIn(whole, shown.length)).toBe(whole.length);
        let shownAt = 0;
        for (const sign of shown) {
          expect(visible(whole.slice(0, placeIn(whole, shownAt))).length).toBe(shownAt);
          shownAt += sign.length;
        }
      }),
      { numRuns: lawRuns(400) },
    );
  });

  it("can be edited where it hides something", () => {
    const body = "Refunds\u00ad take\u{e0041}\u200b three days. Call us.\u200b";
    expect(visible(body)).toBe("Refunds\ufffd take\ufffd\ufffd three days. Call us.\ufffd");
    expect(edited(body, [{ old_text: "take\ufffd\ufffd three", new_text: "take two" }])).toBe(
      "Refunds\u00ad take two days. Call us.\u200b",
    );
    expect(edited(body, [{ old_text: "Call us.", new_text: "Write." }])).toBe(
      "Refunds\u00ad take\u{e0041}\u200b three days. Write.\u200b",
    );
    expect(() => edited(body, [{ old_text: "\ufffd", new_text: "" }])).toThrow("more than once");
  });
});

/** All texts of a value, names of fields included. */
function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, field]) => [name, ...textsOf(field)]);
}

it("every tool and the prompt hide nothing, in texts, in structured content, and in what has gone wrong", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(seen, unseen), { minLength: 1, maxLength: 30 }), async (signs) => {
      const hidden = `a\u200bb${signs.join("")}\u{e0041}\ue000\u3164`;
      const article = {
        ...{ id: hidden, title: hidden, body: hidden, status: "active", characterCount: 1, activeOn: [] },
        ...{
          source: hidden,
          metadata: { [hidden]: hidden, list: [hidden, { deep: hidden }] },
          createdAt: "",
          updatedAt: hidden,
        },
      };
      const document = {
        ...{
          resourceDocId: hidden,
          type: "PDF",
          status: "active",
          url: hidden,
          bestMatchScore: 1,
          content: [{ md: hidden }],
        },
        metaData: { title: hidden, [hidden]: { deep: [hidden] } },
        similarTextParts: [{ text: hidden, similarity: 1, start: 1, stop: 1 }],
      };
      let status = 200;
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const { pathname } = new URL(String(input));
        if (status !== 200)
          return Response.json({ success: false, error: { message: hidden, code: 1, status } }, { status });
        if (pathname.endsWith("/search")) return Response.json([document]);
        const data = pathname.endsWith("/knowledge") && init?.method === "GET" ? [article] : article;
        return Response.json({ success: true, message: "", data, next: hidden, characterUsed: 1 });
      };
      const { client, call } = await hostOf({ baseUrl: "http://a.test", key: "k", fetch });
      for (status of [200, 500]) {
        const answers: unknown[] = [
          await call("search_knowledge", { query: "a", include_content: true }),
          await call("get_article", { id: "a" }),
          await call("list_articles"),
          await call("create_article", { title: "abc", body: "a" }),
          await call("update_article", { id: "a", title: "abc" }),
          await client.getPrompt({ name: "answer_from_knowledge", arguments: { question: "a?" } }),
        ];
        for (const told of textsOf(answers)) expect(visible(told)).toBe(told);
        expect(textsOf(answers).filter((told) => told.includes("\ufffd")).length).toBeGreaterThan(
          status === 200 ? 20 : 5,
        );
      }
    }),
    { numRuns: lawRuns(40) },
  );
});
