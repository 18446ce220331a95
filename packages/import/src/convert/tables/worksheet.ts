import { ConversionError } from "../conversion.ts";
import { type OfficeFile, relationsOf } from "../office/office-file.ts";
import { readXml } from "../office/xml.ts";
import { shownNumber } from "./cell-values.ts";
import { cleaned } from "./cleaned.ts";
import type { FoundRow } from "./grid.ts";
import { Merges } from "./merges.ts";
import { columnOf, rangeOf } from "./references.ts";
import { type SheetPart, TextReader, type Workbook } from "./workbook.ts";

/** The visible content of a sheet, and counts of what is hidden or open. */
export interface FoundSheet {
  readonly rows: readonly FoundRow[];
  readonly hiddenRows: number;
  readonly hiddenColumns: number;
  /** Formulas without a calculated value. */
  readonly openFormulas: number;
}

/** Maximum non-empty cells. Each takes memory. */
const CELLS_MAX = 5_000_000;
const HIDDEN_COLUMNS_MAX = 16_384;

export function readWorksheet(file: OfficeFile, { part }: SheetPart, workbook: Workbook): FoundSheet {
  const reader = new SheetReader(workbook);
  const xml = file.xml(part);
  if (xml === undefined)
    throw new ConversionError("a sheet is missing in the file; open it in a spreadsheet program and save it again");
  const relations = relationsOf(file, part);
  readXml(xml, {
    open: (name, attribute) => reader.open(name, attribute, (id) => relations.get(id)?.target),
    close: (name) => reader.close(name),
    text: (text) => reader.text(text),
  });
  return reader.finish();
}

type Attribute = (name: string) => string | undefined;

class SheetReader {
  readonly #workbook: Workbook;
  readonly #rows = new Map<number, Map<number, string>>();
  readonly #hiddenColumns = new Set<number>();
  readonly #merges = new Merges();
  readonly #inline = new TextReader();
  #cells = 0;
  #hiddenRows = 0;
  #openFormulas = 0;
  #row = 0;
  #isRowHidden = false;
  #column = -1;
  #type = "n";
  #style = 0;
  #value = "";
  #isValue = false;
  #isFormula = false;

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  open(name: string, attribute: Attribute, targetOf: (id: string) => string | undefined): void {
    this.#inline.open(name);
    switch (name) {
      case "col":
        if (isTrue(attribute("hidden"))) this.#hide(Number(attribute("min")), Number(attribute("max")));
        break;
      case "row":
        this.#row = Number(attribute("r") ?? this.#row + 1);
        this.#column = -1;
        this.#isRowHidden = isTrue(attribute("hidden"));
        break;
      case "c":
        this.#column = columnOf(attribute("r")) ?? this.#column + 1;
        this.#type = attribute("t") ?? "n";
        this.#style = Number(attribute("s") ?? 0);
        this.#value = "";
        this.#isFormula = false;
        break;
      case "f":
        this.#isFormula = true;
        break;
      case "v":
        this.#isValue = true;
        break;
      case "mergeCell":
        this.#merges.add(rangeOf(attribute("ref")));
        break;
      case "hyperlink":
        this.#link(attribute("ref"), targetOf(attribute("id") ?? ""));
        break;
    }
  }

  close(name: string): void {
    this.#inline.close(name);
    if (name === "v") this.#isValue = false;
    if (name === "c") this.#take();
    if (name === "row" && this.#isRowHidden && this.#rows.delete(this.#row)) this.#hiddenRows += 1;
  }

  text(text: string): void {
    this.#inline.text(text);
    if (this.#isValue) this.#value += text;
  }

  finish(): FoundSheet {
    const hidden = new Set<number>();
    for (const cells of this.#rows.values()) {
      for (const column of cells.keys())
        if (this.#hiddenColumns.has(column) && cells.delete(column)) hidden.add(column);
    }
    const numbers = [...this.#rows.keys()].sort((a, b) => a - b);
    const rows = this.#merges.applied(numbers, this.#rows);
    return { rows, hiddenRows: this.#hiddenRows, hiddenColumns: hidden.size, openFormulas: this.#openFormulas };
  }

  #hide(min: number, max: number): void {
    if (!(min >= 1 && max <= HIDDEN_COLUMNS_MAX)) return;
    for (let column = min - 1; column < max; column++) this.#hiddenColumns.add(column);
  }

  #take(): void {
    const inline = this.#inline.take();
    const text = cleaned(this.#type === "inlineStr" ? inline : this.#shown());
    if (this.#isFormula && this.#value === "" && this.#type !== "str") this.#openFormulas += 1;
    if (text === "") return;
    this.#cells += 1;
    if (this.#cells > CELLS_MAX) {
      throw new ConversionError(`a sheet has more than ${CELLS_MAX / 1_000_000} million cells; divide it into several`);
    }
    const cells = this.#rows.get(this.#row);
    if (cells === undefined) this.#rows.set(this.#row, new Map([[this.#column, text]]));
    else cells.set(this.#column, text);
  }

  #shown(): string {
    const { texts, patterns, is1904 } = this.#workbook;
    const value = this.#value;
    switch (this.#type) {
      case "s":
        return texts[Number(value)] ?? "";
      case "str":
        return value;
      case "b":
        return value === "1" || value === "true" ? "TRUE" : "FALSE";
      // The error of a formula answers no question.
      case "e":
        return "";
      case "d":
        return value.replace(/T00:00:00(?:\.0+)?Z?$/, "").replace("T", " ");
      default: {
        const number = value === "" ? Number.NaN : Number(value);
        return Number.isFinite(number) ? shownNumber(number, patterns[this.#style] ?? "General", is1904) : value;
      }
    }
  }

  /** Appends the address of a link. A link within the file has none. */
  #link(reference: string | undefined, target: string | undefined): void {
    const range = rangeOf(reference);
    const cells = range === undefined ? undefined : this.#rows.get(range.top);
    const text = range === undefined ? undefined : cells?.get(range.left);
    if (range === undefined || text === undefined || target === undefined || !/^(?:https?|mailto|tel):/i.test(target))
      return;
    const address = target.replace(/^(?:mailto|tel):/i, "");
    if (!text.includes(address)) cells?.set(range.left, `${text} (${address})`);
  }
}

function isTrue(value: string | undefined): boolean {
  return value === "1" || value === "true";
}
