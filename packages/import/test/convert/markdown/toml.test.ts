import { JSON_DEPTH_MAX } from "@loredex/core";
import { expect, it } from "vitest";
import { splitFrontMatter } from "../../../src/convert/markdown/front-matter.ts";

const of = (toml: string) => splitFrontMatter(`+++\n${toml}\n+++\nBody\n`);

it("is read between two lines of +++", () => {
  const toml = 'title = "Hours"\ntags = ["a", "b"]\ndraft = true\n[author]\nname = "Kim"\nage = 7.5';
  expect(of(toml)).toEqual({
    metaData: { title: "Hours", tags: ["a", "b"], draft: true, author: { name: "Kim", age: 7.5 } },
    body: "Body\n",
    firstLine: 9,
  });
  expect(splitFrontMatter("+++ \r\na = 1\r\n+++\r\nBody")).toEqual({ metaData: { a: 1 }, body: "Body", firstLine: 4 });
});

it.each([
  ["2026-11-22", "2026-11-22"],
  ["10:30:00", "10:30:00.000"],
  ["2026-11-22T10:30:00Z", "2026-11-22T10:30:00.000Z"],
  ["2026-11-22T10:30:00+02:00", "2026-11-22T08:30:00.000Z"],
  ["2026-11-22 10:30:00", "2026-11-22T10:30:00.000Z"],
  ["9007199254740993", "9007199254740993"],
  ["inf", "Infinity"],
])("has what JSON has not as text: %s", (value, text) => {
  expect(of(`a = ${value}`).metaData).toEqual({ a: text });
});

it("stays in the body where it does not end", () => {
  for (const text of ["+++\na = 1\n", "+++", "++++\na = 1\n++++\n", "+++\na = 1\n---\nBody"]) {
    expect(splitFrontMatter(text)).toEqual({ metaData: {}, body: text, firstLine: 1 });
  }
});

it.each([
  ["a = 1\nb = \nc = 3", 3],
  ["a = 1\na = 2", 3],
  ["Just a sentence.", 2],
])("is refused with its line: %j", (toml, line) => {
  expect(() => of(toml)).toThrow(expect.objectContaining({ line, message: expect.stringContaining("no valid TOML") }));
});

it.each([
  `a = ${"[".repeat(100_000)}`,
  `a = ${"[".repeat(JSON_DEPTH_MAX + 2)}${"]".repeat(JSON_DEPTH_MAX + 2)}`,
  `a = ${"{a=".repeat(1_000)}1${"}".repeat(1_000)}`,
  `${"a.".repeat(JSON_DEPTH_MAX + 2)}a = 1`,
  `[${"a.".repeat(50_000)}a]`,
])("is no deeper than other values", (toml) => {
  expect(() => of(toml)).toThrow(expect.objectContaining({ name: "FrontMatterError" }));
});

it("does not change what objects are", () => {
  const { metaData } = of("[__proto__]\npolluted = 1\n[constructor.prototype]\npolluted = 1");
  expect(Object.getPrototypeOf(metaData)).toBe(Object.prototype);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});
