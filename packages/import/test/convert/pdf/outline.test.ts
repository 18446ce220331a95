import { describe, expect, it } from "vitest";
import { Outline } from "../../../src/convert/pdf/outline.ts";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { lines, type PdfOptions, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

const TEXT = [
  "The warranty covers the engine, the frame and the brakes for two years from",
  "the day of purchase, and the battery for one year or five hundred charges.",
];

async function headings(page: readonly PdfText[], options: PdfOptions): Promise<string[]> {
  const { page: converted } = await convertPdf({ bytes: pdfOf([page], options), name: "file.pdf", kind: "pdf" });
  return (converted?.content[0]?.md ?? "").split("\n").filter((line) => line.startsWith("#"));
}

describe("bookmarks of a PDF", () => {
  const outline = [
    { title: "Warranty", depth: 0 },
    { title: "What it covers", depth: 1 },
    { title: "For how long", depth: 2 },
  ];

  it("tell headings that no letters tell, and their levels", async () => {
    const page = [
      { text: "1 Warranty", x: 72, y: 60 },
      ...lines(TEXT, { y: 90 }),
      { text: "1.1 What it covers", x: 72, y: 150 },
      ...lines(TEXT, { y: 180 }),
      { text: "For how long", x: 72, y: 240 },
      ...lines(TEXT, { y: 270 }),
    ];
    expect(await headings(page, { outline })).toEqual(["# 1 Warranty", "## 1.1 What it covers", "### For how long"]);
    expect(await headings(page, {})).toEqual([]);
  });

  it("tell the level of headings that look like those", async () => {
    const page = [
      { text: "Warranty", x: 72, y: 60, size: 16 },
      ...lines(TEXT, { y: 90 }),
      { text: "For how long", x: 72, y: 150, size: 13 },
      ...lines(TEXT, { y: 180 }),
      { text: "For whom", x: 72, y: 240, size: 13 },
      ...lines(TEXT, { y: 270 }),
    ];
    expect(await headings(page, { outline })).toEqual(["# Warranty", "### For how long", "### For whom"]);
    expect(await headings(page, {})).toEqual(["# Warranty", "## For how long", "## For whom"]);
  });

  it("make no heading of the words within a paragraph", async () => {
    const page = lines([...TEXT, "For how long", ...TEXT], { y: 90 });
    expect(await headings(page, { outline })).toEqual([]);
  });

  it("are found with other numbers, spaces and capitals", () => {
    const found = new Outline(outline);
    expect(found.levelOf("Chapter 3: WHAT IT  COVERS")).toBe(2);
    expect(found.levelOf("What it costs")).toBeUndefined();
    expect(new Outline([]).levelOf("")).toBeUndefined();
  });
});
