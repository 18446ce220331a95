import { readFileSync } from "node:fs";
import type { EngineOptions, NewBot } from "@loredex/core";
import * as core from "@loredex/core";
import * as whole from "loredex";
import { expect, it } from "vitest";

const PAGE = readFileSync(new URL("../../docs/library.md", import.meta.url), "utf8");

/** Maxima, minima and defaults, which the page names by what they end in. */
const BY_ENDING = /^[A-Z_]+_(?:MAX|MIN|DEFAULT|MS|SHARE)$/;

const missing = (names: readonly string[]): string[] =>
  names.filter((name) => !BY_ENDING.test(name) && !new RegExp(`\\b${name}\\b`).test(PAGE));

it("the page on the library has every name that the packages export", () => {
  expect(missing([...Object.keys(core), ...Object.keys(whole)])).toEqual([]);
});

it.each([core.Bot, core.Engine])("the page on the library has every method of %o", ({ prototype }) => {
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
  expect(names.length).toBeGreaterThan(10);
  expect(missing(names)).toEqual([]);
});

/** Held to the types by the compiler: a name too many or too few is no such record. */
const ENGINE_OPTIONS: Readonly<Record<keyof EngineOptions, true>> = {
  directory: true,
  logger: true,
  onWork: true,
  onStatement: true,
  embedders: true,
  background: true,
  patient: true,
  graph: true,
  graphVectorsMin: true,
  memoryBytes: true,
  memoryMaxBytes: true,
  openBotsMax: true,
  rerank: true,
  rerankMemoryBytes: true,
  clock: true,
  random: true,
  storage: true,
  maxStalenessMs: true,
  staleMaxMs: true,
};
const BOT_SETTINGS: Readonly<Record<keyof NewBot, true>> = {
  name: true,
  quotaCharacters: true,
  rateCharactersPerMinute: true,
  quotaBytes: true,
  rateBytesPerMinute: true,
  importBytes: true,
  language: true,
  embedder: true,
  quality: true,
  questionLog: true,
  questionLogDays: true,
  gapScore: true,
};

/** The rows of the table whose head begins so, each with its cells. */
function rowsUnder(head: string): string[][] {
  const lines = PAGE.split("\n");
  const at = lines.findIndex((line) => line.startsWith(`| ${head}`));
  expect(at).toBeGreaterThan(0);
  const end = lines.findIndex((line, i) => i > at && !line.startsWith("|"));
  return lines.slice(at + 2, end).map((line) => line.split("|").map((cell) => cell.trim()));
}

const namesIn = (rows: readonly string[][]): string[] =>
  rows.flatMap(([, names = ""]) => [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name));

it.each([
  ["option of `Engine.open`", ENGINE_OPTIONS],
  ["setting of a bot", BOT_SETTINGS],
])("the table under %s has every one that the types have, once, with its type and its default", (head, names) => {
  const rows = rowsUnder(head);
  expect(namesIn(rows).sort()).toEqual(Object.keys(names).sort());
  for (const cells of rows) expect(cells.map((cell) => cell !== "")).toEqual([false, true, true, true, true, false]);
});

it("the defaults of the tables are those of the code", () => {
  const defaults = new Map(
    [...rowsUnder("option of `Engine.open`"), ...rowsUnder("setting of a bot")].map(([, name, , value]) => [
      name,
      value,
    ]),
  );
  const number = (value: number): string => value.toLocaleString("en");
  expect(defaults.get("`quotaCharacters`")).toBe(number(core.QUOTA_CHARACTERS_DEFAULT));
  expect(defaults.get("`rateCharactersPerMinute`")).toBe(number(core.RATE_CHARACTERS_PER_MINUTE_DEFAULT));
  expect(defaults.get("`language`")).toBe(`\`"${core.LANGUAGE_DEFAULT}"\``);
  expect(defaults.get("`quality`")).toBe(`\`"${core.QUALITY_DEFAULT}"\``);
  expect(defaults.get("`openBotsMax`")).toContain(`${core.OPEN_BOTS_DEFAULT} where`);
});
