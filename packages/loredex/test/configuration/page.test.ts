import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS, wordsOf } from "../../src/commands/all.ts";
import { flagOf } from "../../src/configuration/option.ts";
import { settingsTable, settingsTableOf } from "../support/settings-table.ts";

const PAGE = readFileSync(new URL("../../../../docs/command-line.md", import.meta.url), "utf8");

describe("docs/command-line.md", () => {
  it("has every setting with its names, and no other: npm run write-settings", () => {
    expect(settingsTableOf(PAGE)).toBe(settingsTable());
  });

  it.each(COMMANDS.map((command) => [wordsOf(command).join(" "), command] as const))(
    "has %s with its options",
    (words, command) => {
      expect(PAGE).toMatch(new RegExp(`loredex ${words}\\b|loredex ${words.replace(/^channel/, "agent")}\\b`));
      for (const name of Object.keys(command.options)) expect(PAGE).toContain(flagOf(name));
    },
  );
});
