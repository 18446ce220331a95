import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";

const SHORT = process.env.TESTS_SHORT === "1";
const BOTS = SHORT ? 1_500 : 10_000;
const ARTICLES = 20;
const DESCRIPTORS_MAX = 1_024;

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PROGRAM = fileURLToPath(new URL("many-bots.ts", import.meta.url));

it(`${BOTS} bots of ${ARTICLES} articles answer and take writes in a process that may open ${DESCRIPTORS_MAX} files`, async () => {
  const directory = await mkdtemp(join(tmpdir(), "loredex-many-bots-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const command = `ulimit -n ${DESCRIPTORS_MAX} && exec "$0" "$@"`;
  const program = [process.execPath, "--import", "tsx", PROGRAM, directory, `${BOTS}`, `${ARTICLES}`];
  const { status, stdout, stderr } = spawnSync("sh", ["-c", command, ...program], { cwd: ROOT, encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  const seen = JSON.parse(stdout);
  console.log(`${BOTS} bots: ${seen.descriptors} files open at most, ${seen.openBots} bots.`);
  expect(seen).toMatchObject({ answers: BOTS, writes: BOTS, kept: BOTS, isHeldUsable: true });
  expect(seen.descriptors).toBeLessThan(DESCRIPTORS_MAX);
});
