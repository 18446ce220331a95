import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS, wordsOf } from "../../src/commands/all.ts";
import { flagOf } from "../../src/configuration/option.ts";
import { settingsTable, settingsTableOf } from "../support/settings-table.ts";

const DOCS = new URL("../../../../docs/", import.meta.url);
const OVERVIEW = "command-line.md";
/** The overview, and the pages that it leads to. */
const PAGES = new Map(
  [OVERVIEW, ...readdirSync(new URL("command-line/", DOCS)).map((name) => `command-line/${name}`)].map((name) => [
    name,
    readFileSync(new URL(name, DOCS), "utf8"),
  ]),
);

describe("the pages on the command line", () => {
  it("have every setting with its names, and no other: npm run write-settings", () => {
    expect(settingsTableOf(PAGES.get("command-line/settings.md") ?? "")).toBe(settingsTable());
  });

  it("are all in the overview", () => {
    const overview = PAGES.get(OVERVIEW) ?? "";
    expect([...PAGES.keys()].filter((name) => name !== OVERVIEW && !overview.includes(`](${name}`))).toEqual([]);
  });

  it.each(COMMANDS.map((command) => [wordsOf(command).join(" "), command] as const))(
    "have one with %s and all its options",
    (words, command) => {
      const synopsis = new RegExp(`^loredex (${words}|${words.replace(/^channel/, "agent")})\\b`, "m");
      const pages = [...PAGES.values()].filter((page) => synopsis.test(page));
      expect(pages.length).toBeGreaterThan(0);
      const flags = Object.keys(command.options).map(flagOf);
      const lacking = pages.map((page) => flags.filter((flag) => !page.includes(flag)));
      expect(lacking).toContainEqual([]);
    },
  );
});
