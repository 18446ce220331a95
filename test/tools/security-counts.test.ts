import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { countsTold } from "../../tools/security/counts.mjs";
import { count, writeCounts } from "../support/counts.ts";

it("what tests counted is added up over files of tests, and told in words", () => {
  const folder = mkdtempSync(join(tmpdir(), "loredex-counts-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [before, file] = [join(folder, "before"), join(folder, "counts")];
  expect(countsTold(file)).toBe("");
  // What other tests of this process have counted is theirs.
  writeCounts(before);
  count("requests", 12_000);
  count("probes");
  writeCounts(file);
  count("requests");
  writeCounts(file);
  writeCounts(file);
  expect(countsTold(file)).toBe("     1 probes\n12,001 requests\n");
});
