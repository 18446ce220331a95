import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { compareInstants, type Instant, instantOf } from "../../src/search/filters/instants.ts";

const instant = (text: string): Instant => instantOf(text) ?? expect.fail(`${text} is no date`);

describe("a date in a filter", () => {
  it("is read as the runtime reads it", () => {
    const date = fc.date({
      min: new Date("0000-01-01"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, date, (one, other) => {
        // Years before 1 and after 9999 are written in another way.
        fc.pre([one, other].every((each) => /^\d{4}-/.test(each.toISOString())));
        const read = instant(one.toISOString());
        expect(read.seconds).toBe(Math.floor(one.getTime() / 1_000));
        expect(Math.abs(instant(one.toISOString().slice(0, 10)).seconds % 86_400)).toBe(0);
        const order = compareInstants(read, instant(other.toISOString()));
        expect(Math.sign(order)).toBe(Math.sign(one.getTime() - other.getTime()));
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it.each([
    ["2020-01-01T00:00:00+14:00", "2019-12-31T10:00:00Z"],
    ["2020-01-01T00:00:00-00:30", "2020-01-01T00:30:00Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01"],
    ["2017-01-01T00:59:60+01:00", "2017-01-01"],
    ["2020-01-01t00:00:00z", "2020-01-01"],
    ["2020-01-01T00:00:00.000", "2020-01-01"],
  ])("%s is %s", (one, other) => {
    expect(compareInstants(instant(one), instant(other))).toBe(0);
  });

  it.each([
    ...["2023-02-29", "2100-02-29", "2024-13-01", "2024-00-01", "2024-01-00", "2024-04-31", "2024-1-1", "2024-01"],
    ...["24-01-01", "+2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:00:61Z"],
    ...["2024-01-01T00:00Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00+0100", "2024-01-01T00:00:00+24:00"],
    ...["2024-01-01T00:00:00+01:60", "2024-01-01 00:00:00", "2024-01-01Z", "2024-06-15T23:59:60Z", "", "today"],
    ...[" 2024-01-01", "2024-01-01\n", `2024-01-01T00:00:00.${"0".repeat(60)}Z`, "２０２４-01-01"],
  ])("%j is none", (text) => {
    expect(instantOf(text)).toBeUndefined();
  });
});
