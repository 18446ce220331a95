import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { encoder } from "../../encoder/test/runtime.ts";
import { sourceProgram } from "../../import/src/isolated/program.ts";

const PROGRAM = sourceProgram(fileURLToPath(new URL("./exiting-program.ts", import.meta.url)));
const LOADING = fileURLToPath(new URL("./loading-program.js", import.meta.url));

/** Runs a process that opens the embedder and ends in the given way; what it prints and how it ended. */
async function runToItsEnd(way: string) {
  const child = spawn(process.execPath, [...PROGRAM.execArgv, PROGRAM.path, way, LOADING], {
    stdio: ["ignore", "pipe", "pipe"],
    // Signals that it sends to its group do not reach the tests.
    detached: true,
  });
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  return { status, signal, stdout: stdout.trim(), aborted: stderr.includes("terminate called") };
}

describe.skipIf(encoder.isMissing)(encoder.named("a process with an open embedder"), () => {
  it.each([
    ["exits in the middle of many passages", "busy"],
    ["exits while the model is being loaded", "loading"],
  ])("%s, without being aborted", async (_, way) => {
    expect(await runToItsEnd(way)).toEqual({ status: 7, signal: null, stdout: "exiting", aborted: false });
  });

  it("leaves no worker behind when it is killed", async () => {
    // The workers have its error output too: it is read until nobody holds it any more.
    expect(await runToItsEnd("killed")).toMatchObject({ status: null, signal: "SIGKILL" });
  });

  it.skipIf(process.platform === "win32")(
    "keeps its worker through an interrupt from the keyboard, which both get",
    async () => {
      expect(await runToItsEnd("interrupted")).toEqual({ status: 0, signal: null, stdout: "256", aborted: false });
    },
  );

  it("ends by itself when nothing is left to do, though nobody closed it", async () => {
    expect(await runToItsEnd("idle")).toEqual({ status: 0, signal: null, stdout: "256", aborted: false });
  });
});
