import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { buildIfNeeded } from "../examples/first-start/build.mjs";

/**
 * `npm run test:slow [-- --short] [vitest's own arguments]`: the slow proofs, in full or in the short form that CI runs.
 * The short form sets TESTS_SHORT=1; every slow test reads its counts by it.
 */
const given = process.argv.slice(2);
const short = given.includes("--short");
// Of the short form two files run at once, and more than one installs the packages: none of them finds a build under way.
if (short) buildIfNeeded(fileURLToPath(new URL("..", import.meta.url)));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "vitest.slow.config.ts", ...given.filter((argument) => argument !== "--short")],
  { stdio: "inherit", env: { ...process.env, ...(short ? { TESTS_SHORT: "1" } : {}) } },
);
process.exitCode = status ?? 1;
