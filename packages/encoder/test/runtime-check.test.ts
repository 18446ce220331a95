import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { installing, type Machine, requireRuntime } from "../src/runtime-check.ts";
import { inTemporaryDirectory } from "./runtime.ts";

const GLIBC: Machine = { platform: "linux", arch: "x64", glibc: "2.36" };

/** Looks for the library where it has a build for one machine only. */
async function checked(machine: Machine): Promise<unknown> {
  let problem: unknown;
  await inTemporaryDirectory(async (folder) => {
    const build = join(folder, "bin/napi-v3/linux/x64/onnxruntime_binding.node");
    await mkdir(dirname(build), { recursive: true });
    await writeFile(build, "");
    problem = await requireRuntime(machine, () => join(folder, "dist/index.js")).catch((error: unknown) => error);
  });
  return problem;
}

describe("the library that runs the model", () => {
  it("is looked for without being loaded", async () => {
    expect(await checked(GLIBC)).toBeUndefined();
  });

  it.each([
    [{ ...GLIBC, glibc: undefined }, "has another C library", "node:22-slim"],
    [{ ...GLIBC, glibc: "2.26" }, "needs glibc 2.27 or later, not 2.26", "glibc 2.27 or later"],
    [{ ...GLIBC, arch: "riscv64" }, "has no build for linux on riscv64", "on x64 or arm64"],
    [{ platform: "freebsd", arch: "x64", glibc: undefined }, "has no build for freebsd on x64", "run Loredex on Linux"],
  ])("is missing on %j, and what mends that is said", async (machine, message, mend) => {
    expect(await checked(machine)).toMatchObject({
      code: "EMBEDDER_UNAVAILABLE",
      message: expect.stringContaining(message),
      mend: expect.stringContaining(mend),
    });
  });

  it("is missing where it is not installed: the command names the version that this package wants", async () => {
    const missing = requireRuntime(GLIBC, () => {
      throw new Error("Cannot find module");
    });
    const { optionalDependencies = {}, dependencies = {} } = createRequire(import.meta.url)("../package.json");
    const version = { ...optionalDependencies, ...dependencies }["onnxruntime-node"];
    await expect(missing).rejects.toMatchObject({ mend: `npm install onnxruntime-node@${version}` });
    expect(installing()).toBe(`npm install onnxruntime-node@${version}`);
  });
});
