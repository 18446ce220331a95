import { readFileSync } from "node:fs";
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
