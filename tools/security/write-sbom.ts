/** `npm run sbom [-- FILE]`: the parts list of what is published, CycloneDX as JSON, into a file or to stdout. */

import { writeFileSync } from "node:fs";
import { partsList } from "./sbom.ts";

const text = `${JSON.stringify(partsList(), null, 2)}\n`;
const [file] = process.argv.slice(2);
if (file === undefined) process.stdout.write(text);
else writeFileSync(file, text);
