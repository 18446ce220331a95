import { expect, it } from "vitest";
import { convertText } from "../../src/convert/text.ts";

const file = (text: string, name = "notes.txt") => ({ bytes: Buffer.from(text), name, kind: "text" as const });

it("stays as it stands, line by line", async () => {
  const text = "Opening hours\n=============\n\n  We open at 9,\r\nand close at 5.\n";
  expect(await convertText(file(text))).toEqual({
    page: { type: "DOCUMENT", metaData: { title: "Opening hours", sourceLine: 1 }, content: [{ md: text }] },
    faqs: [],
    notes: [],
  });
});

it.each([
  ["\n\nA title\n\nText.", "A title"],
  ["# A title\n\nText.", "A title"],
  ["A sentence is none.\n\nText.", "notes"],
  ["Nor is the first line\nof a paragraph.", "notes"],
  ["-----\n\nText.", "notes"],
  [`${"long ".repeat(100)}\n\nText.`, "notes"],
])("has its title from a line that stands alone, or from its name: %j", async (text, title) => {
  expect((await convertText(file(text))).page?.metaData.title).toBe(title);
});

it("ends its lines as everybody does", async () => {
  expect((await convertText(file("one\rtwo\r"))).page?.content).toEqual([{ md: "one\ntwo\n" }]);
});

it("brings nothing where there is nothing, and says so", async () => {
  for (const text of ["", " \n\t\n"]) {
    expect(await convertText(file(text))).toEqual({ faqs: [], notes: [expect.stringContaining("no text")] });
  }
});

it("is refused where it is no text", async () => {
  const bytes = Buffer.from([0, 1, 2, 3]);
  await expect(convertText({ ...file(""), bytes })).rejects.toMatchObject({ name: "ConversionError" });
});
