import { join } from "node:path";
import type { SearchResult, SourceInfo } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { placesOf } from "../src/commands/places.ts";
import { writeFiles } from "./support/files.ts";
import { temporaryDirectory } from "./support/temporary-directory.ts";

const part = (start: number, stop = start) => ({ text: "x", similarity: 0.5, start, stop });
const source = (name: string, ...places: SourceInfo["arguments"]): SourceInfo => ({
  name,
  documents: 1,
  arguments: places,
});
const folder = (path: string, ids: string) => ({ name: path, kind: "folder" as const, path, ids });

describe("where a part of a result stands", () => {
  const sources = [
    source("/srv/handbook", folder("/srv/handbook", "file:handbook/")),
    source("/srv/report.pdf", {
      name: "/srv/report.pdf",
      kind: "file",
      path: "/srv/report.pdf",
      ids: "file:report.pdf",
    }),
  ];
  const places = (
    resourceDocId: string,
    metaData: SearchResult["metaData"],
    ...similarTextParts: ReturnType<typeof part>[]
  ) => placesOf({ resourceDocId, metaData, similarTextParts }, sources);

  it("is the line of the file, front matter counted", () => {
    expect(places("file:handbook/a/b.md", { sourceLine: 4 }, part(3), part(5, 7))).toEqual([
      "/srv/handbook/a/b.md:6",
      "/srv/handbook/a/b.md:8-10",
    ]);
  });

  it("is the page of a file that has some", () => {
    expect(places("file:report.pdf", { pages: [1, 10, 10, 20] }, part(1), part(9), part(10), part(25))).toEqual([
      "/srv/report.pdf, page 1",
      "/srv/report.pdf, page 1",
      "/srv/report.pdf, page 3",
      "/srv/report.pdf, page 4",
    ]);
  });

  it("is the file of a question that a page was rid of, and lines of the document where those of the file are unknown", () => {
    expect(places("file:handbook/faq.html#qna-0123456789abcdef", {}, part(1))).toEqual([
      "/srv/handbook/faq.html, line 1 of its text",
    ]);
    expect(places("p1", {}, part(2, 3))).toEqual(["lines 2-3"]);
    expect(places("file:other/x.md", { sourceLine: 1 }, part(2))).toEqual(["line 2"]);
  });

  it("is the line of a table's file, and the row of a workbook's sheet", () => {
    const sourceLines = [
      [1, 1],
      [3, 2],
      [5, 7],
    ];
    expect(places("file:handbook/a.csv", { sourceLines }, part(1), part(4), part(4, 6))).toEqual([
      "/srv/handbook/a.csv:1",
      "/srv/handbook/a.csv:3",
      "/srv/handbook/a.csv:3-8",
    ]);
    const sourceRows = [
      [1, 1, 0],
      [5, 2, 0],
      [9, 4, 1],
    ];
    const sheets = ["Prices", "Other"];
    expect(places("file:handbook/a.xlsx", { sourceRows, sheets }, part(5), part(5, 6), part(10), part(6, 9))).toEqual([
      '/srv/handbook/a.xlsx, sheet "Prices", row 2',
      '/srv/handbook/a.xlsx, sheet "Prices", rows 2-3',
      '/srv/handbook/a.xlsx, sheet "Other", row 5',
      '/srv/handbook/a.xlsx, sheet "Prices", row 3',
    ]);
  });

  it.each([
    { sourceLine: "1" },
    { sourceLines: "1" },
    { sourceLines: [[1, "x"], 3, [2]] },
    { sourceRows: [[1, 1, 7]], sheets: ["A"] },
    { sourceRows: [[1, 1, 0]] },
  ])("is a line of the text where its owner has written something else: %j", (metaData) => {
    expect(places("file:handbook/a.md", metaData, part(2))).toEqual(["/srv/handbook/a.md, line 2 of its text"]);
  });

  it("is from the working directory where the file lies in there, and of the folder that has it", async () => {
    const directory = await temporaryDirectory();
    await writeFiles(directory, { "two/a.md": "x" });
    const both = [
      source("docs", folder(join(directory, "one"), "file:docs/"), folder(join(directory, "two"), "file:docs/")),
    ];
    const at = { resourceDocId: "file:docs/a.md", metaData: { sourceLine: 1 }, similarTextParts: [part(1)] };
    expect(placesOf(at, both)).toEqual([`${join(directory, "two", "a.md")}:1`]);
    const here = [source("docs", folder(join(process.cwd(), "docs"), "file:docs/"))];
    expect(placesOf(at, here)).toEqual([`${join("docs", "a.md")}:1`]);
  });
});
