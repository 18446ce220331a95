import { expect, it } from "vitest";
import { inAndOut, summary, toldOnce } from "../src/commands/import-summary.ts";

const report = {
  added: 1,
  changed: 2,
  unchanged: 124,
  removed: 0,
  passedOver: 0,
  passedOverFor: {},
  passedOverKinds: {},
  failed: 0,
  problems: [],
  drafts: 0,
  notSynced: [],
  notes: [],
  sources: [],
};

it("advice is said once, and a name is never cut where it holds what ends a sentence", () => {
  const said = new Set<string>();
  const message = (name: string): string => `the document "${name}" is that of another; give it a name. Then try again`;
  expect(toldOnce(message("a; b. c"), said)).toBe(message("a; b. c"));
  expect(toldOnce(message("d; e. f"), said)).toBe('the document "d; e. f" is that of another');
  expect([toldOnce("no advice", said), toldOnce("no advice", said)]).toEqual(["no advice", "no advice"]);
});

it("what was stopped is not said to be all in where some failed", () => {
  expect(inAndOut(report)).toBe("127 documents are in and stay");
  expect(inAndOut({ ...report, failed: 2 })).toBe("127 documents are in and stay, 2 failed");
  expect(inAndOut({ ...report, changed: 0, unchanged: 0 })).toBe("1 document is in and stays");
});

it("what is passed over is named by its kinds, the most frequent alone", () => {
  const line = (passedOver: number, passedOverKinds: Record<string, number>): string =>
    summary({ ...report, passedOver, passedOverFor: { kind: passedOver }, passedOverKinds }, false);
  expect(line(3, { ".ods": 2, ".rtf": 1 })).toContain("3 of other kinds passed over (.ods 2, .rtf 1)");
  expect(line(2, {})).toMatch(/2 of other kinds passed over$/);
  const many = { ".a": 9, ".b": 8, ".c": 7, ".d": 6, ".e": 5, ".f": 4, ".g": 3 };
  expect(line(42, many)).toContain("(.a 9, .b 8, .c 7, .d 6, .e 5, and 2 others)");
});

it("says of each reason how much was passed over for it", () => {
  const passedOverFor = { gone: 1, kind: 3, robots: 1_200, noindex: 1 };
  expect(summary({ ...report, passedOver: 1_205, passedOverFor }, false)).toBe(
    "1 added, 2 changed, 124 unchanged, 3 of other kinds passed over, 1,200 left alone as robots.txt asks, " +
      "1 left alone as it asks (noindex), 1 not there (a link leads nowhere)",
  );
});
