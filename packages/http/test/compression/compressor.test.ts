import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { CODINGS, type Coding } from "../../src/compression/accepted-coding.ts";
import { Compressor } from "../../src/compression/compressor.ts";

const decoded = (coding: Coding, bytes: Buffer): string =>
  String(coding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes));

describe.each(CODINGS)("a coder of %s", (coding) => {
  it("gives back what went in, in whatever pieces", async () => {
    const compressor = new Compressor();
    const pieces = fc.array(fc.string({ maxLength: 200, unit: "grapheme" }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 500 }), async (texts, times) => {
        const all = texts.map((text) => text.repeat(times));
        const coder = compressor.begin(coding);
        if (coder === undefined) throw new Error("no room");
        const made: Buffer[] = [];
        for (const text of all.slice(0, -1)) made.push(await coder.code(Buffer.from(text)));
        made.push(await coder.finish(Buffer.from(all.at(-1) ?? "")));
        coder.close();
        expect(decoded(coding, Buffer.concat(made))).toBe(all.join(""));
      }),
      { numRuns: lawRuns(30) },
    );
  });

  it.each([
    ["in the middle", "code"],
    ["at the end", "finish"],
  ] as const)(
    "gives its places to others when it is closed, at work or waiting for its turn, %s",
    async (_at, step) => {
      const compressor = new Compressor();
      const begun = Array.from({ length: 7 }, () => compressor.begin(coding));
      const working = begun.slice(0, 6).map((coder) => coder?.[step](Buffer.alloc(1_000_000, "abc")));
      for (const coder of begun.slice(0, 6)) coder?.close();
      await Promise.all(working);
      expect((await begun[6]?.finish(Buffer.from("x")))?.length).toBeGreaterThan(0);
    },
  );
});

it("compresses 64 answers at once and no more, until one of them is closed", () => {
  const compressor = new Compressor();
  const coders = Array.from({ length: 64 }, () => compressor.begin("gzip"));
  expect(coders).not.toContain(undefined);
  expect(compressor.begin("br")).toBeUndefined();
  coders[0]?.close();
  coders[0]?.close();
  const next = compressor.begin("br");
  expect(next).toBeDefined();
  expect(compressor.begin("br")).toBeUndefined();
  for (const coder of [...coders, next]) coder?.close();
});
