import type { SearchResult, TextPart } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { characters, expectResults, markdownOf, sliceLines, TEXT_CHARACTERS_MAX } from "./lines.ts";
import { sharedService } from "./service.ts";

const service = sharedService();

/** The single result of a query over one article, after its laws were checked. */
async function found(body: string, query: string): Promise<SearchResult> {
  const bot = await service().bot();
  await bot.publish({ title: "Untitled", body });
  const results = await bot.find(query, { options: { includeContent: true } });
  expectResults(results);
  const [only] = results;
  if (only === undefined) throw new Error(`${query} finds nothing`);
  expect(only.content).toEqual([{ md: body }]);
  return only;
}

async function best(body: string, query: string): Promise<TextPart> {
  const [part] = (await found(body, query)).similarTextParts;
  if (part === undefined) throw new Error(`${query} has no part`);
  return part;
}

describe("the lines of a match", () => {
  it.each([
    ["first paragraph", "The tiger sleeps.\n\nThe bear eats.", "tiger", 1, 1],
    ["last paragraph", "The tiger sleeps.\n\nThe bear eats.", "bear", 3, 3],
    [
      "paragraph of several lines",
      "Intro.\n\nThe tiger\nsleeps in\nthe sun.\n\nEnd.",
      "tiger sleeping in the sun",
      3,
      5,
    ],
    ["with a line break at the end", "The bear eats.\n", "bear", 1, 1],
    ["after empty lines", "\n\n\nThe bear eats.\n\n", "bear", 4, 4],
    ["with \\r\\n", "One.\r\n\r\nThe bear\r\neats.\r\n\r\nEnd.\r\n", "the bear eats", 3, 4],
    ["with mixed line ends", "One.\n\r\nTwo.\r\n\nThe bear eats.\r\n\r\nEnd.", "bear", 5, 5],
    ["after lone \\r, which end no line", "One\rtwo\rthree.\n\nThe bear\reats.\n\nEnd.", "bear", 3, 3],
    [
      "after other separators, which end no line",
      "One\u2028two\u2029three\u0085four\u000bfive\u000csix.\n\nThe bear eats.",
      "bear",
      3,
      3,
    ],
    ["after NUL", "One\u0000two.\n\nThe \u0000 bear eats.", "bear", 3, 3],
    ["after astral characters", "😀😀😀\n😀\n\nThe bear 😀 eats.", "bear", 4, 4],
    ["under a heading", "# Animals\n\nThe bear eats.\n\n# Plants\n\nThe oak grows.", "bear", 3, 3],
    ["in the second of two quotes", "> The tiger sleeps.\n\nText.\n\n> The bear eats.\n", "bear", 5, 5],
    ["in a fence", "Text.\n\n```\nconst bear = eats();\n```\n\nEnd.", "bear", undefined, undefined],
    ["in an unclosed fence", "Text.\n\n```js\nlet bear;\n", "bear", undefined, undefined],
    ["in a setext heading's paragraph", "Zoo\n===\n\nThe bear eats.", "bear", 4, 4],
  ])("%s", async (_, body, query, start, stop) => {
    const part = await best(body, query);
    // Whether a fence's marks are quoted with its code is open; all else is settled.
    if (start === undefined) expect(part.text).toMatch(/bear/);
    else expect([part.start, part.stop]).toEqual([start, stop]);
  });

  it("a list item is quoted alone", async () => {
    const items = ["Unplug the router", "Wait for half a minute", "Plug the modem in again", "Look at the green lamp"];
    const part = await best(`Do this:\n\n${items.map((item) => `- ${item}`).join("\n")}\n\nDone.`, "modem");
    expect(part).toMatchObject({ start: 5, stop: 5, text: "- Plug the modem in again" });
  });

  it("a numbered list item of two lines is quoted alone", async () => {
    const part = await best("1. Unplug it\n2. Wait for the\n   modem to cool\n3. Plug it in\n", "modem");
    expect(part).toMatchObject({ start: 2, stop: 3 });
  });

  it("a table row is quoted without the rest of a long table", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) => `| Room ${i} | ${i === 41 ? "observatory" : "office"} | ${i} beds |`,
    );
    const body = `Rooms:\n\n| Room | Use | Size |\n|---|---|---|\n${rows.join("\n")}\n`;
    const part = await best(body, "observatory");
    expect(part.text).toContain("Room 41");
    expect(part.stop - part.start).toBeLessThan(30);
  });

  it("a table's header is not quoted beside its rows, but where it alone is asked for", async () => {
    const table = "| Item | Price |\n| --- | --- |\n| Oak desk | 120 |\n| Pine desk | 80 |\n";
    const { similarTextParts, bestMatchScore } = await found(table, "price of an item");
    expect(similarTextParts.map(({ start }) => start)).not.toContain(1);
    expect(similarTextParts[0]).toMatchObject({ similarity: bestMatchScore });
    expect((await best(table, "| Item | Price |")).start).toBe(1);
    expect((await best("| Item | Price |\n| --- | --- |\n", "price of an item")).start).toBe(1);
    const beside = await found(`Order by mail.\n\n${table}\nAsk us for the price.\n`, "price of an item");
    expect(beside.similarTextParts.map(({ start }) => start)).not.toContain(3);
    expect(beside.similarTextParts[0]).toMatchObject({ similarity: beside.bestMatchScore });
  });

  it("a paragraph is quoted, not its whole section", async () => {
    const paragraphs = Array.from(
      { length: 9 },
      (_, i) => `Paragraph ${i} tells of ${i === 4 ? "a walrus" : "the sea"}.`,
    );
    const part = await best(`# Section\n\n${paragraphs.join("\n\n")}`, "walrus");
    expect(part).toMatchObject({ start: 11, stop: 11, text: "Paragraph 4 tells of a walrus." });
  });

  it("count in the body: the title is not among them", async () => {
    const bot = await service().bot();
    await bot.publish({ title: "The bear eats", body: "Line one.\n\nA bear again." });
    const [only] = await bot.find("bear again");
    expect(only?.similarTextParts[0]).toMatchObject({ start: 3, stop: 3, text: "A bear again." });
  });

  it("count over all blocks of a document, joined by one newline", async () => {
    const bot = await service().bot();
    const content = [
      { md: "Page one.\n\nMore.\n" },
      { md: "" },
      { md: "The bear\r\neats.\r" },
      { md: "A tiger sleeps." },
    ];
    await bot.import({ resourceDocId: "pages", type: "PDF", content });
    const bear = await bot.find("the bear eats", { options: { includeContent: true } });
    expectResults(bear);
    expect(bear[0]?.content).toEqual(content);
    expect(bear[0]?.similarTextParts[0]).toMatchObject({ start: 6 });
    const tiger = await bot.find("tiger", { options: { includeContent: true } });
    expectResults(tiger);
    expect(tiger[0]?.similarTextParts[0]).toMatchObject({ text: "A tiger sleeps.", start: 8, stop: 8 });
    expect(markdownOf(content).split("\n")[7]).toBe("A tiger sleeps.");
  });

  it("count in the answer of a question", async () => {
    const bot = await service().bot();
    await bot.import({ resourceDocId: "q", type: "QNA", question: "Who eats?", answer: "Listen.\n\nThe bear eats." });
    const [only] = await bot.find("bear", { options: { includeContent: true } });
    expect(only?.similarTextParts[0]).toMatchObject({ text: "The bear eats.", start: 3, stop: 3 });
  });
});

describe("a part of more than 2,000 characters", () => {
  const filler = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `Sentence ${from + i} speaks about the weather.`).join(" ");

  it("is given as it stands up to 2,000", async () => {
    const start = "The walrus sleeps. ";
    const line = `${start}${"😀".repeat(TEXT_CHARACTERS_MAX - start.length)}`;
    expect(characters(line)).toBe(2_000);
    expect((await best(`Intro.\n\n${line}\n\nEnd.`, "walrus sleeps")).text).toBe(line);
  });

  it("is given by the sentence that matches, of a line of 100,000", async () => {
    const body = `Intro.\n\n${filler(0, 1_000)} A walrus sleeps on the ice. ${filler(1_000, 2_000)}\n\nEnd.`;
    const part = await best(body, "where does the walrus sleep");
    expect([part.start, part.stop]).toEqual([3, 3]);
    expect(part.text).toContain("A walrus sleeps on the ice.");
    expect(characters(part.text)).toBeLessThanOrEqual(TEXT_CHARACTERS_MAX);
    expect(sliceLines(body, 3, 3)).toContain(part.text);
  });

  it("is cut at a word when one sentence is longer still", async () => {
    const words = Array.from({ length: 3_000 }, (_, i) => (i === 1_500 ? "walrus" : `word${i}`));
    const part = await best(words.join(" "), "walrus");
    expect(characters(part.text)).toBeLessThanOrEqual(TEXT_CHARACTERS_MAX);
    expect(part.text.split(" ")).toContain("walrus");
    const known = new Set(words);
    expect(part.text.split(/\s+/).filter((word) => !known.has(word))).toEqual([]);
  });

  it("never splits a character", async () => {
    const body = `walrus ${"😀".repeat(5_000)} ${"𝒳".repeat(3_000)}`;
    const { text } = await best(body, "walrus");
    expect(text.isWellFormed()).toBe(true);
  });
});
