import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptedCoding, CODINGS } from "../../src/compression/accepted-coding.ts";

describe("the coding that a client wants", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["gzip", "gzip"],
    ["GZIP", "gzip"],
    ["x-gzip", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip, deflate", "gzip"],
    ["deflate, zstd", undefined],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["br;q=0, gzip;q=0", undefined],
    ["*;q=0", undefined],
    ["gzip;q=0.5, br;q=0.4", "gzip"],
    ["br ; q=0.4 , gzip; q=1", "gzip"],
    ["gzip;q=0.5, identity;q=0.6", undefined],
    ["gzip;q=0.5, identity;q=0.5", "gzip"],
    ["identity;q=0", undefined],
    ["gzip;q=1.001", undefined],
    ["gzip;q=-1", undefined],
    ["gzip;q=", undefined],
    ["gzip;x=1;q=0", undefined],
  ])("of %j is %j", (header, coding) => {
    expect(acceptedCoding(header)).toBe(coding);
  });

  it("is one that was named, with more than nothing, whatever was sent", () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const coding = acceptedCoding(header);
        if (coding === undefined) return;
        expect(CODINGS).toContain(coding);
        expect(header.toLowerCase().includes(coding) || header.includes("*")).toBe(true);
      }),
    );
  });

  it("is the one of most weight", () => {
    const weight = fc.integer({ min: 0, max: 1_000 }).map((thousandths) => thousandths / 1_000);
    fc.assert(
      fc.property(weight, weight, weight, (br, gzip, identity) => {
        const coding = acceptedCoding(`gzip;q=${gzip}, identity;q=${identity}, br;q=${br}`);
        const most = Math.max(br, gzip);
        if (most === 0 || most < identity) expect(coding).toBeUndefined();
        else expect(coding).toBe(br === most ? "br" : "gzip");
      }),
    );
  });
});
