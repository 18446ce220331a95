import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { HELD_SHAPES } from "./held-shapes.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("held-memory.ts", import.meta.url));
const run = promisify(execFile);

interface Measured {
  readonly what: string;
  /** Of each article or document. */
  readonly bytes: number;
  readonly estimate: number;
}

it("what a bot is estimated to hold is near what it takes, whatever its articles and documents look like", async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-held-memory-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { stdout } = await run(process.execPath, ["--expose-gc", "--import", "tsx", PROGRAM, directory], { cwd: ROOT });
  const measured: Measured[] = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ratios = measured.map(({ what, bytes, estimate }) => ({ what, ratio: estimate / bytes }));
  for (const { what, bytes, estimate } of measured)
    console.log(
      `${what}: ${Math.round(bytes)} bytes, ${Math.round(estimate)} estimated: ${(estimate / bytes).toFixed(2)}`,
    );
  expect(measured.map(({ what }) => what)).toEqual(HELD_SHAPES.map(({ what }) => what));
  expect(ratios.filter(({ ratio }) => !(ratio > 0.6 && ratio < 1.8))).toEqual([]);
}, 600_000);
