import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifiersIn } from "../../src/analysis/identifiers.ts";
import { NOWHERE, standingOf, WHOLE, WITHIN } from "../../src/analysis/standing-identifiers.ts";

describe("an identifier", () => {
  it.each([
    ["2.10.3", ["(2.10.3)", "v2.10.3:", "release-2.10.3", "2.10.3\n-rc1"]],
    ["v2.10.3", ["in 2.10.3,", "V2.10.3"]],
    ["2.10.3-rc1", ["v2.10.3-rc1", "2.10.3rc1."]],
    ["E-1042", ["E1042", "e 1042!", "E-1042;"]],
    ["rtx4090ti", ["RTX 4090 Ti", "RTX-4090Ti"]],
    ["5001330", ["KB5001330", "KB-5001330", "KB 5001330"]],
    ["Ctrl+C", ["Ctrl+C/Cmd+C", "`ctrl+c`"]],
    ["C:\\temp", ["C:\\temp."]],
    ["$HOME", ["$HOME/bin"]],
  ])("%s stands whole in other spellings and between signs", (identifier, texts) => {
    for (const text of texts) expect([text, standingOf(identifier)(text)]).toEqual([text, WHOLE]);
  });

  it.each([
    ["2.10.3", ["2.10.3-rc1", "2.10.3.1", "v2.10.3rc1", "1-2.10.3"]],
    ["14:35", ["14:35:02"]],
    ["Ctrl+C", ["Ctrl+C+V"]],
    ["--force", ["--force-with-lease"]],
    ["max_size", ["max_size_bytes"]],
  ])("%s stands within longer ones", (identifier, texts) => {
    for (const text of texts) expect([text, standingOf(identifier)(text)]).toEqual([text, WITHIN]);
  });

  it.each([
    ["2.10.3", ["12.10.3", "v12.10.3", "2.10.30", "2.3.10", "12.10.3 has 2 parts", ""]],
    ["E1042", ["KE1042", "E10423", "E-1043"]],
    ["2.10.3-rc1", ["2.10.3-rc12", "2.10.3"]],
    ["192.168.0.1", ["192.168.0.12"]],
    ["max_size", ["max_sizes"]],
  ])("%s stands nowhere in others", (identifier, texts) => {
    for (const text of texts) expect([text, standingOf(identifier)(text)]).toEqual([text, NOWHERE]);
  });

  it("stands whole between spaces, whatever it is made of", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aZé1٣9.-_+:@\\$/()[]{}*?^|,'’ v") });
    fc.assert(
      fc.property(text, (question) => {
        for (const identifier of identifiersIn(question))
          expect(standingOf(identifier)(`see ${identifier.toUpperCase().toLowerCase()} here`)).toBe(WHOLE);
      }),
    );
  });

  it("is looked for in linear time", () => {
    for (const identifier of ["1.1", "a1a1a1a1", "v1.1.1.1", "a-1", "aaaaaaaaaa1"]) {
      const read = standingOf(identifier);
      for (const text of ["1.", "a1", "a-", "v", "aaaa"]) expect(read(text.repeat(200_000))).toBeLessThanOrEqual(WHOLE);
    }
  });
});
