import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { auditVerdict } from "./audit-verdict.mjs";

/**
 * `npm run audit`: fails for what npm knows to be a hole of high or critical severity in anything that is installed, also for development. Where no
 * registry answers it says so, and does not fail.
 */
const root = fileURLToPath(new URL("../../", import.meta.url));
const { stdout } = spawnSync("npm", ["audit", "--json"], { cwd: root, encoding: "utf8", maxBuffer: 64 * 1_048_576 });
const { fails, said } = auditVerdict(stdout ?? "");
console.log(said);
process.exitCode = fails ? 1 : 0;
