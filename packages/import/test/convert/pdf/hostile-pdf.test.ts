import { afterAll, describe, expect, it } from "vitest";
import { IsolatedConverter } from "../../../src/isolated/convert-isolated.ts";
import { lines, pdfOf } from "../../support/pdf-writer.ts";

const TEXT = "The warranty covers the engine for two years.";

/** A page that draws this before its text. */
function pageWith(drawn: string): Uint8Array {
  const plain = Buffer.from(pdfOf([lines([TEXT])])).toString("latin1");
  return new Uint8Array(Buffer.from(plain.replace("BT /F1", `${drawn} BT /F1`).replace(/\/Length \d+/, ""), "latin1"));
}

/** A document that says this in its catalog. */
function catalogWith(said: string): Uint8Array {
  const plain = Buffer.from(pdfOf([lines([TEXT])])).toString("latin1");
  return new Uint8Array(Buffer.from(plain.replace("/Type /Catalog", `/Type /Catalog ${said}`), "latin1"));
}

const MANY = 100_000;

/** Of computing: all but the one that its reader takes the square of its length for are read in a fraction of it. */
const isolated = new IsolatedConverter({ secondsMax: 2 });
afterAll(() => isolated.close());

describe("a hostile PDF", () => {
  it.each([
    ["nests lists within lists where it draws", pageWith("[".repeat(MANY))],
    ["nests lists within lists in its catalog", catalogWith(`/A ${"[".repeat(MANY)}${"]".repeat(MANY)}`)],
    ["nests dictionaries in its catalog", catalogWith(`/A ${"<< /A ".repeat(MANY)} 1 ${">>".repeat(MANY)}`)],
    ["saves what it never restores", pageWith("q ".repeat(MANY))],
    ["has bookmarks that lead back to themselves", catalogWith("/Outlines << /First 5 0 R /Last 5 0 R >>")],
    ["is its own page tree", catalogWith("/Pages 7 0 R")],
  ])("ends in its text or in words, and the next one is read: it %s", async (_, bytes) => {
    const outcome = await isolated.convert({ bytes, name: "file.pdf", kind: "pdf" }).then(
      ({ page }) => page?.content[0]?.md,
      (error: unknown) => error,
    );
    if (outcome !== TEXT) expect(outcome).toMatchObject({ name: "ConversionError" });
    const next = await isolated.convert({ bytes: pdfOf([lines([TEXT])]), name: "next.pdf", kind: "pdf" });
    expect(next.page?.content[0]?.md).toBe(TEXT);
  });
});
