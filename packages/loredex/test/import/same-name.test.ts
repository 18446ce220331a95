import { join } from "node:path";
import { expect, it } from "vitest";
import { writeFiles } from "../support/files.ts";
import { type Outcome, run } from "../support/run.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

it("the second of two folders with one name is refused file by file, and what to do is said once", async () => {
  const directory = await temporaryDirectory();
  const at = (...argv: readonly string[]): Promise<Outcome> => run(...argv, "--data", join(directory, "data"));
  for (const place of ["one", "other"]) {
    await writeFiles(directory, { [`${place}/docs/a.md`]: place, [`${place}/docs/b.md`]: place });
  }
  await at("bot", "create", "acme");
  await at("import", "acme", join(directory, "one/docs"));
  const { code, err } = await at("import", "acme", join(directory, "other/docs"));
  expect(code).toBe(1);
  expect(err.match(/belongs to the source/g)).toHaveLength(2);
  expect(err.match(/--source NAME/g)).toHaveLength(1);
});
