/** Starts as `npm start` does, twice, in a temporary directory, and pastes the line that it prints. */

import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { readable } from "../shared/answers.mjs";
import { inTemporaryDirectory } from "../shared/temporary-directory.mjs";
import { paste, requireRightLines } from "./pasted.mjs";
import { STOP } from "./said.mjs";

const START = fileURLToPath(new URL("start.mjs", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const START_TIMEOUT_MS = 60_000;

/**
 * Runs `use` with what a start has printed once it was ready, then stops the server as Ctrl-C does.
 * @param {string} directory
 * @param {(output: string) => Promise<void>} use
 */
async function started(directory, use) {
  const child = spawn(process.execPath, [START, "--port", "0", "--data", directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const giveUp = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  try {
    let output = "";
    for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
      process.stdout.write(text);
      output += text;
      if (output.includes(STOP)) break;
    }
    assert.ok(output.includes(STOP), "the server did not come up");
    child.stdout.resume();
    await use(output);
    child.kill("SIGINT");
    const [exitCode] = await exited;
    assert.equal(exitCode, 0, "the server did not stop cleanly");
  } finally {
    clearTimeout(giveUp);
    child.kill("SIGKILL");
  }
}

await inTemporaryDirectory(async (directory) => {
  let line = "";
  await started(directory, async (output) => {
    line = /^ *(curl .*)$/m.exec(output)?.[1] ?? "";
    const answers = paste(line);
    console.log(`\n${readable(answers, { partsMax: 3 })}\n`);
    await requireRightLines(answers, ROOT);
  });
  await started(directory, async (output) => {
    assert.ok(!output.includes("curl"), "the second start made the demo again");
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? "";
    const answers = paste(line.replace(/http:\/\/127\.0\.0\.1:\d+/, url));
    await requireRightLines(answers, ROOT);
    console.log("\nThe second start has the same bot, and the same key opens it.");
  });
});
