/** Writes what comes from the table of options and is committed: its JSON Schema, and the table of the settings in docs/command-line/settings.md. */

import { readFileSync, writeFileSync } from "node:fs";
import { ALL_OPTIONS } from "../packages/loredex/src/commands/all.ts";
import { configSchema } from "../packages/loredex/src/configuration/schema.ts";
import { settingsTable, settingsTableOf } from "../packages/loredex/test/support/settings-table.ts";

const SCHEMA = new URL("../packages/loredex/loredex.config.schema.json", import.meta.url);
const PAGE = new URL("../docs/command-line/settings.md", import.meta.url);

writeFileSync(SCHEMA, `${JSON.stringify(configSchema(ALL_OPTIONS), null, 2)}\n`);
const page = readFileSync(PAGE, "utf8");
writeFileSync(
  PAGE,
  page.replace(settingsTableOf(page), () => settingsTable()),
);
