import { describe, expect, it } from "vitest";
import { KIND_BYTES, kindOfBytes, kindOfName } from "../../src/convert/kinds.ts";

describe("the kind of a file", () => {
  it.each([
    ["a/b.md", "markdown"],
    ["B.MARKDOWN", "markdown"],
    ["a.mdx", "markdown"],
    ["index.HTM", "html"],
    ["a.xhtml", "html"],
    ["a.b.PDF", "pdf"],
    ["a.text", "text"],
    ["a.tab", "tsv"],
    ["a.xlsm", "xlsx"],
    ["readme", undefined],
    [".md", undefined],
    ["a.md/b", undefined],
    ["a.exe", undefined],
  ])("is told by its name: %s", (name, kind) => {
    expect(kindOfName(name)).toBe(kind);
  });

  it.each([
    ["%PDF-1.7\n", "pdf"],
    ["\n\n%PDF-1.4", "pdf"],
    ["PK\u0003\u0004..[Content_Types].xml..word/document.xml", "docx"],
    ["PK\u0003\u0004..[Content_Types].xml..xl/workbook.xml", "xlsx"],
    ["  <!DOCTYPE html><p>", "html"],
    ["<html lang='en'>", "html"],
    ['<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "x">', "html"],
    ['{"resourceDocId":"a"}\n', "jsonl"],
    ["---\ntitle: A\n---\n", "markdown"],
    ["A text.", "markdown"],
    ["", "markdown"],
  ])("is told by its bytes where its name says nothing: %j", (text, kind) => {
    expect(kindOfBytes(Buffer.from(text, "latin1"))).toBe(kind);
    expect(kindOfBytes(Buffer.concat([Buffer.from(text, "latin1"), Buffer.alloc(KIND_BYTES)]))).toBe(kind);
  });

  it("is told behind a mark, and in UTF-16", () => {
    expect(kindOfBytes(Buffer.from("\ufeff<html>"))).toBe("html");
    expect(kindOfBytes(Buffer.from("\ufeff<html>", "utf16le"))).toBe("html");
  });
});
