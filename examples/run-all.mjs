/** Runs every example in a process of its own, and fails if one fails. */

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const EXAMPLES = [
  "embed/run.mjs",
  "languages/run.mjs",
  "http-client/run.mjs",
  "in-an-app/run.mjs",
  "sync-folder/run.mjs",
  "langchain/run.mjs",
  "import-site/run.mjs",
  "golden-questions/run.mjs",
  "weekly-report/run.mjs",
  "model-server/run.mjs",
  "own-storage/run.mjs",
  "first-start/check.mjs",
];
/** An example that hangs; each is done in seconds. */
const TIMEOUT_MS = 180_000;

const failed = EXAMPLES.filter((example) => {
  console.log(`\n######## examples/${example}\n`);
  const program = fileURLToPath(new URL(example, import.meta.url));
  // What the caller has set for a service of its own must not lead an example there, nor have a library tell its makers of it.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^((LOREDEX|LANGCHAIN|LANGSMITH)_.*|PORT)$/i.test(name)),
  );
  const { status, error } = spawnSync(process.execPath, [program], { env, stdio: "inherit", timeout: TIMEOUT_MS });
  if (error) console.error(error.message);
  return status !== 0;
});

console.log(`\n${EXAMPLES.length - failed.length} of ${EXAMPLES.length} examples passed`);
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exitCode = 1;
}
