/**
 * `npm run test:node -- VERSION [--ignore-scripts] [--reports DIR]`: runs README's two commands as a newcomer with that Node would. Brings that
 * Node from npm, copies the checkout to a temporary directory, and runs there
 *
 *   npm ci && npm start   until the printed line has been asked and answered rightly
 *   npm ci && npm test
 *
 * and says what failed. VERSION is "oldest" (what package.json promises), "newest" or a version: 26, 24.1. A warning of npm or Node is a failure too.
 * With --ignore-scripts npm runs no package's install script. --reports writes what was counted into files, for .ci/run. Needs git, a shell and curl.
 */

import { strict as assert } from "node:assert";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { paste, requireRightLines } from "../../examples/first-start/pasted.mjs";
import { STOP } from "../../examples/first-start/said.mjs";
import { bringNode } from "./bring-node.mjs";
import { copyCheckout } from "./checkout.mjs";
import { freshEnvironment } from "./environment.mjs";
import { readmeCommands } from "./readme-commands.mjs";
import { ShellLine } from "./shell-line.mjs";
import { warningsIn } from "./silence.mjs";
import { versionOf } from "./versions.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** @typedef {{ cwd: string, env: NodeJS.ProcessEnv }} Where */

const options = /** @type {const} */ ({ "ignore-scripts": { type: "boolean" }, reports: { type: "string" } });
const { values, positionals } = parseArgs({ allowPositionals: true, options });
const asked = positionals[0] ?? "newest";
const reports = values.reports === undefined ? undefined : resolve(values.reports);

/** @type {Set<ShellLine>} */
const running = new Set();
const directory = mkdtempSync(join(tmpdir(), "loredex-on-node-"));
// Where tests run as root, some start the program as a user without rights.
chmodSync(directory, 0o755);
process.once("exit", () => {
  for (const line of running) line.signal("SIGKILL");
  rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
});
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.once(signal, () => process.exit(1));

const [node, checkout] = [join(directory, "node"), join(directory, "loredex")];
mkdirSync(node);
const brought = bringNode(versionOf(asked), node);
copyCheckout(ROOT, checkout);
const fresh = freshEnvironment(process.env, ROOT, join(brought, "bin"), { scripts: !values["ignore-scripts"] });
/** @type {Where} */
const where = {
  cwd: checkout,
  // Port 0: any that is free, for 8080 may be taken.
  // The headers are those of that Node: npm would bring them from Node's own site.
  env: {
    ...fresh,
    PORT: "0",
    npm_config_nodedir: brought,
    ...(values["ignore-scripts"] ? { npm_config_ignore_scripts: "true" } : {}),
  },
};
const version = spawnSync("node", ["--version"], { ...where, encoding: "utf8" }).stdout.trim();
const commands = readmeCommands(checkout);
const scripts = values["ignore-scripts"] ? ", without install scripts" : "";

const tried = [
  { command: commands.start, problems: await problemsOf(commands.start, answersRightly) },
  { command: commands.test, problems: await problemsOf(`${commands.test}${reportTo(reports)}`, endsWell) },
];
report();

/**
 * The first start: the line that it prints is asked, and must be answered rightly; then it is stopped.
 * @param {ShellLine} line
 */
async function answersRightly(line) {
  assert.ok(await line.printed(STOP), "the server did not come up");
  const curl = /^ *(curl .*)$/m.exec(line.output)?.[1];
  assert.ok(curl, "the first start printed no line to paste");
  await requireRightLines(paste(curl), checkout);
  line.signal("SIGINT");
  const how = await line.ended;
  // As the shell and npm end when Ctrl-C is pressed, or as the server does.
  assert.ok(["0", "130", "SIGINT"].includes(how), `after Ctrl-C it ended with ${how}`);
}

/** @param {ShellLine} line */
async function endsWell(line) {
  const how = await line.ended;
  assert.ok(how === "0", `it ended with ${how}`);
}

/**
 * @param {string} command
 * @param {(line: ShellLine) => Promise<void>} check
 * @returns {Promise<string[]>}
 */
async function problemsOf(command, check) {
  console.log(`\n== Node ${version}${scripts}: ${command}`);
  const line = new ShellLine(command, where);
  running.add(line);
  const failed = await check(line).then(
    () => [],
    (error) => [error instanceof Error ? error.message : String(error)],
  );
  line.signal("SIGKILL");
  await line.ended;
  running.delete(line);
  return [...failed, ...warningsIn(line.output).map((text) => `it warns: ${text}`)];
}

/** @param {string | undefined} folder */
function reportTo(folder) {
  return folder === undefined
    ? ""
    : ` -- --reporter=default --reporter=json --outputFile.json='${join(folder, `${asked}-tests.json`)}'`;
}

function report() {
  const failed = tried.filter(({ problems }) => problems.length > 0);
  const passed = tried.length - failed.length;
  if (reports !== undefined) {
    // As the test runner writes it, so that both are counted in one way.
    const counts = { numPassedTests: passed, numFailedTests: failed.length, numPendingTests: 0, numTodoTests: 0 };
    writeFileSync(join(reports, `${asked}-commands.json`), JSON.stringify({ ...counts, numFailedTestSuites: 0 }));
  }
  console.log(`\nNode ${version}${scripts}: ${passed} of ${tried.length} commands work`);
  for (const { command, problems } of failed) console.error(`${command}\n  ${problems.join("\n  ")}`);
  if (failed.length > 0) process.exitCode = 1;
}
