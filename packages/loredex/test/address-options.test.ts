import { expect, it } from "vitest";
import { parse } from "../src/arguments/parse.ts";
import { addressOptions } from "../src/commands/address-options.ts";
import { importCommand } from "../src/commands/import.ts";
import { fileOptions } from "../src/commands/import-files.ts";

it.each([
  [["--ignore-robots", "--drafts"], { ignoreRobots: true, drafts: true }],
  [["--ignore-robots=false", "--drafts=false"], { ignoreRobots: false, drafts: false }],
  [[], {}],
])("what was kept of an argument is switched off as it was switched on: %j", (args, expected) => {
  const { given } = parse(importCommand, ["acme", "docs", ...args]);
  expect({ ...addressOptions(given), ...fileOptions(given) }).toEqual(expected);
});
