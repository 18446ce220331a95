import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../../test/support/law-runs.ts";
import { convertPdf } from "../../../src/convert/pdf/pdf.ts";
import { gridRules, lines, type PdfRule, type PdfText, pdfOf } from "../../support/pdf-writer.ts";

type Drawn = PdfText | PdfRule;

async function blocksOf(bytes: Uint8Array): Promise<string[]> {
  const { page } = await convertPdf({ bytes, name: "file.pdf", kind: "pdf" });
  return page?.content.map(({ md }) => md) ?? [];
}

const BODY = lines(
  [
    "The warranty covers the engine, the frame and the brakes for two years from",
    "the day of purchase, and the battery for one year or five hundred charges, which",
    "ever comes first. Parts that wear are not covered by it at all.",
  ],
  { y: 60 },
);

/** Cells of one line each, of columns and rows with ruled edges, as narrow as they can be. */
function table(rows: readonly (readonly string[])[], xs: readonly number[], y = 120): Drawn[] {
  const ys = [y, ...rows.map((_, i) => y + 16 * (i + 1))];
  const texts = rows.flatMap((row, i) =>
    row.map(
      (text, j): PdfText => ({ text, x: (xs[j] ?? 0) + 2, y: y + 16 * i + 12, font: i === 0 ? "bold" : "plain" }),
    ),
  );
  return [...gridRules(xs, ys), ...texts];
}

describe("a table with ruled lines", () => {
  it("has its cells where nothing but a line is between them, and its bold row as header", async () => {
    const rows = [
      ["Lamp", "Meaning", "What to do"],
      ["blinks red", "boiled dry", "let it cool for 15 minutes"],
      ["is off", "no contact", "wipe the ring"],
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...table(rows, [72, 122, 172, 300])]]));
    expect(md).toContain(
      "| Lamp | Meaning | What to do |\n| --- | --- | --- |\n| blinks red | boiled dry | let it cool for 15 minutes |\n| is off | no contact | wipe the ring |",
    );
  });

  it("has cells of several lines, and a word that a line's end divides as one", async () => {
    const drawn: Drawn[] = [
      ...gridRules([72, 140, 300], [120, 136, 164, 192]),
      { text: "Lamp", x: 74, y: 132, font: "bold" },
      { text: "What to do", x: 142, y: 132, font: "bold" },
      { text: "Red,", x: 74, y: 148 },
      { text: "blinking", x: 74, y: 160 },
      { text: "Switch off and clean the venti-", x: 142, y: 148 },
      { text: "lation at the back", x: 142, y: 160 },
      { text: "Green", x: 74, y: 182 },
      { text: "Nothing", x: 142, y: 182 },
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain(
      "| Lamp | What to do |\n| --- | --- |\n| Red, blinking | Switch off and clean the ventilation at the back |\n| Green | Nothing |",
    );
  });

  it("has rows that only their lines of text tell where no line divides its body", async () => {
    const drawn: Drawn[] = [
      ...gridRules([72, 140, 220], [120, 136, 192]),
      ...["Code", "Error"].map((text, i): PdfText => ({ text, x: 74 + 70 * i, y: 132, font: "bold" })),
      ...["E1", "E3", "E7"].map((text, i): PdfText => ({ text, x: 74, y: 150 + 16 * i })),
      ...["no water", "jammed", "too hot"].map((text, i): PdfText => ({ text, x: 144, y: 150 + 16 * i })),
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain("| Code | Error |\n| --- | --- |\n| E1 | no water |\n| E3 | jammed |\n| E7 | too hot |");
  });

  it("says a label of several rows in each of them", async () => {
    const drawn: Drawn[] = [
      { from: [72, 120], to: [272, 120] },
      { from: [142, 136], to: [272, 136] },
      { from: [72, 152], to: [272, 152] },
      { from: [72, 168], to: [272, 168] },
      ...[72, 142, 202, 272].map((x): PdfRule => ({ from: [x, 120], to: [x, 168] })),
      ...["Pump A", "motor", "90.00"].map((text, i): PdfText => ({ text, x: 74 + 70 * i, y: 132 })),
      ...["seal", "4.50"].map((text, i): PdfText => ({ text, x: 144 + 70 * i, y: 148 })),
      ...["Pump B", "motor", "95.00"].map((text, i): PdfText => ({ text, x: 74 + 70 * i, y: 164 })),
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain("| Pump A | motor | 90.00 |\n| Pump A | seal | 4.50 |\n| Pump B | motor | 95.00 |");
  });

  it("keeps the header that stands on each of its pages", async () => {
    const page = (from: number): Drawn[] =>
      table(
        [["Article", "Price"], ...Array.from({ length: 30 }, (_, i) => [`A-${from + i}`, `${i}.50`])],
        [72, 122, 200],
        50,
      );
    const blocks = await blocksOf(pdfOf([page(100), page(200), page(300), page(400)]));
    for (const [i, md] of blocks.entries())
      expect(md).toMatch(new RegExp(`^\\| Article \\| Price \\|\\n.*\\n\\| A-${i + 1}00 `));
  });

  it("is none where its lines frame columns of text", async () => {
    const columns = [
      ...lines(
        Array.from({ length: 9 }, (_, i) => `Left line ${"abcdefghi"[i]} fills this column from edge to edge`),
        { x: 40, size: 9 },
      ),
      ...lines(
        Array.from({ length: 9 }, (_, i) => `Right line ${"abcdefghi"[i]} fills this column up to its edge`),
        { x: 310, size: 9 },
      ),
    ];
    const frame = gridRules([34, 300, 520], [80, 220]);
    const [framed] = await blocksOf(pdfOf([[...columns, ...frame]]));
    expect(framed).toBe((await blocksOf(pdfOf([columns])))[0]);
    expect(framed).not.toContain("|");
  });

  it("divides no words that its lines cross", async () => {
    const [md] = await blocksOf(
      pdfOf([
        [
          ...BODY,
          ...table(
            [
              ["Lamp", "Meaning"],
              ["Wheelbarrowbrake", ""],
              ["Bell", "rings"],
            ],
            [72, 112, 180],
          ),
        ],
      ]),
    );
    expect(md).toContain("Wheelbarrowbrake");
  });

  it("loses no word of its cells, and mixes none of two", async () => {
    // The widest has 9.2 times the size of its letters, and its column has room for it.
    const cell = fc.stringMatching(/^[a-z]{2,5}( [a-z]{2,5})?$/);
    const rows = fc.array(fc.tuple(cell, cell, cell), { minLength: 3, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(rows, async (texts) => {
        const [md] = await blocksOf(pdfOf([[...BODY, ...table(texts, [72, 200, 328, 456], 120)]]));
        expect(md).toContain(
          texts
            .map((row) => `| ${row.join(" | ")} |`)
            .join("\n")
            .replace("\n", "\n| --- | --- | --- |\n"),
        );
      }),
      { numRuns: lawRuns(40) },
    );
  });
});

/** Rows of cells without any line, one below the other. */
function unruled(rows: readonly (readonly string[])[], xs: readonly number[], y: number, leading = 18): PdfText[] {
  return rows.flatMap((row, i) =>
    row.map((text, j): PdfText => ({ text, x: xs[j] ?? 0, y: y + leading * i, font: "plain" })),
  );
}

describe("a table without lines", () => {
  const xs = [72, 140, 300, 380];
  const header = (y: number): PdfText[] =>
    ["Article", "Name", "Unit", "Price"].map((text, i) => ({ text, x: xs[i] ?? 0, y, font: "bold" }));
  const rows = (from: number, count: number): string[][] =>
    Array.from({ length: count }, (_, i) => [`A-${from + i}`, `Part ${"abcdefghij"[i % 10]}`, "pc", `${i + 3}.50`]);

  it("says its header again where it goes on on the next page, and the one after", async () => {
    const blocks = await blocksOf(
      pdfOf([
        [...BODY, ...header(120), ...unruled(rows(100, 30), xs, 138)],
        unruled(rows(130, 35), xs, 60),
        unruled(rows(165, 3), xs, 60),
        BODY,
      ]),
    );
    expect(blocks[1]).toMatch(/^\| Article \| Name \| Unit \| Price \|\n.*\n\| A-130 \| Part a \| pc \| 3.50 \|/);
    expect(blocks[2]).toMatch(/^\| Article \| Name \| Unit \| Price \|\n.*\n\| A-165 /);
    expect(blocks[3]).not.toContain("Article");
  });

  it("keeps what a page's end left of a row with that row", async () => {
    const blocks = await blocksOf(
      pdfOf([
        [...BODY, ...header(120), ...unruled([...rows(100, 30), ["A-130", "Mudguard set", "pc", "9.50"]], xs, 138)],
        [{ text: "made of ash wood", x: 140, y: 60 }, ...unruled(rows(131, 5), xs, 90)],
      ]),
    );
    expect(blocks[0]).toMatch(/\| A-130 \| Mudguard set made of ash wood \| pc \| 9.50 \|$/);
    expect(blocks[1]).toMatch(/^\| Article \|/);
  });

  it("is another one where its columns are others", async () => {
    const other = [72, 210, 340, 480];
    const blocks = await blocksOf(
      pdfOf([
        [...BODY, ...header(120), ...unruled(rows(100, 30), xs, 138)],
        unruled(
          rows(130, 6).map((row) => [...row, "new"]),
          [...other, 540],
          60,
        ),
      ]),
    );
    expect(blocks[1]).not.toContain("Article");
  });

  it("joins words of a cell as it joins those of a paragraph", async () => {
    const drawn: PdfText[] = [
      ...header(120),
      ...unruled(rows(100, 4), xs, 144, 24),
      ...unruled([["A-200", "Front light 60-", "pc", "7.00"]], xs, 240),
      { text: "watt, comfort-", x: 140, y: 252 },
      { text: "fit holder", x: 140, y: 264 },
      ...lines(["It is a comfort and it must fit every bicycle that was built before the war."], { y: 400 }),
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain("| A-200 | Front light 60-watt, comfort-fit holder | pc | 7.00 |");
  });

  it("keeps a cell whose values stand beside its last line together", async () => {
    const drawn: PdfText[] = [
      ...header(120),
      ...unruled(rows(100, 5), xs, 144, 24),
      { text: "A-200 with", x: 72, y: 264 },
      ...unruled([["a handle", "Part z", "pc", "8.25"]], xs, 276),
    ];
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain("| A-200 with a handle | Part z | pc | 8.25 |");
  });

  it("has what leaders lead to in a column of its own, and no headings as rows", async () => {
    const menu = (names: readonly string[], y: number): PdfText[] =>
      names.map((name, i) => ({ text: `${name} ${".".repeat(60 - name.length)} ${i + 3}`, x: 72, y: y + 14 * i }));
    const [md] = await blocksOf(
      pdfOf([
        [
          ...BODY,
          { text: "Cakes", x: 72, y: 120, size: 14 },
          ...menu(["Apple cake", "Cheese cake", "Plum tart", "Lemon pie"], 138),
          { text: "Drinks", x: 72, y: 206, size: 14 },
          ...menu(["Coffee", "Green tea", "Milk"], 224),
        ],
      ]),
    );
    expect(md).toMatch(
      /# Cakes\n[^#]*\| Apple cake \| 3 \|\n\| Cheese cake \| 4 \|[^#]*\n\n# Drinks\n[^#]*\| Milk \| 5 \|/,
    );
  });

  it("is a list where it explains terms", async () => {
    const options = [
      ["-a", "Show all bicycles, those that were sold too."],
      ["-d DAY", "Show the state of a day."],
      ["--out FILE", "Write to a file, which is replaced where it is"],
      ["", "there already."],
      ["-q", "Say nothing."],
    ];
    const drawn = unruled(options, [72, 180], 120, 12).filter(({ text }) => text !== "");
    const [md] = await blocksOf(pdfOf([[...BODY, ...drawn]]));
    expect(md).toContain(
      "- -a: Show all bicycles, those that were sold too.\n- -d DAY: Show the state of a day.\n- --out FILE: Write to a file, which is replaced where it is there already.\n- -q: Say nothing.",
    );
  });

  it("is two lists where lists stand side by side", async () => {
    const cells = [
      ["\u2022 Summer", "\u2022 Winter"],
      ["\u2022 8:00 to 19:00", "\u2022 9:00 to 17:00"],
      ["\u2022 Saturday too", "\u2022 No Saturday"],
    ].map((row) => row.map((text) => text.replace("\u2022", "\u0095")));
    const [md] = await blocksOf(pdfOf([[...BODY, ...unruled(cells, [72, 300], 120)]]));
    expect(md).toContain("- Summer\n- 8:00 to 19:00\n- Saturday too\n- Winter\n- 9:00 to 17:00\n- No Saturday");
  });

  it("in small letters leaves the text what it was", async () => {
    const small = unruled(rows(100, 50), xs, 60, 12).map((text) => ({ ...text, size: 8 }));
    const blocks = await blocksOf(pdfOf([[{ text: "Stock", x: 72, y: 30, size: 16 }, ...BODY], small, small]));
    expect(blocks[0]?.match(/^#.*$/gm)).toEqual(["# Stock"]);
  });
});

describe("manuals of an office program", () => {
  const manual = async (name: string): Promise<string[]> =>
    blocksOf(await readFile(new URL(`../../../../../examples/acme/manuals/${name}`, import.meta.url)));

  it("have their tables", async () => {
    const kettle = await manual("kettle.pdf");
    expect(kettle[1]).toContain("| Mark | Temperature | Good for |\n| --- | --- | --- |\n| 1 | 70 °C | white tea |");
    expect(kettle[2]).toContain("| Lamp | Meaning | What to do |\n| --- | --- | --- |\n| blinks red | boiled dry |");
    expect((await manual("coffee-machine.pdf"))[2]).toContain("| E3 | grinder jammed | switch it off,");
  });
});
