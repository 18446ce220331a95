import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import type { ArgumentPlace } from "@loredex/core";
import { expect, it } from "vitest";
import { fingerprint } from "../../../src/sources/keeping/fingerprint.ts";
import { writeFiles } from "../../support/files.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

async function kit() {
  const root = await temporaryDirectory();
  const write = (files: Readonly<Record<string, string>>) => writeFiles(root, files);
  await write({ "docs/a.md": "A", "docs/run.log": "1", "docs/real.txt": "R", "away/b.md": "B" });
  await mkdir(join(root, "docs", "folder.md"));
  await symlink(join(root, "away", "b.md"), join(root, "docs", "out.md"));
  await symlink(join(root, "away"), join(root, "docs", "linked.md"));
  await symlink(join(root, "docs", "real.txt"), join(root, "docs", "own.md"));
  const place: ArgumentPlace = { name: "docs", kind: "folder", path: join(root, "docs"), ids: "file:docs/" };
  const matching = (settings: ArgumentPlace["settings"] = {}) => ({ ...place, settings: { glob: "*", ...settings } });
  return { write, place, matching };
}

it("of a folder or a pattern changes with what an import reads, and with nothing that it passes over", async () => {
  const { write, place, matching } = await kit();
  for (const argument of [place, matching()]) {
    const before = await fingerprint(argument);
    await write({ "docs/run.log": `${before}`, "away/b.md": before, "away/c.md": before });
    expect(await fingerprint(argument)).toBe(before);
    await write({ "docs/a.md": before });
    const changed = await fingerprint(argument);
    expect(changed).not.toBe(before);
    // What a link inside leads to is read.
    await write({ "docs/real.txt": `${changed} or so` });
    expect(await fingerprint(argument)).not.toBe(changed);
  }
});

it("of a pattern whose files are said to be of a kind changes with all that it matches, but folders", async () => {
  const { write, matching } = await kit();
  const argument = matching({ kind: "text" });
  const before = await fingerprint(argument);
  await write({ "docs/folder.md/deep.md": "D" });
  expect(await fingerprint(argument)).toBe(before);
  await write({ "docs/run.log": "1 2" });
  expect(await fingerprint(argument)).not.toBe(before);
});
