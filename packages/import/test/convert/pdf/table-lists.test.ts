import { expect, it } from "vitest";
import { moreThanLinear } from "../../../../core/test/support/linear-time.ts";
import { listedRows } from "../../../src/convert/pdf/table-lists.ts";

it("terms are told from values by the sentences beside them, which may be short", () => {
  expect(
    listedRows([
      ["Range", "It is far."],
      ["Speed", "It goes."],
    ]),
  ).toEqual(["Range: It is far.", "Speed: It goes."]);
  for (const value of ["12 km.", "far.", "It is far", "It is 12.", "It\nfar."])
    expect(
      listedRows([
        ["Range", value],
        ["Speed", value],
      ]),
    ).toBeUndefined();
});

it("no cell takes more than linear time", async () => {
  const work = (units: number) => {
    const cell = `${"A ".repeat(units)}\n`;
    return () =>
      listedRows([
        ["Range", cell],
        ["Speed", cell],
      ]);
  };
  expect(await moreThanLinear(work, 500, 16_000)).toBeUndefined();
});
