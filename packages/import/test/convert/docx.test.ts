import mammoth from "mammoth";
import { describe, expect, it, vi } from "vitest";
import { moreThanLinear } from "../../../core/test/support/linear-time.ts";
import type { Conversion } from "../../src/convert/conversion.ts";
import { convertDocx } from "../../src/convert/docx.ts";
import { archiveOf, paragraph, textDocumentOf } from "../support/office-files.ts";

async function converted(...document: Parameters<typeof textDocumentOf>): Promise<Conversion> {
  return convertDocx({ bytes: textDocumentOf(...document), name: "guide.docx", kind: "docx" });
}

async function markdownOf(...document: Parameters<typeof textDocumentOf>): Promise<string | undefined> {
  return (await converted(...document)).page?.content[0]?.md.trimEnd();
}

function style(id: string, name: string, more = ""): string {
  return `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`;
}

describe("a text document", () => {
  it("is a DOCUMENT with its paragraphs, titled by its file where nothing else is known", async () => {
    const { page } = await converted(paragraph("One &amp; two.") + paragraph("Three."));
    expect(page).toEqual({
      type: "DOCUMENT",
      metaData: { title: "guide" },
      content: [{ md: "One & two.\n\nThree.\n" }],
    });
  });

  it("takes its title from the paragraph that is one, and author and date from what it says of itself", async () => {
    const core =
      "<cp:coreProperties><dc:title>Old</dc:title><dc:creator>Ann</dc:creator><dcterms:created>2024-01-01T00:00:00Z</dcterms:created>" +
      "<dcterms:modified>2024-05-02T10:00:00Z</dcterms:modified></cp:coreProperties>";
    const styles = style("T", "Title") + style("H", "heading 1");
    const body = paragraph("Garden guide", { style: "T" }) + paragraph("Trees", { style: "H" }) + paragraph("Text.");
    const parts = { "docProps/core.xml": core };
    expect((await converted(body, { styles, parts })).page?.metaData).toEqual({
      title: "Garden guide",
      author: "Ann",
      date: "2024-05-02",
    });
    expect((await converted(paragraph("Text."), { parts })).page?.metaData.title).toBe("Old");
    const { page } = await converted(paragraph("Trees", { style: "H" }) + paragraph("Text."), { styles });
    expect(page?.metaData.title).toBe("Trees");
  });

  it.each([
    ["by its name, whatever its id", style("berschrift2", "heading 2"), { style: "berschrift2" }],
    [
      "by its outline level",
      style("Kapitel", "Kapitel", '<w:pPr><w:outlineLvl w:val="1"/></w:pPr>'),
      { style: "Kapitel" },
    ],
    [
      "by the style that it is based on",
      style("H", "heading 2") + style("Own", "Own", '<w:basedOn w:val="H"/>'),
      { style: "Own" },
    ],
    ["by the level of the paragraph itself", "", { properties: '<w:outlineLvl w:val="1"/>' }],
    ["by a name in another language", style("x", "Überschrift 2"), { style: "x" }],
  ])("finds a heading %s", async (_, styles, options) => {
    expect(await markdownOf(paragraph("Trees", options) + paragraph("Text."), { styles })).toBe("## Trees\n\nText.");
  });

  it("takes short bold lines for headings where it has no others", async () => {
    const bold = paragraph("Opening hours", { run: "<w:b/>" });
    expect(await markdownOf(bold + paragraph("From nine.") + paragraph("To five."))).toBe(
      "## Opening hours\n\nFrom nine.\n\nTo five.",
    );
    expect(await markdownOf(bold + paragraph("All bold", { run: "<w:b/>" }))).not.toContain("#");
    const headings = paragraph("Trees", { properties: '<w:outlineLvl w:val="0"/>' });
    expect(await markdownOf(headings + bold + paragraph("From nine."))).toBe(
      "# Trees\n\n**Opening hours**\n\nFrom nine.",
    );
  });

  it("drops tables of contents, by their style and by their look", async () => {
    const styles = style("TOC1", "toc 1") + style("C", "Contents Heading");
    const linked =
      '<w:p><w:hyperlink w:anchor="_x"><w:r><w:t>Trees</w:t></w:r><w:r><w:tab/></w:r><w:r><w:t>7</w:t></w:r></w:hyperlink></w:p>';
    const body =
      `<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj></w:sdtPr><w:sdtContent>${paragraph("Inhalt")}</w:sdtContent></w:sdt>` +
      paragraph("Contents", { style: "C" }) +
      paragraph("Trees 4", { style: "TOC1" }) +
      paragraph("Shrubs ........... 12") +
      linked +
      paragraph("Trees grow.");
    expect(await markdownOf(body, { styles })).toBe("Trees grow.");
  });

  it("keeps a paragraph that only ends with a number", async () => {
    expect(await markdownOf(paragraph("Call us at 12 34 5"))).toBe("Call us at 12 34 5");
  });

  it("has the accepted text: what was added, without what was taken out", async () => {
    const body =
      "<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del><w:r><w:t> text</w:t></w:r></w:p>";
    expect(await markdownOf(body)).toBe("new text");
  });

  it("keeps formulas in a line of text", async () => {
    const math = (inner: string): string =>
      `<w:p><w:r><w:t xml:space="preserve">Area: </w:t></w:r><m:oMath>${inner}</m:oMath></w:p>`;
    const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const square = `${run("r")}<m:sSup><m:e/><m:sup>${run("2")}</m:sup></m:sSup>`;
    expect(await markdownOf(math(square))).toBe("Area: r^2");
    const fraction = `<m:f><m:num>${run("a+b")}</m:num><m:den>${run("c")}</m:den></m:f>`;
    expect(await markdownOf(math(fraction))).toBe("Area: (a+b)/c");
  });

  it("has lists, tables with the header that their rows tell, and code", async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`;
    const row = (...cells: string[]): string => `<w:tr>${cells.map(cell).join("")}</w:tr>`;
    const table = `<w:tbl>${row("item", "price")}${row("chair", "5")}</w:tbl>`;
    const styles = style("Code", "Preformatted Text");
    const code = paragraph("a = 1", { style: "Code" }) + paragraph("  b = 2", { style: "Code" });
    expect(await markdownOf(table + code, { styles })).toBe(
      "| item | price |\n| --- | --- |\n| chair | 5 |\n\n```\na = 1\n  b = 2\n```",
    );
  });

  it.each([
    ["no text", textDocumentOf(""), "the file has no text"],
    ["no document in it", archiveOf({ "[Content_Types].xml": "<Types/>" }), "no .docx file"],
    ["a document that is not whole", textDocumentOf("<w:p>"), "the file is damaged"],
    [
      "elements nested without measure",
      textDocumentOf("<w:p>".repeat(100_000) + "</w:p>".repeat(100_000)),
      "nested more than 500 deep",
    ],
  ])("is refused in words where it has %s", async (_, bytes, message) => {
    await expect(convertDocx({ bytes, name: "guide.docx", kind: "docx" })).rejects.toThrow(message);
  });
});

const run = (inside: string): string => `<w:r>${inside}</w:r>`;
const mark = (type: string): string => run(`<w:fldChar w:fldCharType="${type}"/>`);
const shown = (text: string): string => run(`<w:t xml:space="preserve">${text}</w:t>`);

/** A paragraph with a field, whose instruction lies in these pieces. */
function withField(pieces: readonly string[], inside: string): string {
  const instruction = pieces.map((piece) =>
    run(`<w:instrText>${piece.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}</w:instrText>`),
  );
  return `<w:p>${shown("See ")}${mark("begin")}${instruction.join("")}${mark("separate")}${inside}${mark("end")}${shown(" now.")}</w:p>`;
}

describe("a field", () => {
  it.each([
    ["an address", ['HYPERLINK "https://a.org/b?c=1&d=2"'], "[the page](https://a.org/b?c=1&d=2)"],
    [
      "an address and a place in it",
      [' HYPERLINK "https://a.org/b" \\l "part 2" '],
      "[the page](https://a.org/b#part%202)",
    ],
    ["an address with another place in it", ['HYPERLINK "https://a.org/b#c" \\l "d"'], "[the page](https://a.org/b#d)"],
    [
      "a hint and a window",
      ['HYPERLINK "https://a.org" \\o "say \\"yes\\"" \\t "_blank" \\h'],
      "[the page](https://a.org)",
    ],
    ["options before its address", ['HYPERLINK \\t "_blank" "https://a.org"'], "[the page](https://a.org)"],
    ["an address in pieces", ["HYPER", 'LINK "https://', 'a.org" \\l', ' "d"'], "[the page](https://a.org#d)"],
    ["an address without marks", ["HYPERLINK https://a.org/b \\h"], "[the page](https://a.org/b)"],
    ["marks that its author's program wrote", ["HYPERLINK “https://a.org” \\l “d”"], "[the page](https://a.org#d)"],
    ["a file of its folder", ['HYPERLINK "files\\\\a.pdf"'], "[the page](files%5Ca.pdf)"],
    ["a place in the document", ['HYPERLINK \\l "valve"'], "the page"],
    ["a reference", [" REF valve \\h "], "the page"],
  ])("that is a link with %s becomes one, or what it shows", async (_, pieces, text) => {
    expect(await markdownOf(withField(pieces, shown("the page")))).toBe(`See ${text} now.`);
  });

  it("is followed by another, or holds one", async () => {
    const inner = `${shown("page ")}${mark("begin")}${run("<w:instrText>PAGEREF x</w:instrText>")}${mark("separate")}${shown("7")}${mark("end")}`;
    expect(await markdownOf(withField(['HYPERLINK "https://a.org" \\l "d"'], inner))).toBe(
      "See [page 7](https://a.org#d) now.",
    );
    const both = withField(["HYPERLINK \\l x"], shown("one")) + withField(['HYPERLINK "https://a.org"'], shown("two"));
    expect(await markdownOf(both)).toBe("See one now.\n\nSee [two](https://a.org) now.");
  });

  it.each([
    [" SEQ Figure ", "Figure 3"],
    ["HYPERLINK &quot;https://a.org/?b=1&amp;c=2&quot; \\l &quot;d&quot;", "[Figure 3](https://a.org/?b=1&c=2#d)"],
  ])("in one piece keeps what it shows: %s", async (instruction, text) => {
    const field = `<w:fldSimple w:instr="${instruction}">${shown("Figure 3")}</w:fldSimple>`;
    expect(await markdownOf(`<w:p>${shown("See ")}${field}${shown(".")}</w:p>`)).toBe(`See ${text}.`);
  });
});

it("keeps what stands in a direction of writing, and signs without their pronunciation", async () => {
  const ruby = `<w:ruby><w:rubyPr/><w:rt>${shown("かん")}</w:rt><w:rubyBase>${shown("漢")}</w:rubyBase></w:ruby>`;
  const body = `<w:p><w:bdo w:val="rtl">${shown("one ")}</w:bdo><w:dir w:val="ltr">${shown("two ")}</w:dir>${run(ruby)}</w:p>`;
  expect(await markdownOf(body)).toBe("one two 漢");
});

describe("a text document in which each paragraph has a style of its own", () => {
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
  /** Styles of paragraphs that are there, and of letters that are not: mammoth has something to say of each. */
  function manyStyles(count: number): Parameters<typeof textDocumentOf> {
    const body = numbers(count).map((i) =>
      paragraph(`Text ${i}`, { style: `S${i}`, run: `<w:rStyle w:val="R${i}"/>` }),
    );
    return [
      body.join(""),
      {
        styles: numbers(count)
          .map((i) => style(`S${i}`, `Own ${i}`))
          .join(""),
      },
    ];
  }

  it("is converted in linear time", async () => {
    const work = (count: number) => {
      const document = manyStyles(count);
      return () => converted(...document);
    };
    expect(await moreThanLinear(work, 4_000, 16_000)).toBeUndefined();
  });

  it("is converted without a message that would be compared with all others", async () => {
    const convert = vi.spyOn(mammoth, "convertToHtml");
    expect(await markdownOf(...manyStyles(3))).toBe("Text 0\n\nText 1\n\nText 2");
    const result = await convert.mock.results[0]?.value;
    convert.mockRestore();
    expect(result?.messages).toEqual([]);
  });
});
