import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import type { Conversion } from "../../../src/convert/conversion.ts";
import { convertCsv } from "../../../src/convert/tables/csv.ts";
import { placeInFile } from "../../../src/files/place-in-file.ts";

async function converted(text: string, kind: "csv" | "tsv" = "csv"): Promise<Conversion> {
  return convertCsv({ bytes: new TextEncoder().encode(text), name: `stock.${kind}`, kind });
}

async function markdownOf(text: string, kind?: "csv" | "tsv"): Promise<string[]> {
  const { page } = await converted(text, kind);
  return (
    page?.content
      .map(({ md }) => md.trimEnd())
      .join("\n")
      .split("\n") ?? []
  );
}

describe("a table of values", () => {
  it("is a TABLE with a header and a line for every row, titled by its file", async () => {
    const { page, faqs, notes } = await converted("item,price\nchair,5\ntable,7\n");
    expect(page).toEqual({
      type: "TABLE",
      metaData: {
        title: "stock",
        sourceLines: [
          [1, 1],
          [3, 2],
        ],
      },
      content: [{ md: "| item | price |\n| --- | --- |\n| chair | 5 |\n| table | 7 |\n" }],
    });
    expect([faqs, notes]).toEqual([[], []]);
  });

  it.each([
    ["commas", "item,price\nchair,5\n"],
    ["semicolons, with commas in numbers", 'item;price\nchair;"5"\n'],
    ["tabs", "item\tprice\nchair\t5\n"],
    ["bars", "item|price\nchair|5\n"],
    ["a mark at the beginning", "\ufeffitem,price\nchair,5\n"],
    ["a line that says the delimiter", "sep=;\nitem;price\nchair;5\n"],
    ["line ends of Windows", "item,price\r\nchair,5\r\n"],
    ["line ends of old Macs", "item,price\rchair,5\r"],
    ["empty rows and columns", ",item,,price\n,chair,,5\n,,,\n,,,"],
  ])("is read with %s", async (_, text) => {
    expect(await markdownOf(text)).toEqual(["| item | price |", "| --- | --- |", "| chair | 5 |"]);
  });

  it("is read in the encoding of Windows, and says that it was guessed", async () => {
    const bytes = Buffer.from("Größe;Preis\nlänger;5 €\n".replace("€", "\x80"), "latin1");
    const { page, notes } = await convertCsv({ bytes, name: "stock.csv", kind: "csv" });
    expect(page?.content[0]?.md).toBe("| Größe | Preis |\n| --- | --- |\n| länger | 5 € |\n");
    expect(notes).toHaveLength(1);
  });

  it("prefers semicolons to the commas of numbers", async () => {
    expect(await markdownOf("chair;1,5;2,5\ntable;2,5;3,5\n")).toContain("| chair | 1,5 | 2,5 |");
  });

  it.each([
    ['"",":",";"\n"last 0","last 1","last 2"', "last 0 | last 1 | last 2"],
    ['"a|b","c|d"\n"e|f","g|h"', "e\\|f | g\\|h"],
    ['"a;b";"c,d"\n"e;f";"g,h"', "e;f | g,h"],
  ])("takes no character inside quotes for the delimiter: %s", async (text, cells) => {
    expect(await markdownOf(text)).toContain(`| ${cells} |`);
  });

  it("keeps tabs of a .tsv where other marks stand in every cell", async () => {
    expect(await markdownOf("city\tcoordinates\nRome\t41,9;12,5\n", "tsv")).toContain("| Rome | 41,9;12,5 |");
  });

  it("shows bars, line breaks, backslashes and tags as they stand", async () => {
    expect(await markdownOf('name,text\nx,"a|b\r\nc <b> \\* C:\\dir 1 < 2"\n')).toContain(
      "| x | a\\|b<br>c \\<b> \\\\* C:\\dir 1 < 2 |",
    );
  });

  it("has as many cells in every row, however many the file has", async () => {
    expect(await markdownOf("a,b\n1\n1,2,3\n")).toEqual([
      "| a | b |  |",
      "| --- | --- | --- |",
      "| 1 |  |  |",
      "| 1 | 2 | 3 |",
    ]);
  });

  it("takes a line above the header for the title, and more of them for text", async () => {
    const { page } = await converted("Stock in May,,\nAll prices are in euros.,,\n,,\nitem,price\nchair,5\n");
    expect(page?.metaData.title).toBe("Stock in May");
    expect(page?.content[0]?.md).toBe(
      "# Stock in May\n\nAll prices are in euros.\n\n| item | price |\n| --- | --- |\n| chair | 5 |\n",
    );
  });

  it("finds the header below rows that hold less", async () => {
    const lines = await markdownOf("exported,2024-05-01\nby,Ann\nid,name,price\n1,chair,5\n2,table,7\n");
    expect(lines.slice(-4)).toEqual([
      "| id | name | price |",
      "| --- | --- | --- |",
      "| 1 | chair | 5 |",
      "| 2 | table | 7 |",
    ]);
  });

  it.each([
    ["numbers", "1,chair\n2,table\n"],
    ["addresses", "ann@example.org,chair\nbob@example.org,table\n"],
    ["a value that comes again below", "red,chair\nblue,table\nred,bench\n"],
    ["dates above dates", "2024-01-01,chair\n2024-01-02,table\n"],
  ])("has no header where its first row has %s", async (_, text) => {
    const lines = await markdownOf(text);
    expect(lines.slice(0, 2)).toEqual(["|  |  |", "| --- | --- |"]);
    expect(lines).toHaveLength(2 + text.trimEnd().split("\n").length);
  });

  it("takes years above numbers for a header", async () => {
    expect((await markdownOf("country,2019,2020\nPeru,1.5,2.5\nChile,3.5,4.5\n"))[0]).toBe("| country | 2019 | 2020 |");
  });

  it("goes on below an empty row, and begins anew where there is another header", async () => {
    const lines = await markdownOf("item,price\nchair,5\n\ntable,7\n\nitem,price\nbench,8\n\ncity,people\nRome,3\n");
    expect(lines).toEqual([
      "| item | price |",
      "| --- | --- |",
      "| chair | 5 |",
      "| table | 7 |",
      "| bench | 8 |",
      "",
      "| city | people |",
      "| --- | --- |",
      "| Rome | 3 |",
    ]);
  });

  it("has the header above every section of a table", async () => {
    const lines = await markdownOf("item,price\n\nDrinks,\ntea,2\n\nFood,\nbread,4\n");
    expect(lines.join("\n")).toContain("# Food\n\n| item | price |\n| --- | --- |\n| bread | 4 |");
  });

  it("reads quotes as letters, and says so, where one is never closed", async () => {
    const { page, notes } = await converted('item,price\n"chair,5\ntable,7\n');
    expect(page?.content[0]?.md).toContain('| "chair | 5 |\n| table | 7 |');
    expect(notes).toEqual(["a quote is opened in it that is never closed: quotes were read like any other character"]);
  });

  it.each([
    ["nothing", ""],
    ["nothing but marks", ",,\n\n,,\n"],
  ])("is refused in words where it holds %s", async (_, text) => {
    await expect(converted(text)).rejects.toThrow("the file has no text");
  });

  it("is refused in words where a row has more columns than any program shows", async () => {
    await expect(converted(`a${",".repeat(20_000)}b\n`)).rejects.toThrow("more than 16384 columns");
  });

  it("gives back every cell of any table", async () => {
    const cell = fc
      .string({ unit: "grapheme", maxLength: 12 })
      .map((text) => text.replace(/[\p{Cc}\ufeff]/gu, "").trim());
    const rows = fc
      .integer({ min: 1, max: 5 })
      .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(rows, async (cells) => {
        const table = [...cells, cells[0]?.map((_, i) => `last ${i}`) ?? ["last"]];
        const text = table.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(",")).join("\n");
        const shown = new Set((await markdownOf(text)).flatMap(valuesOf));
        const told = table.flat().filter((value) => value !== "");
        // Two rows may be one header: then the name of a group stands before those of its columns.
        const joined = (table[0] ?? [])
          .flatMap((group) => (table[1] ?? []).map((name) => ({ group, name, text: `${group} ${name}` })))
          .filter(({ text }) => shown.has(text));
        const inHeader = new Set(joined.flatMap(({ group, name }) => [group, name]));
        expect(told.filter((value) => !shown.has(value) && !inHeader.has(value))).toEqual([]);
        const texts = new Set(joined.map(({ text }) => text));
        expect([...shown].filter((value) => !told.includes(value) && !texts.has(value))).toEqual([]);
      }),
      {
        examples: [
          [
            [
              ["", "", ":", "", ";"],
              ["", "name", "name", "", ""],
            ],
          ],
        ],
      },
    );
  });
});

/** The texts that a line shows: of the cells of a row, or of a line of text. */
function valuesOf(line: string): string[] {
  if (/^\|(?: --- \|)+$/.test(line)) return [];
  const cells = line.startsWith("| ") ? line.slice(2, -2).split(/ \| | \|$/) : [line.replace(/^# /, "")];
  return cells.map((text) => text.replace(/\\([!-/:-@[-`{-~])/g, "$1").trim()).filter((text) => text !== "");
}

describe("columns of questions and answers", () => {
  it("become questions with answers, in any order and case, with other wordings", async () => {
    const { page, faqs } = await converted(
      "ANSWER,Alternatives,Question\nBy post.,How is it sent?|Who brings it?,How do I get it?\n",
    );
    expect(page).toBeUndefined();
    expect(faqs).toEqual([
      {
        question: "How do I get it?",
        answer: "By post.",
        alternatives: ["How is it sent?", "Who brings it?"],
        metaData: { sourceLine: 2 },
      },
    ]);
  });

  it("name the line of the file in which the answer begins, wherever cells before it have several", async () => {
    const rows = [
      "sep=,",
      "question,alternatives,answer",
      'Why?,"What for?',
      'To what end?",So.',
      "",
      'How?,,"Thus:',
      'and thus."',
      "When?,,Now.",
    ];
    const { faqs } = await converted(`${rows.join("\r\n")}\r\n`);
    for (const { answer, metaData = {} } of faqs) {
      for (const [i, text] of answer.split("\n").entries()) {
        const place = placeInFile(metaData, i + 1, i + 1);
        expect(place).toMatchObject({ kind: "lines" });
        expect(rows[place?.kind === "lines" ? place.first - 1 : -1]).toContain(text);
      }
    }
    expect(faqs.map(({ metaData }) => metaData?.sourceLine)).toEqual([4, 6, 8]);
  });

  it("keep the lines of an answer as markdown", async () => {
    expect((await converted('q,a\nWhat is in it?,"Two things:\r\n\r\n- one\r\n- two"\n')).faqs[0]?.answer).toBe(
      "Two things:\n\n- one\n- two",
    );
  });

  it("take alternatives from several columns and lines, each once and not the question", async () => {
    const text = 'question,alternative 1,alternative 2,answer\nWhy?,"What for?\nWhy?",What for?,So.\n';
    expect((await converted(text)).faqs).toMatchObject([
      { question: "Why?", answer: "So.", alternatives: ["What for?"] },
    ]);
  });

  it("leave out rows that lack one, and other columns, and say so with the number of the row", async () => {
    const { faqs, notes } = await converted("question,answer,owner\nWhy?,So.,Ann\n,So.,Ann\nHow?,,\n");
    expect(faqs.map(({ question }) => question)).toEqual(["Why?"]);
    expect(notes).toEqual([
      "questions and answers were taken; other columns were left out: owner",
      "row 3 was left out: it has no question",
      "row 4 was left out: it has no answer",
    ]);
  });

  it("are no questions where one of the two is missing", async () => {
    expect((await converted("question,votes\nWhy?,3\n")).faqs).toEqual([]);
  });
});

describe("the line of the file that a line of the table is", () => {
  /** The file's line of each row, by the marks, checked against what stands there. */
  async function linesFound(text: string): Promise<readonly (readonly [row: string, line: string])[]> {
    const bytes = Buffer.from(text);
    const { page } = await convertCsv({ bytes, name: "a.csv", kind: "csv" });
    const file = text.split(/\r\n|\r|\n/);
    return (page?.content[0]?.md.trimEnd().split("\n") ?? []).flatMap((row, at) => {
      const place = placeInFile(page?.metaData ?? {}, at + 1, at + 1);
      return row === "" || row.startsWith("| ---")
        ? []
        : [[row, file[(place?.kind === "lines" ? place.first : 0) - 1] ?? ""]];
    });
  }

  it.each([
    ["one below the other", "a,b\nx,1\ny,2\n"],
    ["with line breaks in cells", 'a,b\n"x\n\ny",1\nz,2\n"v\nw","1\n2"\nu,3\n'],
    ["with line breaks of other systems", 'a,b\r\n"x\r\ny",1\r\nz,2\r\n'],
    ["below a line that says what divides them", "sep=;\na;b\nx;1\ny;2\n"],
    ["in several tables below their titles", "Prices\n\na,b\nx,1\n\n\nOther things\n\nc,d\ny,2\n"],
  ])("is told: %s", async (_, text) => {
    const found = await linesFound(text);
    expect(found.length).toBeGreaterThan(2);
    for (const [row, line] of found) {
      const [first = ""] = line.replace(/^"/, "").split(/[,;]/);
      expect(row.replace(/^(?:# |\| )/, "").startsWith(first)).toBe(true);
      expect(first).not.toBe("");
    }
  });

  it("is that of any table", async () => {
    const word = fc.stringMatching(/^[a-z]{3}(?:\n[a-z]{2})?$/);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, fc.nat(99)), { minLength: 2, maxLength: 30 }), async (rows) => {
        const text = rows.map(([name, count], at) => `"${at}${name}",${count}\n`).join("");
        for (const [row, line] of await linesFound(`name,count\n${text}`)) {
          expect(row.startsWith(`| ${/^"?([^",]+)/.exec(line)?.[1]}`)).toBe(true);
        }
      }),
      { numRuns: lawRuns(40) },
    );
  });

  it("is not told where there would be too many marks", async () => {
    const text = `a,b\n${'"x\ny",1\n'.repeat(2_100)}`;
    const { page } = await convertCsv({ bytes: Buffer.from(text), name: "a.csv", kind: "csv" });
    expect(page?.metaData).toEqual({ title: "a" });
  });
});

it("takes 50,000 rows with an empty one between any two", async () => {
  const rows = Array.from({ length: 50_000 }, (_, at) => `part ${at},${at}\n`);
  const lines = await markdownOf(`name,stock\n${rows.join(",\n")}`);
  expect(lines).toHaveLength(50_002);
  expect(lines.at(-1)).toBe("| part 49999 | 49999 |");
});
