import { basename, extname } from "node:path";
import { DOCUMENT_BYTES_MAX } from "@loredex/core";
import { type Conversion, ConversionError, type ConvertedFaq, type RawFile } from "../conversion.ts";
import { openOfficeFile } from "../office/office-file.ts";
import { propertiesOf } from "../office/properties.ts";
import { gridOf } from "./grid.ts";
import { lineMarkdown } from "./markdown-table.ts";
import { ROW_MARKS_MAX } from "./row-marks.ts";
import { convertSheet, tooMuch } from "./sheet.ts";
import { readWorkbook } from "./workbook.ts";
import { type FoundSheet, readWorksheet } from "./worksheet.ts";

/** Maximum sheet names in metaData. */
const NAMES_MAX = 1_000;

/** Converts a workbook to one document: a block for every visible sheet with content, below its name. Questions with answers are taken out. */
export async function convertXlsx({ bytes, name }: RawFile): Promise<Conversion> {
  const file = openOfficeFile(bytes, {
    extension: ".xlsx",
    isWanted: (part) => /\.(?:xml|rels)$/i.test(part) && !/\/drawings|\/media\//.test(part),
  });
  const workbook = readWorkbook(file);
  const content: { readonly md: string }[] = [];
  const sheets: string[] = [];
  const sourceRows: [line: number, row: number, sheet: number][] = [];
  let line = 1;
  const faqs: ConvertedFaq[] = [];
  const notes: string[] = [];
  let units = 0;
  for (const sheet of workbook.sheets) {
    if (sheet.isHidden) {
      notes.push(`the hidden sheet "${sheet.name}" was left out`);
      continue;
    }
    const found = readWorksheet(file, sheet, workbook);
    notes.push(...notesOn(found).map((note) => `sheet "${sheet.name}": ${note}`));
    const converted = convertSheet(gridOf(found.rows), { level: 3, name: `sheet "${sheet.name}"` });
    notes.push(...converted.notes);
    for (const { row, linesAbove: _, ...faq } of converted.faqs) {
      faqs.push({ ...faq, metaData: { sheets: [sheet.name], sourceRows: rowsOf(faq.answer, row) } });
    }
    if (converted.md === "") continue;
    units += converted.md.length;
    if (units > DOCUMENT_BYTES_MAX) throw tooMuch();
    const head = `## ${lineMarkdown(sheet.name)}\n\n`;
    sourceRows.push([line, converted.rows[0]?.[1] ?? 1, sheets.length]);
    const above = line + head.split("\n").length - 2;
    for (const [at, row] of converted.rows) sourceRows.push([above + at, row, sheets.length]);
    const md = `${head}${converted.md}`;
    line += md.split("\n").length;
    content.push({ md });
    sheets.push(sheet.name);
  }
  if (content.length === 0 && faqs.length === 0)
    throw new ConversionError("the file has no text in any sheet that is shown");
  if (content.length === 0) return { faqs, notes };
  const metaData = {
    title: basename(name, extname(name)),
    ...propertiesOf(file),
    sheets: sheets.slice(0, NAMES_MAX),
    ...(sourceRows.length > ROW_MARKS_MAX || sheets.length > NAMES_MAX ? {} : { sourceRows }),
  };
  return { page: { type: "TABLE", metaData, content }, faqs, notes };
}

/** All lines of a cell belong to one row. */
function rowsOf(answer: string, row: number): number[][] {
  const lines = answer.split("\n").slice(0, ROW_MARKS_MAX);
  return lines.map((_, i) => [i + 1, row, 0]);
}

function notesOn({ hiddenRows, hiddenColumns, openFormulas }: FoundSheet): string[] {
  const notes: string[] = [];
  if (hiddenRows > 0) notes.push(`hidden rows were left out: ${hiddenRows}`);
  if (hiddenColumns > 0) notes.push(`hidden columns were left out: ${hiddenColumns}`);
  if (openFormulas > 0) {
    notes.push(`formulas without a result: ${openFormulas}; open the file in a spreadsheet program and save it again`);
  }
  return notes;
}
