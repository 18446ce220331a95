import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { equalsQuestion, normalForm, normalFormHash, questionForms } from "../../src/markdown/normal-form.ts";
import { plainText } from "../../src/markdown/plain-text.ts";
import { sameByFnv } from "../support/same-by-fnv.ts";

describe("plain text", () => {
  it.each([
    ["# Heading #", "Heading"],
    ["####### seven", "####### seven"],
    ["- **bold** and _stressed_ `code`", "bold and stressed code"],
    ["1. first", "first"],
    ["> > quoted", "quoted"],
    ['[text](http://a.b/c_(d) "title")', "text"],
    ["![alt](x.png) ![](y.png)", "alt "],
    ["[![badge](b.svg)](http://a.b)", "badge"],
    ["[text][label] and [text][] but list[0]", "text and text but list[0]"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["__init__ and _😀_ and 𝒳_𝒴", "init and 😀 and 𝒳_𝒴"],
    ["<p>tag</p> <https://a_b.c/d_>", " tag  https://a_b.c/d_"],
    ["w<b>or</b>d, line<br>break", "word, line break"],
    ["seen <!-- not seen --> again", "seen   again"],
    ["a <style>b { c: d }</style> e", "a   e"],
    ["a &amp; b&nbsp;c &#65; &unknown;", "a & b\u00a0c A &unknown;"],
    ["M&uuml;ller, 5 &euro;, &CounterClockwiseContourIntegral;", "Müller, 5 €, ∳"],
    ["> [!NOTE]", "NOTE"],
    ["\\*not bold\\*", "*not bold*"],
    ["2024 was fine", "2024 was fine"],
    ["-5 degrees", "-5 degrees"],
    [
      "`Map<Identifier,Leaderboard>` and `List<String>` and `&amp; *a*`",
      "Map<Identifier,Leaderboard> and List<String> and &amp; *a*",
    ],
    ["a stretch whose **mark is cut off", "a stretch whose mark is cut off"],
    ["two `marks` and `one", "two marks and one"],
  ])("of %j is %j", (markdown, text) => {
    expect(plainText(markdown).trimEnd()).toBe(text.trimEnd());
  });

  it("drops fences and table rules and keeps what is between", () => {
    expect(plainText("```js\ncode();\n```").trim()).toBe("code();");
    expect(plainText("> ~~~\n> List<String> *a*\n> ~~~\nafter").trim()).toBe("List<String> *a*\nafter");
    expect(plainText("| a | b |\n|---|:-:|\n| 1 | 2 |").replace(/\s+/g, " ").trim()).toBe("a b 1 2");
    expect(plainText("Heading\n=======").trim()).toBe("Heading");
  });

  it("of code is all of it but the lines of its fence", () => {
    const code = "List<String> a = *b; // &amp; [c](d)\n\n# no heading\n- 1";
    expect(plainText(code, "code")).toBe(code);
    expect(plainText(`\`\`\`java\n${code}\n\`\`\``, "code")).toBe(code);
    expect(plainText(`${code}\n~~~~`, "code")).toBe(code);
    expect(plainText(`1. \`\`\`java\n${code}`, "code")).toBe(code);
    expect(plainText("```", "code")).toBe("");
    expect(plainText("```\n```", "code")).toBe("");
  });

  it("of HTML has no tags, and nothing in it is a mark of markdown", () => {
    const html =
      '<div class="a > b">\n  # M&uuml;ller <em>*x*</em>\n<img src={base(1)} />\n<!-- hidden\n words -->\n</div>';
    expect(plainText(html, "html").replace(/\s+/g, " ").trim()).toBe("# Müller *x*");
  });

  it("of a question has what looks like a tag", () => {
    expect(plainText("What is a **List<String>**?", "question")).toBe("What is a List<String>?");
  });

  it.each([
    ["```refund", "refund"],
    ["~~~ refund", "refund"],
    [`${"`".repeat(4_000)} refund`, "refund"],
    ["> ```refund **now**", "refund now"],
    ["My order:\n```refund\nNow **what**?", "My order: refund Now **what**?"],
    ["```js\nList<String> a;\n```", "js List<String> a;"],
    ["2. Bundesliga", "2. Bundesliga"],
    ["# 1) First", "1) First"],
    ["What is a[i][j]?", "What is a[i][j]?"],
    ["What is &nbsp; or &amp;?", "What is &nbsp; or &?"],
    ["Seen <!-- hidden --> <script>again</script>", "Seen <!-- hidden --> <script>again</script>"],
  ])("of the question %j has all of its words", (question, words) => {
    expect(plainText(question, "question").replace(/\s+/g, " ").trim()).toBe(words);
  });

  it("shows each word that a reader sees, and none that is hidden", () => {
    const visible = fc.constantFrom(
      (word: string) => `[${word}](http://hidden.example/hidden "hidden")`,
      (word: string) => `![${word}](hidden.png)`,
      (word: string) => `[${word}][hidden]`,
      (word: string) => `[*${word}* \`a\`](hidden)`,
      (word: string) => `<a href="hidden" title='hidden'>${word}</a>`,
      (word: string) => `<!-- hidden -->${word}<?hidden?>`,
      (word: string) => `**${word}**`,
      (word: string) => `_${word}_`,
      (word: string) => `~~${word}~~`,
      (word: string) => `\`${word}<hidden>\``.replace("hidden", "type"),
      (word: string) => `\`\`a\`${word}\`\``,
      (word: string) => `&lt;${word}&gt;`,
      (word: string) => `\\[${word}\\]`,
      (word: string) => `<https://${word}.example>`,
      (word: string) => `> ${word}`,
    );
    const text = fc.array(fc.tuple(visible, fc.constantFrom(" ", "\n", ", ", "\n\n", ". ")), { maxLength: 30 });
    fc.assert(
      fc.property(text, (windows) => {
        const markdown = windows.map(([as, gap], i) => as(`seen${i}x`) + gap).join("");
        const plain = plainText(markdown);
        for (const i of windows.keys()) expect(plain).toContain(`seen${i}x`);
        expect(plain).not.toContain("hidden");
      }),
    );
  });

  it("of a long text is that of its stretches", () => {
    const sentence = "Read [the text](http://a.b/c), `List<T>` and M&uuml;ller. ";
    const plain = plainText(sentence.repeat(1_000));
    expect(plain === "Read the text, List<T> and Müller. ".repeat(1_000)).toBe(true);
    expect(plainText(`${sentence.repeat(100)}\n`.repeat(10)).includes("](")).toBe(false);
    expect(plainText(`${"😀".repeat(5_000)}\\*`) === `${"😀".repeat(5_000)}*`).toBe(true);
  });
});

describe("the normal form", () => {
  it("is equal for texts that differ in case, white space, composition and marks only", () => {
    const form = normalForm("How do I  **change** the café's key?");
    expect(normalForm(" how do i change\nthe CAFE\u0301's KEY? ")).toBe(form);
    expect(normalForm("# How do I change the café's key?")).toBe(form);
    expect(normalForm("How do I change the cafe's key?")).not.toBe(form);
  });

  it.each([
    ["text", "see [this](a.md) and `List<T>`"],
    ["code", "```js\nList<String> *a*\n```"],
    ["code", "    # List<String> *a*"],
    ["html", "<div>\n*star* M&uuml;ller\n</div>"],
  ] as const)(
    "of %s equals that of a query that says the same, as it stands and as it is seen",
    (reading, markdown) => {
      const plain = plainText(markdown, reading);
      expect(equalsQuestion(markdown, reading, questionForms(markdown))).toBe(true);
      expect(equalsQuestion(markdown, reading, questionForms(plain))).toBe(true);
      expect(equalsQuestion(markdown, reading, questionForms(`${plain} more`))).toBe(false);
    },
  );

  it("has a hash that nobody chooses texts against", () => {
    // 8,192 texts of one 32-bit hash: by the birthday some of them share 21 bits of any other weak hash as well.
    const chosen = sameByFnv(13, 6);
    expect(new Set(chosen).size).toBe(1 << 13);
    expect(new Set(chosen.map(normalFormHash)).size).toBe(1 << 13);
  });

  it("has a hash that is a safe integer and tells texts apart", () => {
    const hashes = new Set<number>();
    for (let i = 0; i < 50_000; i++) hashes.add(normalFormHash(`question ${i}`));
    expect(hashes.size).toBe(50_000);
    for (const hash of hashes) expect(Number.isSafeInteger(hash)).toBe(true);
  });
});
