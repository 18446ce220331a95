import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { lawRuns } from "../../../../test/support/law-runs.ts";
import { openStatic, type TableEmbedder } from "../../src/embedding/static-embedder.ts";
import { floatsOf, readStaticEmbedderManifest } from "../../src/embedding/static-files.ts";
import type { VectorSpace } from "../../src/model/records.ts";
import { cosine, readShipped } from "./english-static.ts";

let staticEmbedder: TableEmbedder;

beforeAll(async () => {
  staticEmbedder = await openStatic(readShipped);
});

/** What the tool that made the static embedder says the vectors of some texts are, and the teacher's. */
async function fixture(): Promise<{ text: string; staticEmbedder: Float32Array; teacher: Float32Array }[]> {
  const lines = await readFile(new URL("./static-vectors.jsonl", import.meta.url), "utf8");
  return lines
    .trimEnd()
    .split("\n")
    .map((line) => {
      const row: { text: string; student: string; teacher: string } = JSON.parse(line);
      const vector = (packed: string) => floatsOf(Buffer.from(packed, "base64"));
      return { text: row.text, staticEmbedder: vector(row.student), teacher: vector(row.teacher) };
    });
}

describe("a vector", () => {
  it("has 256 numbers and length one, whatever the text", () => {
    const texts = fc.oneof(fc.string(), fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(texts, (text) => {
        const vector = staticEmbedder.embed(text);
        expect(vector).toHaveLength(256);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }),
      { numRuns: lawRuns(1_000) },
    );
  });

  it("is the same for the same text, whatever came between", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (text, other) => {
        const before = staticEmbedder.embed(text);
        staticEmbedder.embed(other);
        expect(staticEmbedder.embed(text)).toEqual(before);
      }),
    );
  });

  it("is not changed by a later call", () => {
    const first = staticEmbedder.embed("reset my password");
    const copy = first.slice();
    staticEmbedder.embed("opening hours");
    expect(first).toEqual(copy);
  });

  it("is that of the tool that made the table", async () => {
    for (const row of await fixture())
      expect(cosine(staticEmbedder.embed(row.text), row.staticEmbedder), row.text).toBeCloseTo(1, 5);
  });

  it("points where the teacher's does", async () => {
    const rows = await fixture();
    const english = rows.filter((row) => row.text.split(" ").length >= 5 && /^[\x20-\x7e]+$/.test(row.text));
    const cosines = english.map((row) => cosine(staticEmbedder.embed(row.text), row.teacher));
    expect(cosines.reduce((sum, value) => sum + value, 0) / cosines.length).toBeGreaterThan(0.75);
  });

  it("of a text without words is one fixed direction, which is near to the teacher's", async () => {
    expect(staticEmbedder.embed(" \n\t")).toEqual(staticEmbedder.embed(""));
    const nothing = (await fixture()).find((row) => row.text === "");
    if (nothing === undefined) throw new Error("The fixture has no empty text.");
    expect(cosine(staticEmbedder.embed(""), nothing.staticEmbedder)).toBeCloseTo(1, 5);
  });

  it("takes a megabyte without a space, and megabytes of words", () => {
    expect(staticEmbedder.embed("a".repeat(1_000_000))).toHaveLength(256);
    expect(staticEmbedder.embed("word ".repeat(1_000_000))).toEqual(staticEmbedder.embed("word ".repeat(16_384 / 4)));
  });
});

describe("meanings", () => {
  it.each([
    ["How do I reset my password?", "I forgot my login details", "What are your opening hours?"],
    ["The parcel never arrived", "my package was not delivered", "the printer has no paper"],
    ["cancel my subscription", "How can I end my membership?", "How can I change the language?"],
  ])("that are close are closer: %j to %j than to %j", (text, close, far) => {
    const [own, near, other] = [text, close, far].map((each) => staticEmbedder.embed(each));
    if (own === undefined || near === undefined || other === undefined) throw new Error("Three vectors are wanted.");
    expect(cosine(own, near)).toBeGreaterThan(cosine(own, other));
  });
});

describe("the files", () => {
  it.each(["pieces", "pairs", "rows", "scales"] as const)(
    "are refused when %s is not what was shipped",
    async (role) => {
      const { files } = await readStaticEmbedderManifest(readShipped);
      const damaged = openStatic(async (name) => {
        const bytes = Uint8Array.from(await readShipped(name));
        if (name === files[role].name) bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        return bytes;
      });
      await expect(damaged).rejects.toMatchObject({
        code: "CORRUPT",
        message: `The file ${files[role].name} of the static embedder is damaged; install @loredex/core again.`,
      });
    },
  );

  it.each(["", "{", "{}", "[1]", "null"])("are refused when the manifest is %j", async (text) => {
    await expect(openStatic(async () => new TextEncoder().encode(text))).rejects.toMatchObject({ code: "CORRUPT" });
  });

  it("name the teacher whose space the vectors are in", async () => {
    const teacher = new URL("../../../minilm/model/manifest.json", import.meta.url);
    const { id, version, dimensions }: VectorSpace = JSON.parse(await readFile(teacher, "utf8"));
    expect(staticEmbedder.space).toEqual({ id, version, dimensions });
  });
});
