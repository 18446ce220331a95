import { strToU8, zipSync } from "fflate";

/** A zip archive of these parts. */
export function archiveOf(parts: Readonly<Record<string, string>>): Uint8Array {
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));
}

export interface TestSheet {
  readonly name: string;
  /** What stands in `<worksheet>`. */
  readonly xml: string;
  readonly state?: "hidden" | "veryHidden";
  /** Addresses of links, whose ids are `rId1`, `rId2`, ... */
  readonly links?: readonly string[];
}

const RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

function relations(all: readonly (readonly [type: string, target: string, mode?: string])[]): string {
  const each = all.map(
    ([type, target, mode], i) =>
      `<Relationship Id="rId${i + 1}" Type="${RELATIONS}/${type}" Target="${target}"${mode === undefined ? "" : ` TargetMode="${mode}"`}/>`,
  );
  return `<?xml version="1.0"?><Relationships>${each.join("")}</Relationships>`;
}

/** A workbook as office programs write them. `formats` are the number formats of styles 1, 2, ... */
export function workbookOf(
  sheets: readonly TestSheet[],
  { texts = [], formats = [] }: { readonly texts?: readonly string[]; readonly formats?: readonly string[] } = {},
): Uint8Array {
  const parts: Record<string, string> = {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook><sheets>${sheets
      .map(
        ({ name, state }, i) =>
          `<sheet name="${name}" r:id="rId${i + 1}"${state === undefined ? "" : ` state="${state}"`}/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...sheets.map((_, i) => ["worksheet", `worksheets/sheet${i + 1}.xml`] as const),
      ["sharedStrings", "/xl/sharedStrings.xml"],
      ["styles", "styles.xml"],
    ]),
    "xl/sharedStrings.xml": `<sst>${texts.map((text) => `<si>${text}</si>`).join("")}</sst>`,
    "xl/styles.xml": `<styleSheet><numFmts>${formats
      .map((format, i) => `<numFmt numFmtId="${200 + i}" formatCode="${format.replaceAll('"', "&quot;")}"/>`)
      .join(
        "",
      )}</numFmts><cellXfs><xf numFmtId="0"/>${formats.map((_, i) => `<xf numFmtId="${200 + i}"/>`).join("")}</cellXfs></styleSheet>`,
  };
  for (const [i, { xml, links = [] }] of sheets.entries()) {
    parts[`xl/worksheets/sheet${i + 1}.xml`] = `<worksheet>${xml}</worksheet>`;
    parts[`xl/worksheets/_rels/sheet${i + 1}.xml.rels`] = relations(
      links.map((link) => ["hyperlink", link, "External"]),
    );
  }
  return archiveOf(parts);
}

/** Rows of cells that hold their own text, from A1 on; a number is a number. */
export function cellRows(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number): string =>
    typeof value === "number" ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${value}</t></is></c>`;
  return `<sheetData>${rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("")}</sheetData>`;
}

/** A text document as office programs write them: what stands in `<w:body>`, and in `<w:styles>`. */
export function textDocumentOf(
  body: string,
  { styles = "", parts = {} }: { readonly styles?: string; readonly parts?: Readonly<Record<string, string>> } = {},
): Uint8Array {
  const spaces =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ' +
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
  return archiveOf({
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    "_rels/.rels": relations([["officeDocument", "word/document.xml"]]).replace(
      "<Relationships>",
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">',
    ),
    "word/document.xml": `<w:document ${spaces}><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relations([["styles", "styles.xml"]]).replace(
      "<Relationships>",
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">',
    ),
    "word/styles.xml": `<w:styles ${spaces}>${styles}</w:styles>`,
    ...parts,
  });
}

/** A paragraph with a text, of a style; `properties` stand in `<w:pPr>` behind it. */
export function paragraph(text: string, { style = "", properties = "", run = "" } = {}): string {
  const named = style === "" ? "" : `<w:pStyle w:val="${style}"/>`;
  const all = named + properties === "" ? "" : `<w:pPr>${named}${properties}</w:pPr>`;
  return `<w:p>${all}<w:r>${run === "" ? "" : `<w:rPr>${run}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}
