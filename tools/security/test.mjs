import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countsTold } from "./counts.mjs";

/**
 * `npm run test:security [-- --short] [vitest's own arguments]`: all tests that show what SECURITY.md says, in full or in the short form, and then how
 * much they tried. They stand in the quick suite and in the slow one, which CI runs: this runs them alone.
 */
const given = process.argv.slice(2);
const short = given.includes("--short");
const vitest = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "loredex-security-"));
const counts = join(folder, "counts");
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "vitest.security.config.ts", ...given.filter((argument) => argument !== "--short")],
  { stdio: "inherit", env: { ...process.env, TESTS_COUNTS: counts, ...(short ? { TESTS_SHORT: "1" } : {}) } },
);
process.stdout.write(`\nWhat was tried:\n${countsTold(counts)}`);
rmSync(folder, { recursive: true });
process.exitCode = status ?? 1;
