import { describe, expect, it } from "vitest";
import type { Conversion } from "../../../src/convert/conversion.ts";
import { convertXlsx } from "../../../src/convert/tables/xlsx.ts";
import { placeInFile } from "../../../src/files/place-in-file.ts";
import { archiveOf, cellRows, workbookOf } from "../../support/office-files.ts";

async function converted(bytes: Uint8Array): Promise<Conversion> {
  return convertXlsx({ bytes, name: "stock.xlsx", kind: "xlsx" });
}

/** The lines of a workbook's only sheet, below its name. */
async function linesOf(
  ...[xml, options, links]: [xml: string, options?: Parameters<typeof workbookOf>[1], links?: string[]]
) {
  const { page } = await converted(workbookOf([{ name: "S", xml, links: links ?? [] }], options));
  return page?.content[0]?.md.trimEnd().split("\n").slice(2);
}

const PRICES = cellRows([
  ["item", "price"],
  ["chair", 5],
]);

describe("a workbook", () => {
  it("is one TABLE with a block for every sheet, below its name", async () => {
    const other = cellRows([["city"], ["Rome"]]);
    const { page } = await converted(
      workbookOf([
        { name: "Prices &amp; more", xml: PRICES },
        { name: "Empty", xml: "" },
        { name: "Cities", xml: other },
      ]),
    );
    expect(page).toEqual({
      type: "TABLE",
      metaData: {
        title: "stock",
        sheets: ["Prices & more", "Cities"],
        sourceRows: [
          [1, 1, 0],
          [3, 1, 0],
          [5, 2, 0],
          [7, 1, 1],
          [9, 1, 1],
          [11, 2, 1],
        ],
      },
      content: [
        { md: "## Prices & more\n\n| item | price |\n| --- | --- |\n| chair | 5 |\n" },
        { md: "## Cities\n\n| city |\n| --- |\n| Rome |\n" },
      ],
    });
  });

  it("leaves out what is hidden, and says so", async () => {
    const xml =
      '<cols><col min="2" max="2" hidden="1"/></cols><sheetData>' +
      '<row r="1"><c r="A1" t="inlineStr"><is><t>item</t></is></c><c r="B1" t="inlineStr"><is><t>cost</t></is></c></row>' +
      '<row r="2"><c r="A2" t="inlineStr"><is><t>chair</t></is></c><c r="B2"><v>1</v></c></row>' +
      '<row r="3" hidden="1"><c r="A3" t="inlineStr"><is><t>secret</t></is></c></row></sheetData>';
    const { page, notes } = await converted(
      workbookOf([
        { name: "S", xml },
        { name: "Costs", xml: PRICES, state: "hidden" },
      ]),
    );
    expect(page?.content).toEqual([{ md: "## S\n\n| item |\n| --- |\n| chair |\n" }]);
    expect(notes).toEqual([
      'sheet "S": hidden rows were left out: 1',
      'sheet "S": hidden columns were left out: 1',
      'the hidden sheet "Costs" was left out',
    ]);
  });

  it("shows numbers as its cells do, and days as ISO dates", async () => {
    const shown = [
      ["0%", 0.25, "25%"],
      ["#,##0.00 \\€", 1234.5, "1,234.50 €"],
      ["00000", 1234, "01234"],
      ["General", 0.1 + 0.2, "0.3"],
      ["d/m/yyyy", 45_000, "2023-03-15"],
      ["dd.mm.yyyy hh:mm", 45_000.5, "2023-03-15 12:00"],
      ["h:mm", 0.75, "18:00"],
      ["[h]:mm", 1.5, "36:00"],
      ["mmm yyyy", 45_000, "Mar 2023"],
      ['"never closed', 7, "7"],
    ] as const;
    const rows = shown.map(
      ([, value], i) => `<row><c t="inlineStr"><is><t>n${i}</t></is></c><c s="${i + 1}"><v>${value}</v></c></row>`,
    );
    const lines = await linesOf(`<sheetData>${rows.join("")}</sheetData>`, {
      formats: shown.map(([format]) => format),
    });
    expect(lines?.slice(2)).toEqual(shown.map(([, , text], i) => `| n${i} | ${text} |`));
  });

  it("takes results of formulas, and says where there are none", async () => {
    const xml =
      '<sheetData><row><c t="inlineStr"><is><t>name</t></is></c><c t="inlineStr"><is><t>sum</t></is></c></row>' +
      '<row><c t="str"><f>A1</f><v>a&amp;b</v></c><c><f>1+1</f><v>2</v></c></row>' +
      '<row><c t="e"><f>1/0</f><v>#DIV/0!</v></c><c><f>2+2</f></c></row><row><c t="b"><v>1</v></c><c><v>3</v></c></row></sheetData>';
    const { page, notes } = await converted(workbookOf([{ name: "S", xml }]));
    expect(page?.content[0]?.md).toContain("| a&b | 2 |\n| TRUE | 3 |\n");
    expect(notes).toEqual([
      'sheet "S": formulas without a result: 1; open the file in a spreadsheet program and save it again',
    ]);
  });

  it("reads texts that are shared and of several runs, without what tells how they are spoken", async () => {
    const texts = [
      "<t>name</t>",
      '<r><t xml:space="preserve">To</t></r><r><t>kyo</t></r><rPh><t>spoken</t></rPh>',
      "<t>a_x000D_&#10;b</t>",
    ];
    const cells = [0, 1, 2].map((i) => `<row><c t="s"><v>${i}</v></c></row>`);
    expect(await linesOf(`<sheetData>${cells.join("")}</sheetData>`, { texts })).toEqual([
      "| name |",
      "| --- |",
      "| Tokyo |",
      "| a<br>b |",
    ]);
  });

  it("tells a merged cell in each of its rows, and joins a header of two rows", async () => {
    const rows = cellRows([
      ["region", "2023", "", "2024", ""],
      ["", "sold", "lost", "sold", "lost"],
      ["North", 1, 2, 3, 4],
      ["", 5, 6, 7, 8],
    ]);
    const merges = ["A1:A2", "B1:C1", "D1:E1", "A3:A4"].map((ref) => `<mergeCell ref="${ref}"/>`).join("");
    expect(await linesOf(`${rows}<mergeCells>${merges}</mergeCells>`)).toEqual([
      "| region | 2023 sold | 2023 lost | 2024 sold | 2024 lost |",
      "| --- | --- | --- | --- | --- |",
      "| North | 1 | 2 | 3 | 4 |",
      "| North | 5 | 6 | 7 | 8 |",
    ]);
  });

  it.each([
    ["first", []],
    ["below a title", [["Results", "", "", "", ""]]],
  ])(
    "joins names of groups to those of columns that were alike without them, though no cells are merged: %s",
    async (_, above) => {
      const rows = cellRows([
        ...above,
        ["", "Q1", "", "Q2", ""],
        ["Region", "Sales", "Cost", "Sales", "Cost"],
        ["North", 1, 2, 3, 4],
        ["South", 5, 6, 7, 8],
      ]);
      expect((await linesOf(rows))?.slice(-4)).toEqual([
        "| Region | Q1 Sales | Q1 Cost | Q2 Sales | Q2 Cost |",
        "| --- | --- | --- | --- | --- |",
        "| North | 1 | 2 | 3 | 4 |",
        "| South | 5 | 6 | 7 | 8 |",
      ]);
    },
  );

  it("takes no line above a table for groups where its columns have names enough", async () => {
    const rows = cellRows([
      ["Valid from", "1 May", ""],
      ["Article", "Unit", "Price"],
      ["Bolt", "piece", 12],
    ]);
    expect((await linesOf(rows))?.slice(-3)[0]).toBe("| Article | Unit | Price |");
  });

  it("takes no row of a form for names of columns", async () => {
    const rows = cellRows([
      ["Customer form", "", "", ""],
      ["", "", "", ""],
      ["Name:", "Ann Smith", "Date:", "2024-05-01"],
      ["Street:", "Main St 5", "City:", "Rome"],
    ]);
    expect(await linesOf(rows)).toEqual([
      "### Customer form",
      "",
      "|  |  |  |  |",
      "| --- | --- | --- | --- |",
      "| Name: | Ann Smith | Date: | 2024-05-01 |",
      "| Street: | Main St 5 | City: | Rome |",
    ]);
  });

  it("takes a merged line above a table for its title", async () => {
    const rows = cellRows([
      ["Prices in May", ""],
      ["item", "price"],
      ["chair", 5],
    ]);
    expect((await linesOf(`${rows}<mergeCells><mergeCell ref="A1:B1"/></mergeCells>`))?.[0]).toBe("### Prices in May");
  });

  it("tells where a link leads", async () => {
    const xml = `${PRICES}<hyperlinks><hyperlink ref="A2" r:id="rId1"/><hyperlink ref="B2" location="S!A1"/></hyperlinks>`;
    expect((await linesOf(xml, {}, ["https://example.org/chair"]))?.[2]).toBe(
      "| chair (https://example.org/chair) | 5 |",
    );
  });

  it("gives questions with answers from one sheet and the table of another", async () => {
    const faq = cellRows([
      ["Question", "Answer"],
      ["Why?", "So.\nAnd so."],
      ["How?", ""],
    ]);
    const { page, faqs, notes } = await converted(
      workbookOf([
        { name: "FAQ", xml: faq },
        { name: "Prices", xml: PRICES },
      ]),
    );
    expect(faqs).toMatchObject([{ question: "Why?", answer: "So.\nAnd so." }]);
    for (const line of [1, 2]) {
      const place = placeInFile(faqs[0]?.metaData ?? {}, line, line);
      expect(place).toEqual({ kind: "rows", sheet: "FAQ", first: 2, last: 2 });
    }
    expect(page?.content.map(({ md }) => md.split("\n")[0])).toEqual(["## Prices"]);
    expect(notes).toEqual(['sheet "FAQ": row 3 was left out: it has no answer']);
  });

  it("tells the row of each line", async () => {
    const rows =
      '<sheetData><row r="3"><c t="inlineStr"><is><t>item</t></is></c></row>' +
      '<row r="4"><c t="inlineStr"><is><t>chair</t></is></c></row><row r="5" hidden="1"><c><v>1</v></c></row>' +
      '<row r="6"><c t="inlineStr"><is><t>table</t></is></c></row></sheetData>';
    const { page } = await converted(
      workbookOf([
        { name: "P", xml: PRICES },
        { name: "S", xml: rows },
      ]),
    );
    const lines = page?.content.flatMap(({ md }) => md.split("\n")) ?? [];
    const placeOf = (text: string): unknown => {
      const line = lines.indexOf(text) + 1;
      return placeInFile(page?.metaData ?? {}, line, line);
    };
    expect(["| chair | 5 |", "| item |", "| chair |", "| table |"].map(placeOf)).toEqual([
      { kind: "rows", sheet: "P", first: 2, last: 2 },
      { kind: "rows", sheet: "S", first: 3, last: 3 },
      { kind: "rows", sheet: "S", first: 4, last: 4 },
      { kind: "rows", sheet: "S", first: 6, last: 6 },
    ]);
  });

  it("is refused in words where no sheet that is shown holds anything", async () => {
    await expect(converted(workbookOf([{ name: "S", xml: "" }]))).rejects.toThrow("no text in any sheet that is shown");
    await expect(converted(archiveOf({ "[Content_Types].xml": "<Types/>" }))).rejects.toThrow("no .xlsx file");
  });
});
