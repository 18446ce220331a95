import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { RowMean } from "../../tools/encoder/signs/mean.ts";
import { PieceCounts } from "../../tools/encoder/signs/weights.ts";
import { windowsOf } from "../../tools/encoder/signs/windows.ts";
import { sha256, withSection, writeTokenCodes } from "../../tools/encoder/signs/write.ts";

/** As many pieces as the text has letters. */
const piecesOf = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0));
const textOf = (language: string, letter: string, length = 64) => ({ language, text: letter.repeat(length) });

describe("what the token codes are made with", () => {
  it("is read in windows of some 128 pieces of one language, and no more than were asked for", () => {
    const texts = [..."abcdefgh"].map((letter) => textOf("en", letter));
    const german = [..."xyz"].map((letter) => textOf("de", letter));
    const windows = [...windowsOf([...texts, ...german], 3, piecesOf)];
    expect(windows.map(({ language, text }) => [language, text.length, text[0]])).toEqual([
      ["en", 129, "a"],
      ["en", 129, "c"],
      ["en", 129, "e"],
      ["de", 129, "x"],
    ]);
    expect(windows[0]?.pieces).toEqual(new Set([97, 98]));
  });

  it("weighs a piece by how rare it is where it is most frequent", () => {
    const counts = new PieceCounts(4);
    for (let window = 0; window < 15; window++) counts.add("en", window === 0 ? [0, 1] : [0]);
    for (let window = 0; window < 3; window++) counts.add("de", [2]);
    const [everywhere, once, german, nowhere] = counts.weights();
    expect([everywhere, german, nowhere]).toEqual([0, 0, 255]);
    expect(once).toBe(Math.round((255 * Math.log(16 / 2)) / Math.log(16)));
  });

  it("has the mean of the rows that count", () => {
    const mean = new RowMean(2);
    mean.add(Float32Array.of(9, 9, 1, 2, 9, 9), 1, 2);
    mean.add(Float32Array.of(3, 6), 0, 1);
    expect(mean.rows).toBe(2);
    expect([...new Float32Array(mean.bytes().buffer)]).toEqual([2, 4]);
  });

  it("stands in the manifest beside the version of the vectors, and in the card once", () => {
    const directory = mkdtempSync(join(tmpdir(), "loredex-signs-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    writeFileSync(join(directory, "manifest.json"), JSON.stringify({ id: "a", version: "v" }));
    writeFileSync(join(directory, "MODEL.md"), "# a\n\n## Limits\n\nMany.\n");
    const figures = {
      texts: 1,
      textsSha256: "",
      languages: 1,
      windows: 1,
      windowsOfMean: 1,
      tokensOfMean: 1,
      origin: "",
    };
    const mean = Uint8Array.of(1);
    const first = writeTokenCodes(directory, mean, Uint8Array.of(2), figures);
    const again = writeTokenCodes(directory, mean, Uint8Array.of(3), figures);
    expect(again.version).toBe(first.version);
    expect(writeTokenCodes(directory, Uint8Array.of(7), Uint8Array.of(3), figures).version).not.toBe(first.version);
    const manifest: unknown = JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8"));
    expect(manifest).toMatchObject({
      id: "a",
      version: "v",
      tokenCodes: { files: { mean: { sha256: sha256(Uint8Array.of(7)) } } },
    });
    const card = readFileSync(join(directory, "MODEL.md"), "utf8");
    expect(card.match(/## Token codes/g)).toHaveLength(1);
    expect(card.endsWith("\n\n## Limits\n\nMany.\n")).toBe(true);
    expect(withSection(card, "## Token codes")).toBe("# a\n\n## Token codes\n\n## Limits\n\nMany.\n");
  });
});
