/** Measures a bot by questions whose answers are known, as a team's CI would, and asks why one of them is missed. */

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The program of the package that is installed here. */
const LOREDEX = fileURLToPath(new URL("../bin/loredex.js", import.meta.resolve("loredex")));
const GOLDEN = "examples/golden-questions/golden.jsonl";
const KNOWLEDGE = ["docs", "examples/sync-folder/sample", "examples/first-start/articles"];

/**
 * Runs `loredex` in the project's directory, shows what it prints, and requires its exit code.
 * @param {string} directory of the data
 * @param {number} expectedCode
 * @param {string[]} args
 */
function loredex(directory, expectedCode, ...args) {
  console.log(`\n$ loredex ${args.map((arg) => (arg.includes(" ") ? `"${arg}"` : arg)).join(" ")}`);
  const command = [LOREDEX, ...args, "--data", join(directory, "data")];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: "utf8" });
  console.log(`${stdout}${stderr}(exit code ${status})`);
  assert.equal(status, expectedCode);
  return stdout;
}

await inTemporaryDirectory(async (directory) => {
  // By words alone, so that nobody waits for vectors here.
  loredex(directory, 0, "bot", "create", "help", "--embedder", "none");
  loredex(directory, 0, "import", "help", ...KNOWLEDGE);

  const measured = loredex(directory, 0, "eval", "help", GOLDEN, "--min-ndcg", "0.7", "--min-lines", "0.5");
  assert.match(measured, /^15 questions, \d+ answered as expected\n/);

  // A threshold that is missed fails the build: asked like this, the bot must not return any of these pages.
  const narrowed = ["--filter", "type=WEBPAGE", "--misses", "2"];
  const failed = loredex(directory, 1, "eval", "help", GOLDEN, "--min-ndcg", "0.7", ...narrowed);
  assert.match(failed, /dropped by a filter/);

  const question = "within how many days can I return a product";
  const explained = loredex(directory, 0, "explain", "help", question, "file:sample/return-policy.md");
  assert.match(explained, /Returned as number \d/);

  const options = ["--filter", "type=WEBPAGE"];
  const dropped = loredex(directory, 0, "explain", "help", question, "file:sample/return-policy.md", ...options);
  assert.match(dropped, /filters\.type asks for "WEBPAGE", and it has "DOCUMENT"/);
});
