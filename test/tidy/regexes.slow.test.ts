import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const eslint = fileURLToPath(new URL("../../node_modules/eslint/bin/eslint.js", import.meta.url));

/** Regular expressions with what `npm run lint` says of each: those that once stood here and froze every bot, and two that are harmless. */
const PATTERNS: readonly (readonly [pattern: string, rule: string | undefined])[] = [
  ["/^[ \\t>]*\\|?[ \\t]*:?-{2,}:?[ \\t|:-]*$/gm", "regexp/no-super-linear-backtracking"],
  ["/^[ \\t]*(?:`{3,}|~{3,})[^\\n]*$/gm", "regexp/no-super-linear-backtracking"],
  ["/(?<![\\p{L}\\p{N}_])_+|_+(?![\\p{L}\\p{N}_])/gu", "regexp/no-super-linear-move"],
  ["/[.!?…]+[\"')\\]]*(?=\\s)/gu", "regexp/no-super-linear-move"],
  // It cannot be switched off on the spot.
  ["/a+a+b/g /* eslint-disable-line */", "regexp/no-super-linear-backtracking"],
  ["/[*`~]+/g", undefined],
  ["/^(?:\\d+(?:\\.\\d+)?|\\.\\d+)$/", undefined],
];

/** The lint's messages for a source: rule and line. */
function lint(source: string, name: string): { ruleId: string; line: number }[] {
  const file = ["--stdin", "--stdin-filename", name];
  const { stdout } = spawnSync(process.execPath, [eslint, "--format", "json", ...file], { cwd: root, input: source });
  const [result] = JSON.parse(stdout.toString()) as [{ messages: { ruleId: string; line: number }[] }];
  return result.messages;
}

it("a regular expression that may take more than linear time fails the lint", () => {
  const source = PATTERNS.map(([pattern], i) => `export const f${i} = (t: string) => t.replace(${pattern}, "");\n`);
  const messages = lint(source.join(""), "packages/core/src/markdown/example.ts");
  const found = PATTERNS.map((_, i) => messages.find(({ line }) => line === i + 1)?.ruleId);
  expect(found).toEqual(PATTERNS.map(([, rule]) => rule));
});

it("a regular expression that matches every text fails the lint", () => {
  const source = [
    "expect(error).toMatchObject({ code: 1, message: /full/ });",
    "expect(errors).toMatchObject([{ why: [/full/] }]);",
    "expect(error).toMatchObject({ message: expect.stringMatching(/full/) });",
    "expect(text).toMatch(/full/);",
  ];
  const messages = lint(source.join("\n"), "test/http/example.test.ts");
  expect(messages.map(({ ruleId, line }) => [ruleId, line])).toEqual([
    ["no-restricted-syntax", 1],
    ["no-restricted-syntax", 2],
  ]);
});
