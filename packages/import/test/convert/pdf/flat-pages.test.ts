import { describe, expect, it } from "vitest";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { MANY_PAGES, withoutPageCount } from "../../../src/convert/pdf/pdf-file.ts";
import { lines, pdfOf } from "../../support/pdf-writer.ts";

const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const text = (file: Uint8Array | undefined): string | undefined => file && Buffer.from(file).toString("latin1");

describe("the number of pages of a file", () => {
  it.each([
    ["<< /Type /Pages /Count 1200 /Kids [] >>", "<< /Type /Pages /Count .999 /Kids [] >>"],
    ["<</Count\n1200>>", "<</Count\n.999>>"],
    ["<</Count 1200>> <</Count 1200>>", "<</Count .999>> <</Count .999>>"],
  ])("is replaced in %s", (given, replaced) => {
    const file = bytes(given);
    expect(text(withoutPageCount(file, 1_200))).toBe(replaced);
    expect(text(file)).toBe(given);
  });

  it.each(["<</Count 12000>>", "<</Count 1201>>", "/Count", "/Count ", ""])("is not found in %s", (given) => {
    expect(withoutPageCount(bytes(given), 1_200)).toBeUndefined();
  });
});

/** A number that is none to those who look for page numbers. */
function inLetters(number: number): string {
  return [...String(number)].map((digit) => "opqrstuvwz"[Number(digit)]).join("");
}

describe("a file of many pages", () => {
  it("has all of them, in their order", async () => {
    const count = MANY_PAGES + 100;
    const texts = Array.from({ length: count }, (_, i) => `The sheet called ${inLetters(i)} lies here.`);
    const { page } = await convertPdf({
      bytes: pdfOf(texts.map((each) => lines([each]))),
      name: "file.pdf",
      kind: "pdf",
    });
    expect(page?.content.map(({ md }) => md)).toEqual(texts);
  });
});
