import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The two commands with which README.md begins, without their comments.
 * @param {string} root
 * @returns {{ start: string, test: string }}
 */
export function readmeCommands(root) {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const lines = (/```sh\n([^`]*)```/.exec(readme)?.[1] ?? "").split("\n").map((line) => line.replace(/\s+#.*/, ""));
  const [start, test, ...more] = lines.filter((line) => line !== "");
  if (!start?.endsWith("npm start") || !test?.endsWith("npm test") || more.length > 0)
    throw new Error('README.md does not begin with two commands that end in "npm start" and "npm test"');
  return { start, test };
}
