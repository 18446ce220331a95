import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { sourceProgram } from "../../src/isolated/program.ts";

const { path, execArgv } = sourceProgram(fileURLToPath(new URL("./host-program.ts", import.meta.url)));

it("a program that forgets to close its converter ends all the same", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, path, "done"]);
  expect(stdout.trim().split("\n").at(-1)).toBe("done");
});

it("a program that waits for nothing but a file that is never read is told so", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [...execArgv, path, "limit"]);
  // Where the machine has no processor for it, the other limit is reached first: that of all the time that it may take.
  expect(stdout).toMatch(/it was not read within (0\.2 seconds of computing|2 seconds)/);
});

it.skipIf(process.platform === "win32")(
  "a process that is caught in a loop ends with the program that is killed",
  async () => {
    const host = spawn(process.execPath, [...execArgv, path, "loop"], { stdio: ["ignore", "pipe", "inherit"] });
    const [said] = await once(host.stdout, "data");
    const child = Number(String(said).trim());
    onTestFinished(() => {
      if (isThere(child)) process.kill(child, "SIGKILL");
    });
    expect(isThere(child)).toBe(true);
    host.kill("SIGKILL");
    await once(host, "exit");
    await expect.poll(() => isThere(child)).toBe(false);
  },
);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
