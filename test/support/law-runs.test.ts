import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../packages/import/test/support/temporary-directory.ts";
import { SLOW } from "../../vitest.config.ts";
import { lawFiles } from "./law-files.ts";
import { lawRuns } from "./law-runs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

describe("a law", () => {
  it("is tried a few times in the quick suite, never more often than in the slow one, and there in full", () => {
    expect([5_000, 300, 60, 10, 3].map((full) => lawRuns(full, {}))).toEqual([625, 38, 10, 10, 3]);
    for (const full of [5_000, 3]) {
      expect(lawRuns(full, { TESTS_LAWS: "full" })).toBe(full);
      expect(lawRuns(full, { TESTS_LAWS: "full", TESTS_SHORT: "1" })).toBe(full);
    }
  });

  it("is tried as often as is asked for", () => {
    expect(lawRuns(60, { TESTS_RUNS: "7", TESTS_LAWS: "full" })).toBe(7);
  });
});

describe("the files of such laws", () => {
  it("are all in the slow suite, which asks for them in full", () => {
    const files = lawFiles(ROOT);
    expect(files).toContain("packages/core/test/embedding/static-word-pieces.test.ts");
    expect(files).toContain("test/property/sources.test.ts");
    expect(SLOW.test?.include).toEqual(expect.arrayContaining(files));
    expect(SLOW.test?.env).toMatchObject({ TESTS_LAWS: "full" });
  });

  it("are those that ask how often, wherever they lie, and no others", async () => {
    const root = await temporaryDirectory();
    const ask = (path: string) => `import { lawRuns } from "${path}/support/law-runs.ts";\n`;
    const files = {
      "packages/a/test/deep/in.test.ts": ask("../../../../test"),
      "packages/a/test/deep/helper.ts": ask("../../../../test"),
      "packages/a/test/node_modules/b/in.test.ts": ask("../../../../../test"),
      "packages/a/src/in.test.ts": ask("../../../test"),
      "packages/python/setup.py": "",
      "test/in.test.ts": ask("."),
      "test/other.test.ts": "// law-runs.ts\n",
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(root, path, ".."), { recursive: true });
      await writeFile(join(root, path), text);
    }
    expect(lawFiles(root)).toEqual(["packages/a/test/deep/in.test.ts", "test/in.test.ts"]);
  });
});
