import { describe, expect, it } from "vitest";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { lines, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

async function markdownOf(texts: readonly PdfText[]): Promise<string> {
  const { page } = await convertPdf({ bytes: pdfOf([texts]), name: "file.pdf", kind: "pdf" });
  return page?.content[0]?.md ?? "";
}

const BODY = lines(
  [
    "Dear Ms Doe, for the work on your bicycle that was done in the last month we ask you",
    "to pay what is written below within two weeks of the day on which you got this letter.",
  ],
  { y: 300 },
);

describe("a form or a letter", () => {
  it("keeps the words beside the lines that one writes on", async () => {
    const md = await markdownOf([
      ...lines(
        [
          "First name: ______________ Last name: ______________",
          "Street and number: ______________________",
          "Date of birth: ____ / ____ / ______",
          "Town: ______________________ 3",
        ],
        { y: 60 },
      ),
      ...BODY,
    ]);
    const rows = md.split("\n").filter((line) => line !== "");
    for (const [i, label] of ["First name:", "Street and number:", "Date of birth:", "Town:"].entries())
      expect(rows[i]).toContain(label);
  });

  it("has each name with its value, and no two of them in one line", async () => {
    const pairs = [
      ["Invoice number:", "RE-2026-0417"],
      ["Date:", "3 November 2026"],
      ["Customer number:", "K-20931"],
    ];
    const md = await markdownOf([
      ...pairs.map(([name, value], i): PdfText => ({ text: `${name} ${value}`, x: 350, y: 60 + 12 * i })),
      ...BODY,
      { text: "Sum 171.30 EUR", x: 350, y: 350 },
      { text: "VAT 19 %", x: 350, y: 362 },
      { text: "32.55 EUR", x: 480, y: 362 },
      ...lines(["Account: 0000 2020 51", "Bank: First Bank of Cork"], { y: 400 }),
    ]);
    const own = md.split("\n");
    for (const [name, value] of pairs) expect(own).toContain(`${name} ${value}`);
    expect(own).toContain("VAT 19 % 32.55 EUR");
    expect(own).toContain("Account: 0000 2020 51");
    expect(own).toContain("Bank: First Bank of Cork");
  });

  it("has running text as one paragraph where a colon stands in it", async () => {
    const text = [
      "Note: the form must be sent back within two weeks, because it is valid for no",
      "longer than that, and: it costs nothing.",
    ];
    expect(await markdownOf([...lines(text, { y: 60 }), ...BODY])).toContain(text.join(" "));
  });
});
