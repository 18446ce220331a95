import { jsonPieces } from "@loredex/core";
import { describe, expect, it } from "vitest";
import { jsonBytes } from "../../src/operator/download.ts";
import { readParameters } from "../../src/operator/parameters.ts";

/** All of it is there at once, as where a command writes faster than it is read. */
async function* cut(bytes: Uint8Array, length = 16_384): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** How often all others had their turn meanwhile. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

const document = (characters: number) => ({ id: "a", content: [{ md: "é".repeat(characters / 2) }, { md: "b" }] });
const lists = (characters: number) => ({
  content: Array.from({ length: characters / 40 }, (_, i) => ({ md: `${i}`.padEnd(30) })),
});

describe.each([
  ["one long text", document],
  ["many short ones", lists],
])("a large document of %s", (_, made) => {
  it("gives others their turn the more often the larger it is, while it is read", async () => {
    const turns = (characters: number): Promise<number> => {
      const bytes = Buffer.from(JSON.stringify([made(characters)]));
      return turnsDuring(() => readParameters(cut(bytes)));
    };
    const [once, twice] = [await turns(1_000_000), await turns(2_000_000)];
    expect(once).toBeGreaterThanOrEqual(10);
    expect(twice).toBeGreaterThanOrEqual(1.8 * once);
  });

  it("gives others their turn the more often the larger it is, while it is sent", async () => {
    const turns = (characters: number): Promise<number> =>
      turnsDuring(async () => {
        for await (const piece of jsonBytes(made(characters))) expect(piece.length).toBeLessThan(400_000);
      });
    const [once, twice] = [await turns(1_000_000), await turns(2_000_000)];
    expect(once).toBeGreaterThanOrEqual(6);
    expect(twice).toBeGreaterThanOrEqual(1.8 * once);
  });

  it("is the same on the other side", async () => {
    const value = made(300_000);
    const sent: Uint8Array[] = [];
    for await (const piece of jsonBytes([value])) sent.push(piece);
    expect(await readParameters(cut(Buffer.concat(sent), 1_000))).toEqual([value]);
    expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
  });
});

describe("what is sent to a server", () => {
  it("is taken in to its end before it is refused, if it is too long or no JSON", async () => {
    for (const [body, bytesMax] of [
      ["[1,2,3,4,5]", 5],
      ["[1,2,,4,5]", 100],
    ] as const) {
      let taken = 0;
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        for await (const piece of cut(Buffer.from(body), 1)) {
          taken++;
          yield piece;
        }
      };
      await expect(readParameters(counted(), bytesMax)).rejects.toThrow(bytesMax === 5 ? "too large" : SyntaxError);
      expect(taken).toBe(body.length);
    }
  });

  it("is nothing if its end never comes", async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from("[1");
      throw new Error("gone");
    };
    await expect(readParameters(broken())).rejects.toThrow("gone");
    await expect(readParameters(cut(Buffer.from("[1")))).rejects.toThrow(SyntaxError);
  });
});

it("refuses what has more values than any document may have, and reads on to its end", async () => {
  const values = (count: number) =>
    Buffer.from(JSON.stringify([{ metaData: { list: new Array<number>(count).fill(1) } }]));
  await expect(readParameters(cut(values(100_000)))).resolves.toHaveLength(1);
  let read = 0;
  const bytes = values(1_000_000);
  const counted = async function* () {
    for await (const piece of cut(bytes)) {
      read += piece.length;
      yield piece;
    }
  };
  await expect(readParameters(counted())).rejects.toThrow(/more than \d+ values; divide it/);
  expect(read).toBe(bytes.length);
});
