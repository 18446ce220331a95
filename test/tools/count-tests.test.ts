import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { ROOT } from "../tidy/source-files.ts";

const PROGRAM = join(ROOT, "tools/ci/count-tests.mjs");

/** A run's report: its tests and files that could not be loaded; a text that is no report; or none at all. */
type Report = readonly [passed: number, failed: number, skipped: number, files?: number] | string | undefined;

/** The last line that it prints of those reports, and its exit status. */
async function counted(reports: readonly Report[]) {
  const { status, stdout } = await run(reports);
  return [stdout.trim().split("\n").at(-1), status];
}

async function run(reports: readonly Report[]) {
  const directory = await mkdtemp(join(tmpdir(), "loredex-count-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const files = reports.map((_, index) => join(directory, `${index}.json`));
  for (const [index, report] of reports.entries()) {
    if (report === undefined) continue;
    await writeFile(files[index] ?? "", typeof report === "string" ? report : asJson(report));
  }
  return spawnSync(process.execPath, [PROGRAM, ...files], { encoding: "utf8" });
}

function asJson([passed, failed, skipped, files = 0]: Exclude<Report, string | undefined>): string {
  const counts = { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, numTodoTests: 0 };
  return JSON.stringify({ ...counts, numFailedTestSuites: files });
}

it.each<[name: string, reports: readonly Report[], line: string, status: number]>([
  [
    "adds up all runs",
    [
      [2, 0, 1],
      [3, 0, 0],
    ],
    "5 passed, 0 failed, 1 skipped",
    0,
  ],
  [
    "fails with one of them",
    [
      [2, 0, 0],
      [3, 1, 0],
    ],
    "5 passed, 1 failed, 0 skipped",
    1,
  ],
  ["counts a file that could not be loaded", [[2, 0, 0, 1]], "2 passed, 1 failed, 0 skipped", 1],
  ["counts a run without a report as failed", [[2, 0, 0], undefined], "2 passed, 1 failed, 0 skipped", 1],
  [
    "counts a report that was cut off as failed",
    [[2, 0, 0], '{"numPassedTests": 4'],
    "2 passed, 1 failed, 0 skipped",
    1,
  ],
  [
    "counts a run in which nothing ran as failed",
    [
      [2, 0, 0],
      [0, 0, 7],
    ],
    "2 passed, 1 failed, 7 skipped",
    1,
  ],
])("the last line of the whole check %s", async (_name, reports, line, status) => {
  expect(await counted(reports)).toEqual([line, status]);
});

it("what failed is named at the end, where whoever sees the end alone finds it", async () => {
  const counts = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0, numFailedTestSuites: 2 };
  const test = (fullName: string, ...failureMessages: string[]) => ({
    fullName,
    status: failureMessages.length > 0 ? "failed" : "passed",
    failureMessages,
  });
  const tests = [test("it holds"), test("a law holds", "AssertionError: 1 is not 2\n    at a.test.ts:3:1")];
  const long = Array.from({ length: 40 }, (_, line) => `line ${line}`).join("\n");
  const testResults = [
    { name: "/a.test.ts", status: "failed", message: "", assertionResults: tests },
    { name: "/b.test.ts", status: "failed", message: long, assertionResults: [] },
    { name: "/c.test.ts", status: "passed", message: "", assertionResults: [test("it holds as well")] },
  ];
  const { stdout } = await run([JSON.stringify({ ...counts, testResults })]);
  expect(stdout.split("\n").slice(0, 5)).toEqual([
    "failed: /a.test.ts > a law holds",
    "    AssertionError: 1 is not 2",
    "        at a.test.ts:3:1",
    "failed: /b.test.ts",
    "    line 0",
  ]);
  expect(stdout).toContain("line 11");
  expect(stdout).not.toContain("line 12");
  expect(stdout).not.toContain("holds as well");
});
