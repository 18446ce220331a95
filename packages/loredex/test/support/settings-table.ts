import { ALL_OPTIONS } from "../../src/commands/all.ts";
import { MODEL_SERVER } from "../../src/configuration/model-server.ts";
import { flagOf, helpOf, keyOf, settable, variableOf } from "../../src/configuration/option.ts";

const HEAD = "| in the file | in the environment | option | is |\n|---|---|---|---|\n";

/** The table of the settings in docs/command-line/settings.md, as it must be. */
export function settingsTable(): string {
  const rows = settable(ALL_OPTIONS, "environment").map((name) => {
    const described = ALL_OPTIONS[name];
    if (described === undefined) throw new Error(`there is no option ${name}`);
    const { setting } = described;
    const help = helpOf(described);
    const inFile = setting === true ? `\`${keyOf(name)}\`` : "";
    const option = name in MODEL_SERVER ? "" : `\`${flagOf(name)}\``;
    return `| ${inFile} | \`${variableOf(name)}\` | ${option} | ${help.replaceAll("\n", " ").replaceAll("|", "\\|")} |\n`;
  });
  return HEAD + rows.join("");
}

/** The table that a page has. */
export function settingsTableOf(page: string): string {
  const start = page.indexOf(HEAD);
  return page.slice(start, page.indexOf("\n\n", start) + 1);
}
