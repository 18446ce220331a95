import { describe, expect, it } from "vitest";
import { besideAims } from "../../bench/measuring/report.ts";

describe("what a bench aims at", () => {
  it("is met from both sides, the aim itself included", () => {
    const met = (measured: number, is: "at most" | "at least") =>
      besideAims([{ what: "p99", measured, aim: 2, is }]).map((each) => each.met);
    expect([1, 2, 3].flatMap((measured) => met(measured, "at most"))).toEqual(["yes", "yes", "no"]);
    expect([1, 2, 3].flatMap((measured) => met(measured, "at least"))).toEqual(["no", "yes", "yes"]);
  });

  it("is told with the share of it that was measured", () => {
    const aim = { what: "requests × echo", measured: 0.06, aim: 0.12, is: "at least" } as const;
    expect(besideAims([aim])).toEqual([
      { aim: "requests × echo at least 0.12", measured: 0.06, "× aim": 0.5, met: "no" },
    ]);
  });

  it("is left out where the run has not measured it", () => {
    const aim = { what: "p99", aim: 2, is: "at most" } as const;
    expect(besideAims([undefined, Number.NaN].map((measured) => ({ ...aim, measured })))).toEqual([]);
  });
});
