import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bold, dim, grouped, jsonLine, oneLine, sized, table, terminalSafe } from "../src/terminal/terminal.ts";
import { columns } from "../src/terminal/width.ts";
import { CapturedTerminal } from "./support/captured-terminal.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: what must never come out
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("\u001b", "[", "2", "J", "\u009b", "\r", "\n", "\u0007", "\u202e", "a") }),
);

describe("stored text on a terminal", () => {
  it("cannot steer it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(terminalSafe(text)).not.toMatch(STEERING);
        expect(oneLine(text)).not.toMatch(STEERING);
        expect(oneLine(text)).not.toMatch(/[\n\t]/);
        expect(table(["A", "B"], [[text, text]])).not.toMatch(STEERING);
      }),
    );
  });

  it("keeps what is harmless", () => {
    expect(terminalSafe("one\ttwo\r\nGrüße 😀 日本")).toBe("one\ttwo\nGrüße 😀 日本");
    expect(terminalSafe("\u001b]0;title\u0007")).toBe("\ufffd]0;title\ufffd");
  });

  it("is neither broken nor changed as JSON", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const line = jsonLine({ text });
        expect(line.slice(0, -1)).not.toMatch(STEERING);
        expect(JSON.parse(line)).toEqual({ text });
      }),
    );
  });
});

describe("a table", () => {
  it("has columns as wide as their cells", () => {
    expect(
      table(
        ["ID", "NAME"],
        [
          ["1", "one"],
          ["1000", "a\nb"],
        ],
      ),
    ).toBe("ID    NAME\n1     one\n1000  a b\n");
  });

  it("has them under each other in every script", () => {
    const names = [
      "東京の店",
      "서울",
      "ｼｮｯﾌﾟ",
      "متجر",
      "दुकान",
      "ร้านค้า",
      "Cafe\u0301",
      "👩‍👩‍👧 fam",
      "❤️",
      "zero\u200bwidth",
    ];
    const widths = [8, 4, 5, 4, 4, 5, 4, 6, 2, 9];
    expect(names.map(columns)).toEqual(widths);
    expect(
      table(
        ["NAME", "ID"],
        names.map((name) => [name, "7"]),
      ),
    ).toBe(`NAME       ID\n${names.map((name, i) => `${name}${" ".repeat(9 - (widths[i] ?? 0))}  7\n`).join("")}`);
  });

  it("is not made wider than a screen by one cell", () => {
    const [heading = "", , last] = table(
      ["ID", "NAME"],
      [
        ["x".repeat(500), "one"],
        ["y", "two"],
      ],
    ).split("\n");
    expect(heading.length).toBeLessThan(80);
    expect(last).toMatch(/^y {10,}two$/);
  });

  it("takes any number of rows", () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
    expect(table(["N"], rows).split("\n")).toHaveLength(200_002);
  });
});

it("colours only what goes to a screen", () => {
  expect(bold("x", new CapturedTerminal()) + dim("x", new CapturedTerminal())).toBe("xx");
  expect(bold("x", new CapturedTerminal(true))).toBe("\u001b[1mx\u001b[22m");
  expect(dim("x", new CapturedTerminal(true))).toBe("\u001b[2mx\u001b[22m");
});

it("groups digits", () => {
  expect([0, 999, 1_000, 1_234_567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
});

const GIB = 1_073_741_824;

it.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1_023, "1,023 bytes"],
  [1_024, "1 KiB"],
  [3_174, "3.1 KiB"],
  [1_048_524, "1,023.9 KiB"],
  [1_048_525, "1 MiB"],
  [16_000 + 32 * 1_048_576, "32 MiB"],
  [GIB - 1, "1 GiB"],
  [1.5 * GIB, "1.5 GiB"],
  [5_000 * GIB, "5,000 GiB"],
])("%i bytes are %s", (bytes, words) => {
  expect(sized(bytes)).toBe(words);
});
