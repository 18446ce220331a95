import { parseArgs } from "node:util";
import { relevance } from "./relevance.ts";
import { speed } from "./speed.ts";

/** `npm run bench -- NAME [--short] [--json]`: one file a question. Without a name, all of them. */

const BENCHES: Readonly<Record<string, (options: { short: boolean; json: boolean }) => Promise<void>>> = {
  relevance,
  speed,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: "boolean", default: false }, json: { type: "boolean", default: false } },
});

const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
const unknown = names.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exitCode = 2;
} else {
  for (const name of names) {
    if (!values.json) console.log(`\n${name}${values.short ? " (short: figures mean nothing)" : ""}`);
    await BENCHES[name]?.({ short: values.short, json: values.json });
  }
}
