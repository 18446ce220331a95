import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { encoder } from "../../packages/encoder/test/runtime.ts";
import { run } from "../../packages/loredex/test/support/run.ts";
import { temporaryDirectory } from "../../packages/loredex/test/support/temporary-directory.ts";

const README = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe.skipIf(encoder.isMissing)(encoder.named("the first picture of README"), () => {
  it("shows what its question gets: the similarity and the lines", async () => {
    const [, question = "", file = "", similarity = ""] =
      /^question +(.+)\n\nanswer +(\S+) +similarity (\.\d\d)$/m.exec(README) ?? [];
    const lines = [...README.matchAll(/^ +\d+ │ ?(.*?)(?: +◄ start (\d+), stop (\d+))?$/gm)];
    const folder = await temporaryDirectory();
    await writeFile(join(folder, file), `${lines.map(([, line]) => line).join("\n")}\n`);
    const at = (...argv: string[]) => run(...argv, "--data", join(folder, "data"));
    await at("bot", "create", "acme");
    await at("import", "acme", join(folder, file), "--wait-vectors");
    const [found] = JSON.parse((await at("search", "acme", question, "--json")).out);
    const [, text, start, stop] = lines.find(([, , from]) => from !== undefined) ?? [];
    expect(found.similarTextParts).toEqual([
      { text, similarity: found.bestMatchScore, start: Number(start), stop: Number(stop) },
    ]);
    expect(similarity).toBe(found.bestMatchScore.toFixed(2).slice(1));
  });
});
