import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { unicodeForm } from "@loredex/core";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../../../test/support/law-runs.ts";
import { type PieceTable, readPieceTable } from "../src/worker/piece-table.js";
import { BEGIN, END, openPieces, UNKNOWN } from "../src/worker/pieces.js";
import { bytesOf, manifest, readVectors } from "./model-files.ts";

let table: PieceTable;
let piecesOf: (text: string) => number[];
let tokensMax: number;

beforeAll(async () => {
  ({ tokensMax } = await manifest());
  table = readPieceTable(await bytesOf("pieces"));
  const ofForm = openPieces(table, tokensMax);
  piecesOf = (text) => ofForm(unicodeForm(text, "NFKC"));
});

/** The text of every piece, by its id. */
function textsOf({ pieceAt, childrenOf }: PieceTable): string[] {
  const texts: string[] = ["", "", "", ""];
  const open: (readonly [node: number, text: string])[] = [[0, ""]];
  for (const [node, text] of open) {
    const piece = pieceAt[node] ?? -1;
    if (piece >= 0) texts[piece] = text;
    for (const [child, unit] of childrenOf(node)) open.push([child, text + String.fromCharCode(unit)]);
  }
  return texts;
}

/** Draws the numbers that the reference drew. */
function drawing(seed: number): (end: number) => number {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
    return (state >> 8) % end;
  };
}

describe("pieces", () => {
  it("are those of the reference in 20 languages", async () => {
    for (const { text, ids } of await readVectors()) expect(piecesOf(`passage: ${text}`), text).toEqual(ids);
  });

  it("are those of the reference for texts drawn from all pieces, of 10,000", async () => {
    const drawn: { textsABatch: number; sha256: string[] } = JSON.parse(
      await readFile(new URL("./drawn.json", import.meta.url), "utf8"),
    );
    const texts = textsOf(table);
    expect(drawn.textsABatch * drawn.sha256.length).toBe(10_000);
    const batches = lawRuns(drawn.sha256.length);
    for (let tried = 0; tried < batches; tried += 1) {
      const batch = Math.floor((tried * drawn.sha256.length) / batches);
      const below = drawing(batch);
      const lines = Array.from({ length: drawn.textsABatch }, () => {
        const count = 1 + below(24);
        const text = Array.from({ length: count }, () => texts[4 + below(texts.length - 4)]).join("");
        return piecesOf(text.replaceAll("\u2581", " ")).slice(1, -1).join(" ");
      });
      expect(createHash("sha256").update(lines.join("\n")).digest("hex"), `batch ${batch}`).toBe(drawn.sha256[batch]);
    }
  });

  it("are at most 512, the last of them the mark of the end", () => {
    for (const text of ["word ".repeat(1_000), "長".repeat(2_000), "x".repeat(16_000)]) {
      const ids = piecesOf(text);
      expect(ids).toHaveLength(tokensMax);
      expect([ids[0], ids.at(-1)]).toEqual([BEGIN, END]);
      expect(ids.indexOf(END)).toBe(tokensMax - 1);
    }
  });

  it("do not depend on white space but for where it is", () => {
    const plain = piecesOf("one two three");
    for (const space of ["  ", "\t", "\n\n", "\u00a0", "\u0085", "\u3000", "\u2028"]) {
      expect(piecesOf(`${space}one${space}two${space} three${space}`)).toEqual(plain);
    }
    expect(piecesOf("")).toEqual([BEGIN, END]);
    expect(piecesOf(" \t ")).toEqual([BEGIN, END]);
  });

  it("take token codes that no piece has together, and halves of characters for such token codes", () => {
    const unknown = piecesOf("\u{10380}\u{10381} a").filter((id) => id === UNKNOWN);
    expect(unknown).toHaveLength(1);
    expect(piecesOf("\ud800")).toContain(UNKNOWN);
  });

  it("never end within a character, and always spell the text", () => {
    const texts = textsOf(table);
    const scripts = fc.constantFrom(..."aZ9 ßéЖЩωשמعربहिन्दीไทย漢字かな한국어🙏🏽.,!?-");
    fc.assert(
      fc.property(fc.array(scripts, { maxLength: 60 }), (tokenCodes) => {
        const text = unicodeForm(tokenCodes.join(""), "NFKC")
          .replace(/\p{White_Space}+/gu, " ")
          .trim();
        const spelt = piecesOf(text)
          .slice(1, -1)
          .map((id) => texts[id])
          .join("");
        expect(spelt.replaceAll("\u2581", " ").trim()).toBe(text);
      }),
    );
  });
});
