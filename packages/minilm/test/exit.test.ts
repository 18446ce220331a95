import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { encoder } from "../../encoder/test/runtime.ts";

const PROGRAM = fileURLToPath(new URL("./exiting-program.ts", import.meta.url));

/** Runs a process that opens the embedder and ends in the given way; what it prints and how it ended. */
function runToItsEnd(way: string) {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", PROGRAM, way], {
    encoding: "utf8",
    // Signals that it sends to its group do not reach the tests.
    ...{ detached: true },
  });
  return { status, signal, stdout: stdout.trim(), aborted: stderr.includes("terminate called") };
}

describe.skipIf(encoder.isMissing)(encoder.named("a process with an open embedder"), () => {
  it.each([
    ["exits in the middle of many passages", "busy"],
    ["exits while the model is being loaded", "loading"],
  ])("%s, without being aborted", (_, way) => {
    expect(runToItsEnd(way)).toEqual({ status: 7, signal: null, stdout: "exiting", aborted: false });
  });

  it("leaves no worker behind when it is killed", () => {
    // The workers have its error output too: it is read until nobody holds it any more.
    expect(runToItsEnd("killed")).toMatchObject({ status: null, signal: "SIGKILL" });
  });

  it.skipIf(process.platform === "win32")(
    "keeps its worker through an interrupt from the keyboard, which both get",
    () => {
      expect(runToItsEnd("interrupted")).toEqual({ status: 0, signal: null, stdout: "256", aborted: false });
    },
  );

  it("ends by itself when nothing is left to do, though nobody closed it", () => {
    expect(runToItsEnd("idle")).toEqual({ status: 0, signal: null, stdout: "256", aborted: false });
  });
});
