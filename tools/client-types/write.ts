/** Writes the types that `@loredex/client` has from the OpenAPI document. */

import { writeFileSync } from "node:fs";
import { clientTypes } from "./generate.ts";

writeFileSync(new URL("../../packages/client/src/api-types.ts", import.meta.url), await clientTypes());
