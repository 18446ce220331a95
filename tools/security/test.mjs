import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProject } from "../run-project.mjs";
import { countsTold } from "./counts.mjs";

/**
 * `npm run test:security [-- --short] [vitest's own arguments]`: all tests that show what SECURITY.md says, in full or in the short form, and then how
 * much they tried. They stand in the quick suite and in the slow one, which CI runs: this runs them alone.
 */
const folder = mkdtempSync(join(tmpdir(), "loredex-security-"));
const counts = join(folder, "counts");
process.exitCode = runProject("security", process.argv.slice(2), { TESTS_COUNTS: counts });
process.stdout.write(`\nWhat was tried:\n${countsTold(counts)}`);
rmSync(folder, { recursive: true });
