import { expect, it } from "vitest";
import { requireEncoding } from "../../../src/sources/reading/encoding.ts";

it("takes names of encodings, in any case, and says what another could be", () => {
  for (const encoding of ["shift_jis", "SJIS", "GBK", "windows-1252", "utf-8"]) requireEncoding({ encoding });
  requireEncoding({});
  expect(() => requireEncoding({ encoding: "klingon" })).toThrow(
    'no encoding is called "klingon"; use a name as utf-8',
  );
});
