import { parse } from "node:path";
import { type Conversion, ConversionError, type Converter } from "../conversion.ts";
import type { Block } from "./block.ts";
import { blocksOf } from "./blocks.ts";
import { regionsOf } from "./columns.ts";
import { contentsSegments } from "./contents-lines.ts";
import { documentTitle } from "./document-title.ts";
import { headingLevels, headingStyle } from "./headings.ts";
import { withoutLeaders } from "./leaders.ts";
import { type Line, linesOf } from "./lines.ts";
import { type Links, withoutSigns } from "./links.ts";
import { withoutMarginNotes } from "./margin-notes.ts";
import type { Outline } from "./outline.ts";
import { joinedLines, pageMarkdown } from "./page-markdown.ts";
import { PdfFile } from "./pdf-file.ts";
import { type ReadPages, readPages } from "./read-pages.ts";
import { withRuledTables } from "./ruled-tables.ts";
import { runningSegments } from "./running.ts";
import { withTablesContinued } from "./table-pages.ts";
import { pdfDate } from "./title.ts";
import { typographyOf } from "./typography.ts";
import { Words } from "./words.ts";

/** Maximum pages listed in `metaData.pages`: a document's metadata holds 10,000 values. A longer file is imported too, without that list. */
const PAGES_TOLD_MAX = 9_900;

/** Number of first pages that are searched for the title. */
const TITLE_PAGES = 3;

/** Converts a PDF to one document with a block for each page. */
export const convertPdf: Converter = async ({ bytes, name }) => {
  const file = await PdfFile.open(bytes);
  try {
    const info = await file.info();
    const read = await readPages(file);
    refuseWithoutText(read);
    const { page, ...rest } = document(read, { info, name, links: file.links, outline: await file.outline() });
    return isCutOff(bytes) ? { ...rest, page, notes: [CUT_OFF, ...rest.notes] } : { ...rest, page };
  } finally {
    await file.close();
  }
};

const CUT_OFF = "the PDF is cut off before its end: what is left of it went in";
/** The end of a PDF. At most a few bytes may follow, and readers search this far for it. */
const END = "%%EOF";
const END_BYTES = 2_048;

function isCutOff(bytes: Uint8Array): boolean {
  return !Buffer.from(bytes.subarray(-END_BYTES)).includes(END);
}

function refuseWithoutText({ pages, characters, unmapped, hasPictures, lackingFonts, unread }: ReadPages): void {
  if (pages.length === 0) throw new ConversionError("the PDF has no pages");
  if (unmapped > characters) {
    throw new ConversionError(
      "the letters of this PDF cannot be told (its fonts do not say what they mean); make it again from its source, or run OCR on it",
    );
  }
  if (characters > 0) return;
  if (unread.length === pages.length) {
    throw new ConversionError(
      "the PDF is damaged: none of its pages can be read; open it in a PDF viewer and save it again",
    );
  }
  if (lackingFonts.length > 0) {
    throw new ConversionError(
      "the words of this PDF are in fonts that it does not hold; make it again with its fonts embedded",
    );
  }
  throw new ConversionError(
    hasPictures
      ? "the PDF has no text, only pictures of pages: run OCR on it first"
      : "the PDF has no text: its pages are empty or drawn",
  );
}

function document(
  read: ReadPages,
  told: {
    readonly info: ReadonlyMap<string, string>;
    readonly name: string;
    readonly links: Links;
    readonly outline: Outline;
  },
): Conversion & Required<Pick<Conversion, "page">> {
  const { info, name, links, outline } = told;
  const words = new Words();
  for (const { segments } of read.pages) for (const { text } of segments) words.add(withoutSigns(text));
  const { bodySize } = typographyOf(read.pages.map(({ segments }) => segments));
  const running = runningSegments(read.pages, bodySize);
  const regions = read.pages.map(({ segments }) => {
    const left = segments.filter((each) => !running.has(each));
    const { text, notes } = withoutMarginNotes(withRuledTables(left, words), bodySize);
    return [...regionsOf(text), ...notes];
  });
  // heads and feet of slides have more letters than what stands between them
  const typography = typographyOf(
    regions.map((page) => page.flat()),
    outline,
  );
  const contents = contentsSegments(regions);
  const parts = regions.map((page, i) =>
    page.flatMap((region) => {
      const lines = linesOf(region.filter((each) => !contents.has(each)).flatMap(withoutLeaders));
      return blocksOf(lines, { typography, words, rules: read.pages[i]?.rules ?? [] });
    }),
  );
  const pages = withTablesContinued(parts, words);
  const toldLevel = (lines: readonly Line[]): number | undefined =>
    outline.levelOf(withoutSigns(joinedLines(lines, words)));
  const levels = headingLevels(headingStyles(pages, toldLevel));
  const levelOf = (lines: readonly Line[]): number =>
    toldLevel(lines) ?? ((lines[0] && levels.get(headingStyle(lines[0]))) || 1);
  const content = pages.map((blocks) => ({
    md: links.written(pageMarkdown(blocks, { words, levelOf })),
  }));
  const title = documentTitle({
    given: info.get("Title"),
    blocks: pages[0] ?? [],
    text: textOf(read.pages.slice(0, TITLE_PAGES)),
    bodySize: typography.bodySize,
    words,
  });
  return {
    page: { type: "PDF", metaData: metaData(title ?? (parse(name).name || name), info, content), content },
    faqs: [],
    notes: notesOf(read),
  };
}

function headingStyles(
  pages: readonly (readonly Block[])[],
  toldLevel: (lines: readonly Line[]) => number | undefined,
): Map<string, Map<number, number>> {
  const styles = new Map<string, Map<number, number>>();
  for (const block of pages.flat()) {
    const first = block.kind === "heading" ? block.lines[0] : undefined;
    if (block.kind !== "heading" || first === undefined) continue;
    const levels = styles.get(headingStyle(first)) ?? new Map<number, number>();
    styles.set(headingStyle(first), levels);
    const told = toldLevel(block.lines);
    if (told !== undefined) levels.set(told, (levels.get(told) ?? 0) + 1);
  }
  return styles;
}

function textOf(pages: ReadPages["pages"]): string {
  return withoutSigns(pages.flatMap(({ segments }) => segments.map(({ text }) => text)).join(" "));
}

function metaData(
  title: string,
  info: ReadonlyMap<string, string>,
  content: readonly { readonly md: string }[],
): NonNullable<Conversion["page"]>["metaData"] {
  const author = info.get("Author");
  const date = pdfDate(info.get("ModDate") ?? info.get("CreationDate"));
  return {
    title,
    ...(author === undefined ? {} : { author }),
    ...(date === undefined ? {} : { date }),
    pageCount: content.length,
    ...(content.length > PAGES_TOLD_MAX ? {} : { pages: firstLines(content) }),
  };
}

/** Returns the line, from 1, at which each block begins in the whole document's markdown. */
function firstLines(content: readonly { readonly md: string }[]): number[] {
  let line = 1;
  return content.map(({ md }) => {
    const first = line;
    line += md.split("\n").length;
    return first;
  });
}

function some(pages: readonly number[]): string {
  const first = pages.slice(0, 10).map((page) => page + 1);
  return `${first.join(", ")}${pages.length > 10 ? ", ..." : ""}`;
}

function notesOf({ pages, unread, lackingFonts, unmapped, characters }: ReadPages): string[] {
  const notes: string[] = [];
  if (unread.length > 0)
    notes.push(`the PDF is damaged: ${unread.length} of its ${pages.length} pages could not be read (${some(unread)})`);
  if (lackingFonts.length > 0)
    notes.push(
      `words on page ${some(lackingFonts)} are in fonts that the PDF does not hold, and are missing; make it again with its fonts embedded`,
    );
  if (unmapped > 0.1 * characters && unmapped > 100)
    notes.push("some of its letters cannot be told, because a font does not say what they mean");
  if (pages.length > PAGES_TOLD_MAX)
    notes.push(
      `it has ${pages.length} pages: which line is on which page is told of files of at most ${PAGES_TOLD_MAX} pages`,
    );
  return notes;
}
