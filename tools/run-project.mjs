import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const VITEST = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

/**
 * Most of the slow proofs wait for programs that they start: two files at once take little more than half the time. In full they take turns, as each may
 * want the whole machine. It holds for the whole run, so vitest.config.ts cannot say it of one project.
 */
const SHORT_AT_ONCE = ["--maxWorkers=2", "--minWorkers=2"];
const FULL_AT_ONCE = ["--no-file-parallelism"];

/**
 * Runs one project of vitest.config.ts, in full or in the short form, for which every slow test reads its counts by TESTS_SHORT=1.
 * @param {"slow" | "security"} project
 * @param {readonly string[]} given vitest's own arguments, and `--short`
 * @param {NodeJS.ProcessEnv} [env] added to the environment
 * @returns {number} the status with which vitest ended
 */
export function runProject(project, given, env = {}) {
  const isShort = given.includes("--short");
  const chosen = given.some((argument) => /^--(max|min)Workers\b/.test(argument));
  const atOnce = isShort ? SHORT_AT_ONCE : FULL_AT_ONCE;
  const own = given.filter((argument) => argument !== "--short");
  const { status } = spawnSync(
    process.execPath,
    [VITEST, "run", "--project", project, ...(chosen ? [] : atOnce), ...own],
    { stdio: "inherit", env: { ...process.env, ...env, ...(isShort ? { TESTS_SHORT: "1" } : {}) } },
  );
  return status ?? 1;
}
