import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, inject, it } from "vitest";
import { onPackagesIn } from "../../bench/measuring/built.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PROGRAM = `
import { Engine } from "@loredex/core";
import { createApiServer } from "@loredex/http";
import { serve } from "loredex";
const engine = await Engine.open();
await engine.close();
process.stdout.write(JSON.stringify([Engine, createApiServer, serve].map(String).filter((source) => source.includes("__name("))));
`;

describe("a program of the benches", () => {
  it("runs the packages as they are published, without the names that are kept of sources", async () => {
    const folder = await mkdtemp(join(ROOT, ".tmp", "bench-test-"));
    try {
      const program = join(folder, "program.ts");
      await writeFile(program, PROGRAM);
      const named = async (env: NodeJS.ProcessEnv): Promise<string[]> => {
        const args = ["--import", "tsx", program];
        const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
        return JSON.parse(stdout);
      };
      expect(await named(await onPackagesIn(inject("built")))).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
