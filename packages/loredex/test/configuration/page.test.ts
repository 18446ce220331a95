import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ALL_OPTIONS, COMMANDS, wordsOf } from "../../src/commands/all.ts";
import { MODEL_SERVER } from "../../src/configuration/model-server.ts";
import { flagOf, keyOf, settable, variableOf } from "../../src/configuration/option.ts";

const PAGE = readFileSync(new URL("../../../../docs/command-line.md", import.meta.url), "utf8");

describe("docs/command-line.md", () => {
  it("has every setting with its names, and no other", () => {
    const rows = settable(ALL_OPTIONS, "environment").map((name) => {
      const { setting, help = "" } = ALL_OPTIONS[name] ?? {};
      const inFile = setting === true ? `\`${keyOf(name)}\`` : "";
      const option = name in MODEL_SERVER ? "" : `\`${flagOf(name)}\``;
      return `| ${inFile} | \`${variableOf(name)}\` | ${option} | ${help.replaceAll("\n", " ").replaceAll("|", "\\|")} |`;
    });
    const [, table = ""] = PAGE.split("| in the file | in the environment | option | is |\n|---|---|---|---|\n");
    expect(table.slice(0, table.indexOf("\n\n")).split("\n")).toEqual(rows);
  });

  it.each(COMMANDS.map((command) => [wordsOf(command).join(" "), command] as const))(
    "has %s with its options",
    (words, command) => {
      expect(PAGE).toMatch(new RegExp(`loredex ${words}\\b|loredex ${words.replace(/^channel/, "agent")}\\b`));
      for (const name of Object.keys(command.options)) expect(PAGE).toContain(flagOf(name));
    },
  );
});
