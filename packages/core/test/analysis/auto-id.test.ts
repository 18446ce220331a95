import { expect, it } from "vitest";
import packageFile from "../../../../package.json" with { type: "json" };
import { analyzerOf } from "../../src/analysis/languages.ts";

it("an index whose documents tell their languages is of all that has a say in it", async () => {
  const [auto, plain, english] = await Promise.all(["auto", "multi", "en"].map(analyzerOf));
  const own = plain?.id.replace("multi", "auto");
  // Its table is made of this version's data.
  const detector = `eld-${packageFile.devDependencies.eld}`;
  expect(auto?.id.split("+")).toEqual([own, english?.id, detector]);
});
