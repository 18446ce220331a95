/** `npm run write-languages`: the table by which languages are told, from the data of eld. */

import { writeFileSync } from "node:fs";
import { writtenNgramTable } from "../../packages/core/src/analysis/ngram-table.ts";
import { eldTable } from "./table.ts";

writeFileSync(
  new URL("../../packages/core/model/languages/table.bin", import.meta.url),
  writtenNgramTable(await eldTable()),
);
