/** `npm run write-third-party`: the table of docs/third-party.md, from package-lock.json by npm's parts list. */

import { readFileSync, writeFileSync } from "node:fs";
import { partsList } from "./sbom.ts";
import { pageWith, rowsOf, thirdPartyOf } from "./third-party.ts";

const PAGE = new URL("../../docs/third-party.md", import.meta.url);

writeFileSync(PAGE, pageWith(readFileSync(PAGE, "utf8"), rowsOf(thirdPartyOf(partsList()))));
