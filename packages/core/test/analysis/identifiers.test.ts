import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { identifiersIn } from "../../src/analysis/identifiers.ts";

describe("identifiers", () => {
  it.each([
    ["press Ctrl+Shift+X in v2.1, or set max_size to 512 (see KB5001).", "Ctrl+Shift+X v2.1 max_size 512 KB5001"],
    ["“2015-07-09” at 14:35:02, from 192.168.0.1!", "2015-07-09 14:35:02 192.168.0.1"],
    ["call +44 202-555-0147; CVE-2021-44228?", "+44 202-555-0147 CVE-2021-44228"],
    ["--force -v $HOME a@b.example", "--force -v $HOME a@b.example"],
    ["/etc/hosts ~/notes/todo C:\\temp std::vector", "/etc/hosts ~/notes/todo C:\\temp std::vector"],
    ["版本2.1是什么", "2.1"],
    ["ｅｒｒｏｒ ４０４", "404"],
  ])("of %j are %j", (text, identifiers) => {
    expect(identifiersIn(text).join(" ")).toBe(identifiers);
  });

  it.each(
    [
      "well-known",
      "don't",
      "and/or",
      "e.g. this",
      "the /slip flow/ -dash",
      "(quoted)",
      "",
      "€ → 😀",
      "what?!",
      "C++ C# .NET AT&T P=NP #tag @user",
    ].concat([
      "7 of 12",
      "the 20th",
      "50% in 1989",
      "the 1990s",
      "2024",
      "pages 10-12",
      "1990–1995",
      "9am/5pm",
      "A4 paper",
    ]),
  )("are not in %j", (text) => {
    expect(identifiersIn(text)).toEqual([]);
  });

  it("are the runs that have a digit, wherever they stand", () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    const numbered = fc.stringMatching(/^[a-z]{1,3}[0-9]{2,4}[a-z]{0,3}$/);
    fc.assert(
      fc.property(fc.array(fc.oneof(word, numbered)), (runs) => {
        expect(identifiersIn(runs.join(" "))).toEqual(runs.filter((run) => /\d/.test(run)));
      }),
    );
  });
});
