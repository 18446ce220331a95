import { describe, expect, it } from "vitest";
import { Links, withoutSigns } from "../../../src/convert/pdf/links.ts";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { lines, type PdfLink, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

const BODY = lines([
  "The warranty covers the engine, the frame and the brakes for two years from",
  "the day of purchase.",
]);

async function converted(drawn: readonly (PdfText | PdfLink)[]): Promise<string> {
  const { page } = await convertPdf({ bytes: pdfOf([[...BODY, ...drawn]]), name: "file.pdf", kind: "pdf" });
  return page?.content[0]?.md ?? "";
}

describe("a link of a PDF", () => {
  const text = (of: string, y = 200): PdfText => ({ text: of, x: 72, y, font: "mono" });
  /** Fields of words in letters that are 6 points wide. */
  const link = (from: number, to: number, address: string, y = 200): PdfLink => ({
    address,
    from: [72 + 6 * from, y - 9],
    to: [72 + 6 * to, y + 3],
  });
  const plain = (of: string): PdfText => ({ ...text(of), font: "plain" });

  it("keeps its address", async () => {
    const md = await converted([
      plain("See our pages for more."),
      { address: "https://example.com/a?b=1", from: [92, 190], to: [138, 203] },
    ]);
    expect(md).toContain("See [our pages](https://example.com/a?b=1) for more.");
  });

  it("goes on over the end of a line", async () => {
    const address = "https://example.com/guide";
    const far = {
      text: "Whoever would like to know all of it may read the long and patient guide to our",
      x: 72,
      y: 300,
    };
    const md = await converted([
      far,
      { text: "kettles before anything else.", x: 72, y: 312 },
      { address, from: [360, 290], to: [500, 302] },
      { address, from: [70, 303], to: [105, 315] },
    ]);
    expect(md).toMatch(/\[[a-z ]*guide to our kettles\]\(https:\/\/example\.com\/guide\) before/);
  });

  it.each([
    ["says its address itself", "https://example.com/guide"],
    ["says it among other words", "our guide (https://example.com/guide"],
    ["says its address without a scheme", "www.example.com/guide"],
  ])("is left as it is where it %s", async (_, address) => {
    const md = await converted([
      plain(address),
      { address: "https://example.com/guide", from: [70, 190], to: [400, 203] },
    ]);
    expect(md).toMatch(new RegExp(`${address.replace("(", ".")}$`));
  });

  it.each(["javascript:alert(1)", "file:///etc/passwd", "relative.html"])("is none to %s", async (address) => {
    expect(new Links().signOf(address)).toBeUndefined();
    expect(await converted([plain("See our pages."), link(0, 40, address)])).toMatch(/See our pages\.$/);
  });

  it("has an address that markdown can hold", () => {
    const links = new Links();
    const sign = links.signOf("https://example.com/a_(b) c<d>") ?? "";
    expect(links.written(`${sign}a [b]${sign}`)).toBe("[a \\[b\\]](https://example.com/a_%28b%29%20c%3Cd%3E)");
    expect(withoutSigns(`${sign}a${sign} b`)).toBe("a b");
  });
});
