import type { JsonObject } from "@loredex/core";

/** The position of a document's lines in the imported file. All numbers count from 1. */
export type PlaceInFile =
  | { readonly kind: "lines"; readonly first: number; readonly last: number }
  | { readonly kind: "rows"; readonly sheet: string; readonly first: number; readonly last: number }
  | { readonly kind: "page"; readonly page: number };

/**
 * Finds lines of a document, as in search results, in its file. It uses entries of `metaData`: `sourceLine` or `sourceLines` for lines of a text, `sourceRows`
 * with `sheets` for rows of a workbook, `pages` for pages of a PDF.
 * @returns undefined if the file has no such positions, as a web page or a .docx: then they are lines of the converted text
 */
export function placeInFile(metaData: JsonObject, start: number, stop: number): PlaceInFile | undefined {
  const { sourceLine, sourceLines, sourceRows, sheets, pages } = metaData;
  if (Array.isArray(pages)) return { kind: "page", page: pageOf(pages, start) };
  if (typeof sourceLine === "number") {
    return { kind: "lines", first: sourceLine + start - 1, last: sourceLine + stop - 1 };
  }
  const first = placeBy(sourceLines ?? sourceRows, start);
  const last = placeBy(sourceLines ?? sourceRows, stop);
  if (first === undefined || last === undefined) return undefined;
  const isEnd = last.place >= first.place && last.sheet === first.sheet;
  const range = { first: first.place, last: isEnd ? last.place : first.place };
  if (Array.isArray(sourceLines)) return { kind: "lines", ...range };
  const sheet: unknown = Array.isArray(sheets) ? sheets[first.sheet] : undefined;
  return typeof sheet === "string" ? { kind: "rows", sheet, ...range } : undefined;
}

/** Finds the position and the sheet of a line by marks. From a mark on, line and position increase together until the next one. */
function placeBy(marks: unknown, line: number): { readonly place: number; readonly sheet: number } | undefined {
  if (!Array.isArray(marks)) return undefined;
  const mark: unknown = marks.findLast(
    (each: unknown) => Array.isArray(each) && typeof each[0] === "number" && each[0] <= line,
  );
  if (!Array.isArray(mark)) return undefined;
  const [from, place, sheet = 0]: unknown[] = mark;
  if (typeof from !== "number" || typeof place !== "number" || typeof sheet !== "number") return undefined;
  return { place: place + line - from, sheet };
}

/** @param pages the first line of each page */
function pageOf(pages: readonly unknown[], line: number): number {
  const after = pages.findIndex((first) => typeof first === "number" && first > line);
  return after < 0 ? pages.length : Math.max(after, 1);
}
