import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type JsonLine, linesOf, readJsonLines } from "../../src/files/json-lines.ts";
import { writeFiles } from "../support/files.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

async function read(content: string | Uint8Array, lineBytesMax = 1_000_000): Promise<JsonLine[]> {
  const directory = await temporaryDirectory();
  await writeFiles(directory, { "a.jsonl": content });
  const lines: JsonLine[] = [];
  for await (const line of readJsonLines(join(directory, "a.jsonl"), lineBytesMax)) lines.push(line);
  return lines;
}

it("reads one value a line, with its number", async () => {
  expect(await read('\ufeff{"a":1}\r\n\n  \n[2]\n"three"')).toEqual([
    { line: 1, value: { a: 1 }, bytes: 11 },
    { line: 4, value: [2], bytes: 3 },
    { line: 5, value: "three", bytes: 7 },
  ]);
  expect(await read("")).toEqual([]);
});

it.each([
  ['{"content":[{"md":"first"}],"content":[{"md":"second"}]}', "content is there twice"],
  ['{"content":[{"md":"a","md":"b"}]}', "content.0.md is there twice"],
  ['{"metaData":{"a":1,"a":2}}', "metaData.a is there twice"],
  ['{"metaData":{"id":9007199254740993}}', "metaData.id"],
])("refuses a line of which something would be lost: %s", async (line, told) => {
  expect(await read(`${line}\n{"a":"x:\\"y\\":z"}`)).toEqual([
    { line: 1, problem: expect.stringContaining(told) },
    { line: 2, value: { a: 'x:"y":z' }, bytes: 17 },
  ]);
});

it("names a bad line and goes on", async () => {
  const content = Buffer.concat([Buffer.from('1\n{"a":\n"'), Buffer.from([0xc3, 0x28]), Buffer.from('"\n2\n')]);
  const [one, two, three, four] = await read(content);
  expect([one, four]).toMatchObject([{ value: 1 }, { line: 4, value: 2 }]);
  expect(two).toMatchObject({ line: 2, problem: expect.stringContaining("no valid JSON") });
  expect(three).toEqual({ line: 3, problem: "the line is no valid UTF-8" });
});

it("passes over a line that is too long, and keeps the numbers right", async () => {
  const long = `"${"x".repeat(300_000)}"`;
  expect(await read(`1\n${long}\n2\n${long}`, 100)).toEqual([
    { line: 1, value: 1, bytes: 1 },
    { line: 2, problem: expect.stringContaining("divide") },
    { line: 3, value: 2, bytes: 1 },
    { line: 4, problem: expect.stringContaining("divide") },
  ]);
});

it("takes a line of exactly the greatest length, wherever its pieces are cut", async () => {
  const line = `"${"x".repeat(199_998)}"`;
  expect(await read(`${line}\n${line}\n"y"`, 200_000)).toMatchObject([
    { bytes: 200_000 },
    { bytes: 200_000 },
    { line: 3 },
  ]);
  expect(await read(line, 199_999)).toMatchObject([{ problem: expect.any(String) }]);
});

it("gives back any values, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), async (values) => {
      const read = await readBack(values.map((value) => JSON.stringify(value)).join("\n"));
      expect(JSON.stringify(read)).toBe(JSON.stringify(values));
    }),
    { numRuns: 50 },
  );
});

async function readBack(content: string): Promise<unknown[]> {
  return (await read(content)).map((line) => ("value" in line ? line.value : line.problem));
}

it("keeps little of a line without end", async () => {
  async function* endless(): AsyncGenerator<Buffer> {
    for (let i = 0; i < 800; i += 1) yield Buffer.alloc(1_048_576, "x");
    yield Buffer.from("\nnext");
  }
  const read: unknown[] = [];
  for await (const line of linesOf(endless(), 1_000)) {
    // While it is at the end of the long line: what was read before is free to go.
    if (line === "tooLong") expect(process.memoryUsage().arrayBuffers).toBeLessThan(500 * 1_048_576);
    read.push(line.toString());
  }
  expect(read).toEqual(["tooLong", "next"]);
});
