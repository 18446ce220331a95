import { parseArgs } from "node:util";
import type { BenchOptions } from "./bench-options.ts";
import { nonsense } from "./nonsense.ts";
import { overload } from "./overload.ts";
import { recovery } from "./recovery.ts";
import { relevance } from "./relevance.ts";
import { sizes } from "./sizes.ts";
import { speed } from "./speed.ts";
import { turns } from "./turns.ts";
import { typos } from "./typos.ts";
import { vectors } from "./vectors.ts";
import { writes } from "./writes.ts";

/** `npm run bench -- NAME [--short] [--json] [--only SET] [--use tune|report]`: one file a question. Without a name, all of them. */

const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  relevance,
  nonsense,
  typos,
  speed,
  vectors,
  writes,
  recovery,
  sizes,
  turns,
  overload,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    only: { type: "string" },
    use: { type: "string" },
  },
});

const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exitCode = 2;
} else if (values.use !== undefined && values.use !== "tune" && values.use !== "report") {
  console.error("--use is tune or report.");
  process.exitCode = 2;
} else {
  const { use, ...options } = values;
  for (const name of names) {
    if (!values.json) console.log(`\n${name}${values.short ? " (short: figures mean nothing)" : ""}`);
    await BENCHES[name]?.({ ...options, ...(use === undefined ? {} : { use }) });
  }
}
