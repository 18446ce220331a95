import { expect, it } from "vitest";
import { PassedOver } from "../../../src/sources/importing/passed-over.ts";

it("counts what is passed over, and files by their extensions in any case", () => {
  const passed = new PassedOver();
  for (const extension of [".rtf", ".ods", ".ODS", ""]) passed.add({ why: "kind", extension });
  passed.add({ why: "robots" });
  const { passedOver, passedOverFor, passedOverKinds } = passed.report();
  expect(passedOver).toBe(5);
  expect(passedOverFor).toEqual({ kind: 4, robots: 1 });
  expect(Object.entries(passedOverKinds)).toEqual([
    [".ods", 2],
    [".rtf", 1],
  ]);
});

it("names no more than a hundred kinds, and counts the files of all", () => {
  const passed = new PassedOver();
  for (let at = 0; at < 300; at += 1) passed.add({ why: "kind", extension: `.x${at}` });
  for (let at = 0; at < 5; at += 1) passed.add({ why: "kind", extension: ".x7" });
  const { passedOver, passedOverKinds } = passed.report();
  expect([passedOver, Object.keys(passedOverKinds).length, passedOverKinds[".x7"]]).toEqual([305, 100, 6]);
});
