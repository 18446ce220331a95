import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { filesBelow, ROOT, read } from "../tidy/source-files.ts";
import { SECURITY_TESTS } from "./tests.ts";

const run = globSync([...SECURITY_TESTS], { cwd: ROOT, ignore: "**/node_modules/**" });

/** Tests that a page names. */
function testsNamedIn(page: string): string[] {
  return [...read(page).matchAll(/\]\(([^)\s]+\.test\.ts)\)/g)].map((match) => match[1] ?? "");
}

it("every test that SECURITY.md names is there, and is run by npm run test:security", () => {
  const named = testsNamedIn("SECURITY.md");
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((file) => !run.includes(file))).toEqual([]);
});

it("every pattern of npm run test:security finds a test", () => {
  const idle = SECURITY_TESTS.filter((pattern) => globSync([pattern], { cwd: ROOT }).length === 0);
  expect(idle).toEqual([]);
});

it("tests of this room are run in CI too: in the quick suite or the slow one", () => {
  const tests = filesBelow("test/security", /\.test\.ts$/);
  expect(tests.filter((file) => !run.includes(file))).toEqual([]);
});
