import { describe, expect, it } from "vitest";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { lines, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

async function markdownOf(texts: readonly PdfText[]): Promise<string> {
  const { page } = await convertPdf({ bytes: pdfOf([texts]), name: "file.pdf", kind: "pdf" });
  return page?.content[0]?.md ?? "";
}

const TEXT = Array.from(
  { length: 8 },
  (_, i) => `Line ${"abcdefgh"[i]} of the text goes from one edge of the page to the other and on`,
);

describe("what stands beside the text", () => {
  it("begins its word where it is a large initial", async () => {
    const md = await markdownOf([
      { text: "O", x: 72, y: 122, size: 30 },
      ...lines(
        [
          "nce upon a time there was a bicycle that nobody wanted to ride, because",
          "it had no brakes and its bell was broken, and when it rained the saddle",
        ],
        { x: 98 },
      ),
      ...lines(["became wet at once. So it stood in the shed for many years until a child came", "and looked at it."], {
        y: 124,
      }),
    ]);
    expect(md).toBe(
      "Once upon a time there was a bicycle that nobody wanted to ride, because it had no brakes and its bell was broken, and when it rained the saddle became wet at once. So it stood in the shed for many years until a child came and looked at it.",
    );
  });

  it("divides no lines where it is a large number", async () => {
    const md = await markdownOf([
      { text: "7", x: 72, y: 122, size: 30 },
      ...lines(["Take the wheel out of the frame before", "you look for the hole in the tube of it."], {
        x: 104,
        y: 112,
      }),
      ...lines(TEXT, { y: 200 }),
    ]);
    expect(md).toContain("Take the wheel out of the frame before");
    expect(md).toContain("you look for the hole in the tube of it.");
  });

  it.each([
    ["left", 60, 160],
    ["right", 470, 72],
  ])("comes after the text where it is a note in the %s margin", async (_, note, text) => {
    const md = await markdownOf([
      ...lines(TEXT, { x: text }),
      { text: "Take care", x: note, y: 124, size: 8 },
      { text: "of the chain", x: note, y: 134, size: 8 },
    ]);
    expect(md).toBe(`${TEXT.join(" ")}\n\nTake care of the chain`);
  });

  it("is a part of the text where it is a section's number or a term in large letters", async () => {
    const md = await markdownOf([...lines(TEXT, { x: 160 }), { text: "Gears", x: 72, y: 100 }]);
    expect(md.indexOf("Gears")).toBeLessThan(md.indexOf("Line b"));
  });
});

describe("a note at the foot of a page", () => {
  it("has its number apart from its first word", async () => {
    const md = await markdownOf([
      ...lines(TEXT),
      { text: "1", x: 72, y: 716, size: 5 },
      { text: "Not for frames of steel.", x: 75.5, y: 720, size: 8 },
    ]);
    expect(md).toContain("\n\n1 Not for frames of steel.");
  });
});

describe("the foot of a single page", () => {
  it.each(["Page 1 of 1", "Seite 1/1", "page 3"])("is left out where it is %s", async (label) => {
    expect(await markdownOf([...lines(TEXT), { text: label, x: 300, y: 770 }])).toBe(TEXT.join(" "));
  });

  it("stays where it says more", async () => {
    const md = await markdownOf([...lines(TEXT), { text: "Page 1 was torn out", x: 300, y: 770 }]);
    expect(md).toContain("Page 1 was torn out");
  });
});
