import { parseArgs } from "node:util";
import { bots } from "./benches/bots.ts";
import { cluster } from "./benches/cluster.ts";
import { encoder } from "./benches/encoder.ts";
import { exact } from "./benches/exact.ts";
import { filters } from "./benches/filters.ts";
import { hot } from "./benches/hot.ts";
import { http } from "./benches/http.ts";
import { hybrid } from "./benches/hybrid.ts";
import { indexing } from "./benches/indexing.ts";
import { meanwhile } from "./benches/meanwhile.ts";
import { memory } from "./benches/memory.ts";
import { nonsense } from "./benches/nonsense.ts";
import { overload } from "./benches/overload.ts";
import { quiet } from "./benches/quiet.ts";
import { quotes } from "./benches/quotes.ts";
import { real } from "./benches/real.ts";
import { recovery } from "./benches/recovery.ts";
import { relevance } from "./benches/relevance.ts";
import { rerank } from "./benches/rerank.ts";
import { rerankCost } from "./benches/rerank-cost.ts";
import { sizes } from "./benches/sizes.ts";
import { suggest } from "./benches/suggest.ts";
import { turns } from "./benches/turns.ts";
import { typos } from "./benches/typos.ts";
import { vectors } from "./benches/vectors.ts";
import { words } from "./benches/words.ts";
import { writes } from "./benches/writes.ts";
import type { BenchOptions } from "./measuring/bench-options.ts";

/** `npm run bench -- NAME [--short] [--json] [--only SET] [--use tune|report] [--sizes N,N] [--minutes N] [--plots]`: one file a question. Without a name, all of them. */

const BENCHES: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = {
  relevance,
  nonsense,
  typos,
  exact,
  rerank,
  real,
  quotes,
  words,
  hot,
  hybrid,
  filters,
  suggest,
  "rerank-cost": rerankCost,
  meanwhile,
  indexing,
  memory,
  http,
  bots,
  vectors,
  writes,
  cluster,
  recovery,
  sizes,
  turns,
  overload,
  quiet,
  encoder,
};

const OPTIONS = {
  short: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
  only: { type: "string" },
  use: { type: "string" },
  sizes: { type: "string" },
  plots: { type: "boolean", default: false },
  small: { type: "boolean", default: false },
  bots: { type: "string" },
  minutes: { type: "string" },
} as const;

const { values, positionals } = given();

const sizesGiven = values.sizes?.split(",").map(Number);
const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exitCode = 2;
} else if (values.use !== undefined && values.use !== "tune" && values.use !== "report") {
  console.error("--use is tune or report.");
  process.exitCode = 2;
} else if (sizesGiven?.some((size) => !(Number.isInteger(size) && size > 0))) {
  console.error("--sizes are numbers of passages, as in 1000,28000.");
  process.exitCode = 2;
} else if (values.minutes !== undefined && !(Number(values.minutes) > 0)) {
  console.error("--minutes is a number above 0.");
  process.exitCode = 2;
} else if (values.bots !== undefined && !/^[1-9]\d{0,3}$/.test(values.bots)) {
  console.error("--bots is a number from 1 to 9999.");
  process.exitCode = 2;
} else {
  const { use, sizes: _, minutes, bots, ...options } = values;
  for (const name of names) {
    if (!values.json) console.log(`\n${name}${values.short ? " (short: figures mean nothing)" : ""}`);
    const start = performance.now();
    await BENCHES[name]?.({
      ...options,
      ...(use === undefined ? {} : { use }),
      ...(sizesGiven === undefined ? {} : { sizes: sizesGiven }),
      ...(bots === undefined ? {} : { bots: Number(bots) }),
      ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
    });
    if (!values.json) console.log(`took ${Math.round((performance.now() - start) / 1_000)} s`);
  }
}

/** The names and options of the command line. Ends the process if it has others. */
function given() {
  try {
    return parseArgs({ allowPositionals: true, options: OPTIONS });
  } catch (error) {
    const options = Object.keys(OPTIONS).map((name) => `--${name}`);
    console.error(`${error instanceof Error ? error.message : error}`);
    console.error(`Options are ${options.join(", ")}; benches are ${Object.keys(BENCHES).join(", ")}.`);
    return process.exit(2);
  }
}
