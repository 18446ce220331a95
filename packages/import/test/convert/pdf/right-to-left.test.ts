import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { isRightToLeft, logicalOrder, seenOrder } from "../../../src/convert/pdf/right-to-left.ts";

describe("a line that is read from the right", () => {
  it.each([
    ["words and numbers", "םימ רטיל 1.7", "1.7 ליטר מים"],
    ["words of the other direction among them", "15% לש citric acid ןומיל", "לימון citric acid של 15%"],
    ["a sign behind a number, as Arabic has it", "ءاملا نم %15", "15% من الماء"],
    ["brackets as they look", ".)12 דומע( וארו", "וראו (עמוד 12)."],
    ["brackets as they mean", ".(12 דומע) וארו", "וראו (עמוד 12)."],
    ["a mark behind its letter", "בָא", "אבָ"],
  ])("has %s", (_, seen, read) => {
    expect(logicalOrder(seen)).toBe(read);
  });

  it("is left alone where it has none of its letters", () => {
    expect(logicalOrder("(a) 12 b")).toBe("(a) 12 b");
  });

  it("has letters that are drawn as one in their order", () => {
    expect(logicalOrder(`ةي${seenOrder("لا")}غلا`)).toBe("الغلاية");
    expect(seenOrder("ffi")).toBe("ffi");
  });

  it("is told by most of its words", () => {
    expect(isRightToLeft("المصباح אדום red")).toBe(true);
    expect(isRightToLeft("red lamp אדום")).toBe(false);
    expect(isRightToLeft("12 34")).toBe(false);
  });
});

describe("a manual of an office program", () => {
  const read = async (name: string): Promise<string> => {
    const bytes = await readFile(new URL(`../../fixtures/pdf-office/${name}`, import.meta.url));
    const { page } = await convertPdf({ bytes, name, kind: "pdf" });
    return page?.content.map(({ md }) => md).join("\n") ?? "";
  };

  it("is read in Arabic, with the columns of its table from the right", async () => {
    const md = await read("arabic.pdf");
    expect(md).toContain("سعة الغلاية 1.7 لتر وتغلي الماء خلال 4 دقائق. لا تفتح الغطاء");
    expect(md).toContain("(انظر الصفحة 12).");
    expect(md).toContain("citric acid بنسبة 15% من الماء");
    expect(md).toContain("| المصباح | المعنى |\n| --- | --- |\n| أحمر | لا يوجد ماء |");
  });

  it("is read in Hebrew", async () => {
    const md = await read("hebrew.pdf");
    expect(md).toContain("נפח הקומקום 1.7 ליטר והוא מרתיח מים תוך 4 דקות.");
    expect(md).toContain("(ראו עמוד 12).");
    expect(md).toContain("citric acid ביחס של 15% מהמים");
  });
});
