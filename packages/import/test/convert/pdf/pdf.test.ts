import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { lines, type PdfOptions, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

async function converted(pages: readonly (readonly PdfText[])[], options?: PdfOptions, name = "file.pdf") {
  const { page, notes } = await convertPdf({ bytes: pdfOf(pages, options), name, kind: "pdf" });
  if (page === undefined) throw new Error("no page");
  return { ...page, notes, blocks: page.content.map(({ md }) => md) };
}

const PARAGRAPH = [
  "The warranty covers the engine, the frame and the brakes for two years from",
  "the day of purchase, and the battery for one year or five hundred charges, which",
  "ever comes first. Parts that wear are not covered by it at all.",
];
const OTHER = [
  "Send the device back in its own box, with the form that lies in it filled in, and",
  "write the number of your order on the outside of the box so that it is found.",
];
/** A page that is long enough to tell what its usual size is. */
const BODY = lines([...PARAGRAPH, ...OTHER], { y: 200 });

describe("a PDF", () => {
  it("is of the type PDF, so that a filter finds it", async () => {
    expect((await converted([lines(PARAGRAPH)])).type).toBe("PDF");
  });

  it("becomes one paragraph a paragraph, with a block for each page", async () => {
    const { blocks } = await converted([[...lines(PARAGRAPH), ...lines(OTHER, { y: 160 })], lines(OTHER)]);
    expect(blocks).toEqual([`${PARAGRAPH.join(" ")}\n\n${OTHER.join(" ")}`, OTHER.join(" ")]);
  });

  it("tells at which line each page begins, an empty one too", async () => {
    const { blocks, metaData } = await converted([
      [...lines(PARAGRAPH), ...lines(OTHER, { y: 160 })],
      [],
      lines(OTHER),
    ]);
    expect(blocks[1]).toBe("");
    const all = blocks.join("\n").split("\n");
    const pages = metaData.pages;
    expect(pages).toEqual([1, 4, 5]);
    expect(all[4]).toBe(OTHER.join(" "));
    expect(metaData.pageCount).toBe(3);
  });

  it("has headings by their size, of the same level all over the document", async () => {
    const { blocks } = await converted([
      [
        { text: "User Guide", x: 72, y: 60, size: 24 },
        { text: "Warranty", x: 72, y: 90, size: 16 },
        ...lines(PARAGRAPH, { y: 120 }),
      ],
      [{ text: "Returns", x: 72, y: 60, size: 16 }, ...lines(OTHER)],
    ]);
    expect(blocks[0]).toBe(`# User Guide\n\n## Warranty\n\n${PARAGRAPH.join(" ")}`);
    expect(blocks[1]).toBe(`## Returns\n\n${OTHER.join(" ")}`);
  });

  it("has headings in bold letters of the body's size", async () => {
    const { blocks } = await converted([
      [...lines(PARAGRAPH), { text: "Returns", x: 72, y: 160, font: "bold" }, ...lines(OTHER, { y: 180 })],
    ]);
    expect(blocks[0]).toBe(`${PARAGRAPH.join(" ")}\n\n# Returns\n\n${OTHER.join(" ")}`);
  });

  it("is read column by column, and what runs over both columns where it stands", async () => {
    const column = (word: string, count: number): string[] =>
      Array.from({ length: count }, (_, i) => `${word} line ${"abcdefghij"[i]} fills this column from edge to edge`);
    const { blocks } = await converted([
      [
        { text: "A heading that runs over both of the columns below it", x: 72, y: 60, size: 18 },
        ...lines(column("One", 6), { x: 40, y: 100, size: 9 }),
        ...lines(column("Two", 6), { x: 310, y: 103, size: 9 }),
        { text: "Another heading that runs over both of the columns", x: 72, y: 200, size: 18 },
        ...lines(column("Three", 6), { x: 40, y: 240, size: 9 }),
        ...lines(column("Four", 6), { x: 310, y: 240, size: 9 }),
      ],
    ]);
    const order = [...(blocks[0] ?? "").matchAll(/A heading|Another|(?:One|Two|Three|Four) line [af]/g)].map(
      ([found]) => found,
    );
    expect(order).toEqual(
      ["A heading", "One a", "One f", "Two a", "Two f", "Another", "Three a", "Three f", "Four a", "Four f"].map(
        (each) => each.replace(/ ([af])$/, " line $1"),
      ),
    );
  });

  it("is read column by column where columns are lists at heights of their own, as on a reference card", async () => {
    const list = (name: string, x: number, leading: number): PdfText[] =>
      Array.from({ length: 26 }, (_, i) => [
        { text: `${name}-${i}`, x, y: 60 + leading * i, size: 7 },
        {
          text: `${name} has ${"abcdefghijklmnopqrstuvwxyz"[i]}${i === 9 ? ", which is said in many more words than that of any other" : ""}`,
          x: x + 50,
          y: 60 + leading * i,
          size: 7,
        },
      ]).flat();
    const { blocks } = await converted([[...list("bell", 40, 9), ...list("lamp", 320, 11.3)]]);
    const words = blocks[0] ?? "";
    expect(words).toMatch(/bell-3\W+bell has d/);
    expect(words.lastIndexOf("bell")).toBeLessThan(words.indexOf("lamp"));
  });

  it("joins words that a line's end divides, and keeps the hyphen of those that have one", async () => {
    const { blocks } = await converted([
      [
        ...lines([
          "All of the well-known names are in the list of names, and this infor-",
          "mation is kept for as long as it is of use to a well-",
          "known person.",
        ]),
        ...BODY,
      ],
    ]);
    expect(blocks[0]).toContain("this information is kept for as long as it is of use to a well-known person.");
  });

  it("leaves out running heads, feet and page numbers, left and right ones", async () => {
    const pages = Array.from({ length: 8 }, (_, i) => [
      {
        text: i % 2 === 0 ? "The Manual" : `Chapter ${1 + Math.floor(i / 4)}: ${i < 4 ? "Bread" : "Cheese"}`,
        x: i % 2 === 0 ? 72 : 400,
        y: 40,
      },
      ...lines([`Only page number ${"abcdefgh"[i]} says this.`, ...PARAGRAPH], { y: 100 }),
      { text: `${i + 5}`, x: 300, y: 770 },
    ]);
    const { blocks } = await converted(pages);
    expect(blocks.join("\n")).not.toMatch(/The Manual|Chapter|^\d+$/m);
    expect(blocks[3]).toBe(`Only page number d says this.\n\n${PARAGRAPH.join(" ")}`);
  });

  it("leaves out tables of contents and indexes, and keeps empty pages in their place", async () => {
    const titles = ["Bread", "Butter", "Cheese", "Dates", "Eggs", "Flour"];
    const { blocks } = await converted([
      [
        { text: "Contents", x: 72, y: 60, size: 18 },
        ...titles.map((title, i) => ({
          text: `${i + 1} ${title} . . . . . . . . . ${i * 4 + 3}`,
          x: 72,
          y: 100 + 14 * i,
        })),
      ],
      lines(PARAGRAPH),
      [
        { text: "Index", x: 72, y: 60, size: 18 },
        ...titles.map((title, i) => ({ text: `${title}, ${i + 3}, ${i + 9}`, x: 72, y: 100 + 14 * i })),
      ],
    ]);
    expect(blocks).toEqual(["", PARAGRAPH.join(" "), ""]);
  });

  it("has lists with what hangs below their marks", async () => {
    const { blocks } = await converted([
      [
        ...BODY,
        {
          text: "\x95 Take the lid off and put it aside; it will be needed again when all of the rest has been",
          x: 72,
          y: 300,
        },
        { text: "done.", x: 80, y: 312 },
        { text: "\x95 Pull the lever.", x: 72, y: 326 },
        { text: "1. Wait.", x: 72, y: 360 },
        { text: "2. Put the lid on.", x: 72, y: 374 },
      ],
    ]);
    expect(blocks[0]).toContain("rest has been done.\n- Pull the lever.\n");
    expect(blocks[0]).toMatch(/1\. Wait\.\n2\. Put the lid on\.$/);
  });

  it("has tables with their header", async () => {
    const rows = [
      ["Part", "Weight", "Price"],
      ["Frame", "2100", "95.00"],
      ["Brake", "140", "12.50"],
      ["Lamp", "60", "8.00"],
    ];
    const table = rows.flatMap((row, i) => row.map((text, j) => ({ text, x: 72 + j * 120, y: 320 + i * 14 })));
    const { blocks } = await converted([[...BODY, ...table]]);
    expect(blocks[0]).toContain(
      "| Part | Weight | Price |\n| --- | --- | --- |\n| Frame | 2100 | 95.00 |\n| Brake | 140 | 12.50 |\n| Lamp | 60 | 8.00 |",
    );
  });

  it("has code with its spaces", async () => {
    const { blocks } = await converted([
      [...BODY, ...lines(["if ready:", "    start(now)", "    wait()"], { y: 320, font: "mono" })],
    ]);
    expect(blocks[0]).toContain("```\nif ready:\n    start(now)\n    wait()\n```");
  });

  it("leaves out what stands askew, such as a watermark", async () => {
    const { blocks } = await converted([[...BODY, { text: "CONFIDENTIAL", x: 150, y: 600, size: 60, turned: 45 }]]);
    expect(blocks).toEqual((await converted([BODY])).blocks);
  });

  it("is turned where its text is", async () => {
    const turned = PARAGRAPH.map((text, i) => ({ text, x: 100 + 12 * i, y: 700, turned: 90 }));
    expect((await converted([turned])).blocks[0]).toBe(PARAGRAPH.join(" "));
  });

  it("means what it says: marks of markdown are words", async () => {
    const { blocks } = await converted([[...BODY, ...lines(["# of items: 5 <b> and *stars* in my_file"], { y: 320 })]]);
    expect(blocks[0]).toContain("\\# of items: 5 \\<b> and \\*stars\\* in my_file");
  });
});

describe("words of a PDF", () => {
  const word = fc.stringMatching(/^[a-z]{2,9}$/);
  /** Short enough for a column, so that no line reaches the other one. */
  const textLine = fc
    .array(word, { minLength: 4, maxLength: 9 })
    .map((words) => words.join(" ").slice(0, 34).replace(/ .?$/, ""));

  it("are all there, in their order, in one column and in two", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(textLine, { minLength: 8, maxLength: 30 }), fc.boolean(), async (texts, hasColumns) => {
        const half = hasColumns ? texts.length >> 1 : texts.length;
        const page = [
          ...lines(texts.slice(0, half), { x: 30, size: 8 }),
          ...lines(texts.slice(half), { x: 320, size: 8 }),
        ];
        const all = (await converted([page])).blocks.join(" ").match(/[a-z]+/g) ?? [];
        const given = texts.join(" ").split(" ");
        expect([...all].sort()).toEqual([...given].sort());
        if (!hasColumns) expect(all).toEqual(given);
      }),
      { numRuns: lawRuns(60) },
    );
  });
});

describe("the title of a PDF", () => {
  const page = [{ text: "Bicycle Manual", x: 72, y: 60, size: 24 }, ...BODY];
  it.each([
    ["that its author gave", { info: { Title: "The Bicycle" } }, "The Bicycle"],
    ["not what its template was called", { info: { Title: "Corporate Letter Blue 2019" } }, "Bicycle Manual"],
    ["not the name of a part", { info: { Title: "NAME" } }, "Bicycle Manual"],
    ["not what a word processor wrote", { info: { Title: "Microsoft Word - bike_v3.doc" } }, "Bicycle Manual"],
    ["not the name of a file", { info: { Title: "bike_v3.indd" } }, "Bicycle Manual"],
    ["its largest words", {}, "Bicycle Manual"],
  ])("is %s", async (_, options, title) => {
    expect((await converted([page], options)).metaData.title).toBe(title);
  });

  it("is the name of the file where nothing is larger than the rest", async () => {
    expect((await converted([BODY], {}, "bike.pdf")).metaData.title).toBe("bike");
  });

  it("is that of its author where no other words are large", async () => {
    expect((await converted([BODY], { info: { Title: "Corporate Letter Blue" } })).metaData.title).toBe(
      "Corporate Letter Blue",
    );
  });

  it("is none of a chapter that every document has", async () => {
    const contents = { text: "Contents", x: 72, y: 60, size: 28 };
    const title = { text: "Bicycle Manual", x: 72, y: 120, size: 20 };
    expect((await converted([[contents, title, ...BODY]])).metaData.title).toBe("Bicycle Manual");
  });

  it("is what a page of a manual says that it is", async () => {
    const texts: PdfText[] = [
      { text: "NAME", x: 72, y: 60, font: "bold", size: 12 },
      { text: "niceload - slow down a program when the load is high", x: 90, y: 76 },
      { text: "SYNOPSIS", x: 72, y: 110, font: "bold", size: 12 },
      ...BODY,
    ];
    expect((await converted([texts])).metaData.title).toBe("niceload - slow down a program when the load is high");
  });

  it("comes with author and date", async () => {
    const { metaData } = await converted([page], { info: { Author: "A. Rider", CreationDate: "D:20240229120000Z" } });
    expect(metaData).toMatchObject({ author: "A. Rider", date: "2024-02-29" });
  });
});

describe("a PDF that cannot be read", () => {
  const whole = pdfOf([BODY]);
  it.each([
    ["empty", new Uint8Array(), /empty/],
    ["something else", new Uint8Array(Buffer.from("Dear all, this is a letter.")), /no PDF/],
    ["without text", pdfOf([[]]), /no text/],
  ])("says why: %s", async (_, bytes, why) => {
    await expect(convertPdf({ bytes, name: "file.pdf", kind: "pdf" })).rejects.toThrow(why);
  });

  it.each([
    ["its table of places", "xref"],
    ["its beginning", "/Type /Catalog"],
    ["its list of pages", "/Type /Pages"],
  ])("gives what is left of it where %s and all behind it is missing", async (_, lost) => {
    const bytes = whole.slice(0, Buffer.from(whole).lastIndexOf(lost));
    const { page, notes } = await convertPdf({ bytes, name: "file.pdf", kind: "pdf" });
    expect(page?.content[0]?.md).toContain("The warranty covers");
    expect(notes).toEqual([expect.stringContaining("cut off")]);
  });

  it("goes in where only its owner needs a password", async () => {
    const bytes = await readFile(new URL("../../fixtures/pdf-encrypted/owner-password.pdf", import.meta.url));
    const { page } = await convertPdf({ bytes, name: "file.pdf", kind: "pdf" });
    expect(page?.content[0]?.md).toBe("The warranty covers the engine for two years from the day of purchase.");
  });

  it("says that it is encrypted where every reader needs one", async () => {
    const bytes = await readFile(new URL("../../fixtures/pdf-encrypted/user-password.pdf", import.meta.url));
    await expect(convertPdf({ bytes, name: "file.pdf", kind: "pdf" })).rejects.toThrow(/encrypted.*without/);
  });

  describe("because a font is not in it", () => {
    /** Bold words become Chinese ones, in a font that every reader is thought to have. */
    const file = (texts: readonly PdfText[], encoding: string): Uint8Array =>
      pdfOf([texts], {
        boldFont: `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 >> >>] >>`,
      });
    const chinese: PdfText = { text: "\xc4\xe3\xba\xc3", x: 72, y: 400, font: "bold" };

    it.each(["Identity-H", "GBK-EUC-H"])("says which page lacks words: %s", async (encoding) => {
      const { page, notes } = await convertPdf({
        bytes: file([...BODY, chinese], encoding),
        name: "a.pdf",
        kind: "pdf",
      });
      expect(page?.content[0]?.md).toContain("The warranty covers");
      expect(notes).toEqual([expect.stringMatching(/page 1 are in fonts that the PDF does not hold/)]);
    });

    it("says so where all of it is lost", async () => {
      const bytes = file([chinese], "GBK-EUC-H");
      await expect(convertPdf({ bytes, name: "a.pdf", kind: "pdf" })).rejects.toThrow(
        /fonts that it does not hold.*embedded/,
      );
    });
  });

  it("leaves the bytes that it was given as they were", async () => {
    const bytes = pdfOf([BODY]);
    await convertPdf({ bytes, name: "file.pdf", kind: "pdf" });
    expect(bytes).toEqual(whole);
  });
});
