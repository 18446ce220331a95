import { describe, expect, it, onTestFinished } from "vitest";
import { IsolatedConverter } from "../../../src/isolated/convert-isolated.ts";
import { lines, pdfOf } from "../../support/pdf-writer.ts";

const LINES = Array.from({ length: 30 }, (_, i) => `Line ${i} has some words about gears, brakes, lamps and wheels.`);

describe("a PDF of 10,000 pages in one list", () => {
  it("is read within the memory that each file has", async () => {
    const bytes = pdfOf(Array.from({ length: 10_000 }, (_, i) => lines([`Page ${i} of many`, ...LINES], { y: 150 })));
    const isolated = new IsolatedConverter({ secondsMax: 600 });
    onTestFinished(() => isolated.close());
    const { page } = await isolated.convert({ bytes, name: "file.pdf", kind: "pdf" });
    expect(page?.content).toHaveLength(10_000);
    expect(page?.content[9_999]?.md).toContain("gears, brakes");
  });
});
