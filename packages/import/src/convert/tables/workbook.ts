import { ConversionError } from "../conversion.ts";
import { type OfficeFile, relationsOf } from "../office/office-file.ts";
import { readXml } from "../office/xml.ts";
import { builtInFormat } from "./cell-values.ts";

/** A workbook without the contents of its sheets. */
export interface Workbook {
  readonly sheets: readonly SheetPart[];
  /** Shared texts that cells refer to by number. */
  readonly texts: readonly string[];
  /** The number format of each cell style. */
  readonly patterns: readonly string[];
  /** True if dates count from 1904 instead of 1900. */
  readonly is1904: boolean;
}

export interface SheetPart {
  readonly name: string;
  readonly part: string;
  readonly isHidden: boolean;
}

export function readWorkbook(file: OfficeFile): Workbook {
  const main =
    [...relationsOf(file, "").values()].find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml";
  const xml = file.xml(main);
  if (xml === undefined)
    throw new ConversionError("the file is no .xlsx file; save it as .xlsx in a spreadsheet program");
  const relations = relationsOf(file, main);
  const part = (type: string): string | undefined => {
    const target = [...relations.values()].find((relation) => relation.type === type)?.target;
    return target === undefined ? undefined : file.xml(target);
  };
  const sheets: SheetPart[] = [];
  let is1904 = false;
  readXml(xml, {
    open: (name, attribute) => {
      if (name === "workbookPr") is1904 = ["1", "true"].includes(attribute("date1904") ?? "");
      const relation = name === "sheet" ? relations.get(attribute("id") ?? "") : undefined;
      // A chart sheet has no cells.
      if (relation?.type !== "worksheet") return;
      const isHidden = (attribute("state") ?? "visible") !== "visible";
      sheets.push({ name: attribute("name")?.trim() ?? "", part: relation.target, isHidden });
    },
  });
  return { sheets, texts: sharedTexts(part("sharedStrings")), patterns: patternsOf(part("styles")), is1904 };
}

function sharedTexts(xml: string | undefined): string[] {
  const texts: string[] = [];
  if (xml === undefined) return texts;
  const reader = new TextReader();
  readXml(xml, {
    open: (name) => reader.open(name),
    close: (name) => {
      reader.close(name);
      if (name === "si") texts.push(reader.take());
    },
    text: (text) => reader.text(text),
  });
  return texts;
}

/** Joins the runs of a text, without phonetic runs (in Japanese). */
export class TextReader {
  #text = "";
  #isText = false;
  #spoken = 0;

  open(name: string): void {
    if (name === "rPh") this.#spoken += 1;
    else if (name === "t") this.#isText = true;
  }

  close(name: string): void {
    if (name === "rPh") this.#spoken -= 1;
    else if (name === "t") this.#isText = false;
  }

  text(text: string): void {
    if (this.#isText && this.#spoken === 0) this.#text += text;
  }

  take(): string {
    const text = withoutEscapes(this.#text);
    this.#text = "";
    return text;
  }
}

/** Decodes characters that XML cannot hold: they are written `_x000D_`. */
function withoutEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function patternsOf(xml: string | undefined): string[] {
  const own = new Map<number, string>();
  const patterns: string[] = [];
  if (xml === undefined) return patterns;
  let isInCells = false;
  readXml(xml, {
    open: (name, attribute) => {
      const id = Number(attribute("numFmtId"));
      if (name === "numFmt") own.set(id, attribute("formatCode") ?? "General");
      if (name === "cellXfs") isInCells = true;
      if (name === "xf" && isInCells) patterns.push(own.get(id) ?? builtInFormat(id));
    },
    close: (name) => {
      if (name === "cellXfs") isInCells = false;
    },
  });
  return patterns;
}
